import type { Item } from '../../values/attribute-value.ts'
import type { WritePlan } from '../plan.ts'
import { applyChanges } from './apply-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import { updateOutput } from './move-item.ts'
import { planCompanions } from './plan-companions.ts'
import { planWrite } from './plan-write.ts'
import { assertItem, itemFromKey, namesOf, withValues } from './stage-write.ts'
import type { StagedPlan } from './staged-plan.ts'
import type { UpdateDraft } from './update-draft.ts'
import { knownValues, NOTHING_KNOWN } from './write-condition.ts'

/**
 * An update of an item that others follow from: what is written beside it depends on the whole item, which is read before. With the
 * attributes that decide given, a transaction takes it without.
 */
export function stageUpdate(draft: UpdateDraft): StagedPlan {
  const { state, context, model, key, creates, changes, given } = draft
  const { affected, inKeys } = dependencies(draft)
  const told = itemFromKey(model, key)
  // A value that is replaced need not be known, unless it decides about what is there now.
  const isReplaced = (name: string): boolean =>
    !model.companions!.deciding.has(name) &&
    changes.some(
      ({ kind, path }) =>
        path.length === 1 && path[0] === name && (kind === 'set' || kind === 'remove'),
    )
  const missing = new Set(
    [...affected, ...inKeys].filter(
      (name) => !Object.hasOwn(told, name) && !given.has(name) && !isReplaced(name),
    ),
  )
  return {
    kind: 'read-first',
    verb: state.verb,
    model,
    tableName: context.tableName,
    key,
    expects: { exists: !creates, absent: false, version: undefined },
    attributes: namesOf(model, missing),
    reads: undefined,
    assumed: creates || missing.size > 0 ? undefined : { item: withValues(told, given) },
    draft,
  }
}

/** The update, when the item is known; `isRead` says that it was read, and not only told by the caller. */
export function completeUpdate(
  draft: UpdateDraft,
  before: Item | undefined,
  isRead: boolean,
): WritePlan {
  const { state, context, model, place, key, creates, changes, given, creation } = draft
  const stored = Array.from(model.attributes.values(), (attribute) => attribute.stored)
  const own = creation && !before ? creation.changes : changes
  const values = isRead ? new Map([...given, ...knownValues(stored, before)]) : given
  const all = [...own, ...planIndexKeys({ ...draft, changes: own }, values).changes]
  const after = applyChanges(before ?? key, all, place)
  const { affected, inKeys } = dependencies(draft)
  const changed = changes.map(({ path }) => path[0])
  const asserted = isRead
    ? assertItem(model, before, [...changed, ...inKeys], affected)
    : NOTHING_KNOWN
  const plan = planWrite(state, context, {
    action: 'Update',
    verb: state.verb,
    place,
    key,
    changes: all,
    exists: !creates || before !== undefined,
    version: state.version,
    known: new Map([...asserted, ...given]),
    output: isRead ? updateOutput(draft, before, after) : undefined,
  })
  const transition = { context, model, place, before, after, whole: creates }
  return { ...plan, companions: planCompanions({ ...transition, keys: [key, key] }) }
}

/** The stored names of what derived items, and of what index keys depend on. */
function dependencies(draft: UpdateDraft) {
  const { model, creates, changes, given } = draft
  const { touching, affectedBy } = model.companions!
  const { missing } = planIndexKeys(draft, given)
  return {
    affected: creates ? touching : affectedBy(new Set(changes.map(({ path }) => path[0]))),
    inKeys: Array.from(missing, (name) => model.attributes.get(name)!.stored),
  }
}
