import { PlanError } from '../../errors/plan-error.ts'
import type { WritePlan } from '../plan.ts'
import { complete } from './complete.ts'
import type { StagedPlan, UpdatePlan } from './staged-plan.ts'

/**
 * The plan, if nothing has to be read for it: transactions, batches and `dbParams()` can't read an
 * item before they write it.
 */
export function requireWrite(plan: UpdatePlan, place: string): WritePlan {
  if (plan.kind === 'write') return plan
  return plan.assumed ? complete(plan, plan.assumed.item)[0] : refuseStaged(plan, place)
}

function refuseStaged({ kind, verb, model, attributes }: StagedPlan, where: string): never {
  const names = attributes.map((name) => `"${name}"`).join(', ')
  if (kind === 'move') {
    throw new PlanError('UPDATE_MOVES_ITEM', {
      what: `Setting ${names} changes the primary key, which takes a read and two writes.`,
      where,
      fix: 'use execute() of the update alone, or put the new item and delete the old one',
    })
  }
  const isUpdate = verb === 'update'
  const what =
    isUpdate && !model.derivedItems ? 'Index keys' : `What is written with a ${model.name}`
  throw new PlanError('UPDATE_NEEDS_ATTRIBUTES', {
    what: `${what} after this ${verb} depend${isUpdate && !model.derivedItems ? '' : 's'} on ${isUpdate ? names : 'the item that is there now'}.`,
    where,
    fix:
      verb === 'put' || verb === 'upsert'
        ? `use create() for a new item, or save(changed, item) with the item that you read${model.derivedItems ? '' : '; put().replace() keeps nothing of the old one'}`
        : 'pass the item that you read with given(item), or the current values of these attributes: nothing is written if they have changed',
  })
}

/** The plan, if it is of one item. */
export function requireSingle(plan: WritePlan, where: string): WritePlan {
  if (!plan.derivedItems?.length) return plan
  throw new PlanError('PLAN_INVALID', {
    what: `A ${plan.verb} of ${plan.model.name} writes ${plan.derivedItems.length + 1} items in a transaction.`,
    where,
    fix: 'give the builder itself to table.transactWrite([…]), whose dbParams() have all of them, or use execute()',
  })
}
