import { PlanError } from '../errors/plan-error.ts'
import type { UpdatePlan, WritePlan } from './plan.ts'

/** The plan, if it is one request: transactions, batches and `dbParams()` can't read an item before they write it. */
export function requireWrite(plan: UpdatePlan, place: string): WritePlan {
  if (plan.kind === 'write') return plan
  const { model } = plan
  const names = plan.attributes.map((name) => `"${name}"`).join(', ')
  if (plan.kind === 'move') {
    throw new PlanError('UPDATE_MOVES_ITEM', {
      what: `Setting ${names} gives the ${model.name} another primary key, which takes a read and two writes.`,
      where: place,
      fix: 'use execute() of the update alone, or put the new item and delete the old one',
    })
  }
  throw new PlanError('UPDATE_NEEDS_ATTRIBUTES', {
    what: `The index keys of the ${model.name} after this update depend on ${names}, which the update does not tell.`,
    where: place,
    fix: `pass ${names} by set(), or the current values by given(), which also asserts them`,
  })
}
