import type { Item } from '../../values/attribute-value.ts'
import type { WritePlan } from '../plan.ts'
import type { Change } from './encode-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import { planWrite, type Write } from './plan-write.ts'
import { assertItem } from './stage-write.ts'
import type { Creation, UpdateDraft } from './update-draft.ts'
import { knownValues } from './write-condition.ts'

/** The write of an update that nothing else follows from. */
export function writeDraft(
  { state, context, place, key, creates }: UpdateDraft,
  changes: readonly Change[],
  options: Partial<Write>,
): WritePlan {
  const { verb, version } = state
  return planWrite(state, context, {
    action: 'Update',
    verb,
    place,
    key,
    changes,
    exists: !creates,
    version,
    ...options,
  })
}

/** The write of an item that is there, with the values that its index keys depend on. */
export function writeExisting(draft: UpdateDraft, item: Item): WritePlan {
  const { model, changes, given } = draft
  const { missing } = planIndexKeys({ ...draft, creates: false }, given)
  const names = Array.from(missing, (name) => model.attributes.get(name)!.stored)
  const known = new Map([...given, ...knownValues(names, item)])
  const keys = planIndexKeys({ ...draft, creates: false }, known)
  return writeDraft(draft, [...changes, ...keys.changes], { exists: true, known })
}

/** The write of a new item by an upsert. */
export function writeNew(draft: UpdateDraft, { changes: created }: Creation): WritePlan {
  const { model, given } = draft
  const all = Array.from(model.attributes.values(), ({ stored }) => stored)
  const values = new Map([...given, ...knownValues(all, undefined)])
  const keys = planIndexKeys({ ...draft, changes: created }, values)
  const known = new Map([...given, ...assertItem(model, undefined, [])])
  return writeDraft(draft, [...created, ...keys.changes], { known })
}
