import type { Item } from '../../values/attribute-value.ts'
import type { WritePlan } from '../plan.ts'
import type { AttributeChange } from './encode-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import { planWrite, type WriteDescription } from './plan-write.ts'
import { assertItem } from './stage-write.ts'
import type { Creation, UpdateDraft } from './update-draft.ts'
import { knownValues } from './write-condition.ts'

/** The write of an update that nothing else follows from. */
export function writeDraft(
  { state, site, place, key, creates }: UpdateDraft,
  changes: readonly AttributeChange[],
  options: Partial<WriteDescription>,
): WritePlan {
  const { verb, version } = state
  return planWrite(state, site, {
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
  const existing = { ...draft, creates: false }
  const { changes, given } = draft
  const known = new Map([...given, ...knownValues(neededForKeys(existing), item)])
  const keys = planIndexKeys(existing, known)
  return writeDraft(draft, [...changes, ...keys.changes], { exists: true, known })
}

/** The stored names of what index keys depend on and the call does not say. */
export function neededForKeys(draft: UpdateDraft): readonly string[] {
  const { missing } = planIndexKeys(draft, draft.given)
  return Array.from(missing, (name) => draft.model.attributes.get(name)!.stored)
}

/** The write of a new item by an upsert. */
export function writeNew(draft: UpdateDraft, { changes: created }: Creation): WritePlan {
  const { model, given } = draft
  const all = Array.from(model.attributes.values(), ({ stored }) => stored)
  // A new item has no earlier values, so nothing has to be read for its index keys; the condition
  // is that there is no item.
  const values = new Map([...given, ...knownValues(all, undefined)])
  const keys = planIndexKeys({ ...draft, changes: created }, values)
  const known = new Map([...given, ...assertItem(model, undefined, [])])
  return writeDraft(draft, [...created, ...keys.changes], { known, draft })
}
