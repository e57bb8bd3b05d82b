import type { Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import type { WritePlan } from '../plan.ts'
import { planMove } from './move-item.ts'
import { completeUpdate } from './stage-update.ts'
import { completeWrite } from './stage-write.ts'
import type { StagedPlan, UpdatePlan } from './staged-plan.ts'
import { writeExisting, writeNew } from './write-draft.ts'

/**
 * The writes of a staged plan, when the item under its key is known. The last one has the condition that what was read still holds; without
 * `isRead` the caller has told it, and the condition says what the caller did.
 */
export function complete(
  { kind, draft, reads }: StagedPlan,
  item: Item | undefined,
  isRead = true,
): readonly [WritePlan, ...WritePlan[]] {
  if ('write' in draft) return [completeWrite(draft, item, isRead)]
  if (kind === 'move') return planMove(draft, draft.moves!.target, item ?? {})
  if (!reads) return [completeUpdate(draft, item, isRead)]
  const { creation } = draft
  return [creation && !item ? writeNew(draft, creation) : writeExisting(draft, item ?? {})]
}

/** What an upsert writes instead if there is this item, and it lacks what only a new one gets. */
export function planExisting({ draft }: WritePlan, item: Item): WritePlan | undefined {
  if (!draft?.creation) return undefined
  const { either, complete } = draft.creation
  const isComplete = either && complete.every((name) => getOwn(item, name))
  return isComplete ? undefined : writeExisting(draft, item)
}

/** Whether a write makes its item from what is there, so that one whose time to live is over is deleted before. */
export function buildsOnItem(plan: UpdatePlan): boolean {
  const { verb } = plan
  return verb === 'upsert' || (verb === 'put' && plan.kind === 'write' && plan.action === 'Update')
}
