import type { Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import { isExpiredAt } from '../is-expired.ts'
import type { WritePlan } from '../plan.ts'
import { applyChanges } from './apply-changes.ts'
import { sourcesOf } from './encode-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import { keepUnseen } from './keep-unseen.ts'
import { planMove, updateOutput } from './move-item.ts'
import { planDerivedItems } from './plan-derived-items.ts'
import { planWrite, type WriteDescription } from './plan-write.ts'
import { dependencies } from './stage-update.ts'
import { asChange, assertItem, followers, withValues } from './stage-write.ts'
import type { StagedPlan, UpdatePlan, WriteDraft } from './staged-plan.ts'
import type { UpdateDraft } from './update-draft.ts'
import { knownValues, NOTHING_KNOWN } from './write-condition.ts'
import { writeExisting, writeNew } from './write-draft.ts'

/**
 * The writes of a staged plan, when the item under its key is known. The last one has the condition
 * that what was read at the time of `readAt` still holds; without a time the item is as the caller
 * described it, and the condition says what the caller did.
 */
export function complete(
  plan: StagedPlan,
  item: Item | undefined,
  readAt?: number,
): readonly [WritePlan, ...WritePlan[]] {
  const { kind, reads } = plan
  const draft = readAt === undefined ? plan.draft : at(plan.draft, readAt)
  const isRead = readAt !== undefined
  if ('write' in draft) return [completeWrite(draft, item, isRead)]
  if (kind === 'move') return planMove(draft, draft.moves!.target, item ?? {})
  if (!reads) return [completeUpdate(draft, item, isRead)]
  const { creation } = draft
  return [creation && !item ? writeNew(draft, creation) : writeExisting(draft, item ?? {})]
}

/** What an upsert writes instead if there is this item, and it lacks what only a new one gets. */
export function planExisting(
  { draft }: WritePlan,
  item: Item,
  readAt: number,
): WritePlan | undefined {
  if (!draft?.creation) return undefined
  const { either, complete } = draft.creation
  const isComplete = either && complete.every((name) => getOwn(item, name))
  return isComplete ? undefined : writeExisting(at(draft, readAt), item)
}

function at<TDraft extends UpdateDraft | WriteDraft>(draft: TDraft, now: number): TDraft {
  return { ...draft, site: { ...draft.site, now } }
}

/**
 * Whether a write makes its item from what is there, so that one whose time to live is over is
 * deleted before.
 */
export function buildsOnItem(plan: UpdatePlan): boolean {
  const { verb } = plan
  return verb === 'upsert' || (verb === 'put' && plan.kind === 'write' && plan.action === 'Update')
}

/**
 * A put or a delete; `isRead` says that the item was read, and not only described by the caller.
 */
function completeWrite(draft: WriteDraft, before: Item | undefined, isRead: boolean): WritePlan {
  const { options, site } = draft
  const { model, returning } = options
  const { counted = [], counters = [] } = model.derivedItems ?? {}
  const { place, exists = false, partlySeen = [] } = draft.write
  if (!isRead && before) {
    return planWrite(options, site, {
      ...draft.write,
      // Only what is there can be counted down.
      exists: exists || counters.length > 0,
      derivedItems: followers(draft, before, undefined),
    })
  }
  // What follows from an item that is over is still there, but nothing else counts of it.
  const replaced = before && !isExpiredAt(model, before, site.now) ? before : undefined
  const write = replaced ? withUnseen(draft.write, replaced) : draft.write
  const { item, changes } = write
  // Its own count and the put would be two writes of one item.
  const countsItself = counters.some(({ parent }) => parent === model)
  const isChange = replaced && changes && !countsItself
  const kept = isChange ? [] : counted.map(({ stored }) => stored)
  const asserted = [...kept, ...partlySeen.map(({ attribute }) => attribute.stored)]
  const after = isChange
    ? applyChanges(replaced, changes, place)
    : item && withValues(item, knownValues(kept, replaced))
  const output =
    returning === 'ALL_OLD'
      ? replaced && model.decode(replaced, false)
      : write.output && counted.length > 0
        ? model.decode(after!, false)
        : write.output
  const { changes: _, ...whole } = write
  const own = isChange
    ? { ...asChange(write), exists: true }
    : { ...whole, ...(after && { item: after }) }
  return planWrite(options, site, {
    ...own,
    known: new Map([...assertItem(model, before, asserted), ...(write.known ?? [])]),
    output,
    // Deleting what is not there, or putting the same, a second time changes nothing more.
    repeatable: !before || item !== undefined,
    derivedItems: followers(draft, before, after),
  })
}

/** A put with what its caller could not see in the item that it replaces. */
function withUnseen(write: WriteDescription, replaced: Item): WriteDescription {
  const { partlySeen, place } = write
  if (!write.item || !partlySeen) return write
  const item = keepUnseen(write.item, replaced, partlySeen, place)
  const changes = write.changes?.map((change) =>
    change.kind === 'set' ? { ...change, value: getOwn(item, change.name) } : change,
  )
  return { ...write, item, ...(changes && { changes }) }
}

/** An update of an item that others follow from. */
function completeUpdate(draft: UpdateDraft, before: Item | undefined, isRead: boolean): WritePlan {
  const { state, site, model, place, key, creates, changes, given, creation } = draft
  const stored = Array.from(model.attributes.values(), (attribute) => attribute.stored)
  const own = creation && !before ? creation.changes : changes
  const values = isRead ? new Map([...given, ...knownValues(stored, before)]) : given
  const all = [...own, ...planIndexKeys({ ...draft, changes: own }, values).changes]
  const after = applyChanges(before ?? key, all, place)
  const { affected, inKeys } = dependencies(draft)
  const changed = changes.flatMap((change) => [change.path[0], ...sourcesOf(change)])
  const asserted = isRead
    ? assertItem(model, before, [...changed, ...inKeys], affected)
    : NOTHING_KNOWN
  const transition = { site, model, place, before, after, whole: creates }
  return planWrite(state, site, {
    action: 'Update',
    verb: state.verb,
    place,
    key,
    changes: all,
    exists: !creates || before !== undefined,
    version: state.version,
    known: new Map([...asserted, ...given]),
    output: isRead ? updateOutput(draft, before, after) : undefined,
    derivedItems: planDerivedItems({ ...transition, keys: [key, key] }),
  })
}
