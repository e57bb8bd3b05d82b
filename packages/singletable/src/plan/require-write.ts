import { PlanError } from '../errors/plan-error.ts'
import type { UpdatePlan, WritePlan } from './plan.ts'

/** The plan, if it is one request: transactions, batches and `dbParams()` can't read an item before they write it. */
export function requireWrite(plan: UpdatePlan, place: string): WritePlan {
  if (plan.kind === 'write') return plan
  const names = plan.attributes.map((name) => `"${name}"`).join(', ')
  const { name } = plan.model
  throw plan.kind === 'move'
    ? new PlanError('UPDATE_MOVES_ITEM', {
        what: `Setting ${names} gives the ${name} another primary key, which takes a read and two writes.`,
        where: place,
        fix: 'use execute() of the update alone, or put the new item and delete the old one',
      })
    : new PlanError('UPDATE_NEEDS_ATTRIBUTES', {
        what: `The index keys of the ${name} after this update depend on ${names}.`,
        where: place,
        fix: 'pass them by set(), or their current values by given(), which also asserts them',
      })
}
