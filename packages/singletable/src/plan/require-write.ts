import { PlanError } from '../errors/plan-error.ts'
import type { UpdatePlan, WritePlan } from './plan.ts'

/** The plan, if it is one request: transactions, batches and `dbParams()` can't read an item before they write it. */
export function requireWrite(plan: UpdatePlan, place: string): WritePlan {
  if (plan.kind === 'write') return plan
  const names = plan.attributes.map((name) => `"${name}"`).join(', ')
  const [code, what, fix] =
    plan.kind === 'move'
      ? ([
          'UPDATE_MOVES_ITEM',
          `Setting ${names} changes the primary key, which takes a read and two writes.`,
          'use execute() of the update alone, or put the new item and delete the old one',
        ] as const)
      : ([
          'UPDATE_NEEDS_ATTRIBUTES',
          `Index keys after this update depend on ${names}.`,
          'pass them by set(), or their current values by given(), which also asserts them',
        ] as const)
  throw new PlanError(code, { what, where: place, fix })
}
