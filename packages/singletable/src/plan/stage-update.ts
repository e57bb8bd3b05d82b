import type { Companions } from '../schema/model.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { applyChanges } from './apply-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import { updateOutput } from './move-item.ts'
import type { StagedPlan, WritePlan } from './plan.ts'
import { planCompanions } from './plan-companions.ts'
import { planWrite } from './plan-write.ts'
import { assertItem, itemFromKey, namesOf } from './stage-write.ts'
import type { UpdateDraft } from './update-draft.ts'
import { type KnownValues, knownValues } from './write-condition.ts'

/**
 * An update of an item that others follow from: what is written beside it depends on the whole item, which is read before. With the
 * attributes that decide given, a transaction takes it without.
 */
export function stageUpdate(draft: UpdateDraft, companions: Companions): StagedPlan {
  const { state, context, model, place, key, creates, changes, given, creation } = draft
  const { verb, version } = state
  const stored = [...model.attributes.values()].map((attribute) => attribute.stored)
  const keys = planIndexKeys(draft, given)
  const inKeys = [...keys.missing].map((name) => model.attributes.get(name)!.stored)
  const changed = changes.map(({ path }) => path[0])
  const told = itemFromKey(model, key)

  const write = (before: Item | undefined, values: KnownValues, asserted: KnownValues) => {
    const own = creation && !before ? creation.changes : changes
    const all = [...own, ...planIndexKeys({ ...draft, changes: own }, values).changes]
    const after = applyChanges(before ?? key, all, place)
    const plan = planWrite(state, context, {
      action: 'Update',
      verb,
      place,
      key,
      changes: all,
      exists: !creates || before !== undefined,
      version,
      known: new Map([...asserted, ...given]),
      output: updateOutput(draft, before, after),
    })
    const transition = { context, model, place, before, after, whole: creates }
    return { ...plan, companions: planCompanions({ ...transition, keys: [key, key] }) }
  }
  // A value that is replaced need not be known, unless it decides about what is there now.
  const isReplaced = (name: string): boolean =>
    !companions.deciding.has(name) &&
    changes.some(
      ({ kind, path }) =>
        path.length === 1 && path[0] === name && (kind === 'set' || kind === 'remove'),
    )
  const affected = creates ? companions.touching : companions.affectedBy(new Set(changed))
  const missing = new Set(
    [...affected, ...inKeys].filter(
      (name) => !Object.hasOwn(told, name) && !given.has(name) && !isReplaced(name),
    ),
  )
  const blind = (): WritePlan => {
    const before: { [name: string]: AttributeValue } = { ...told }
    for (const [name, value] of given) if (value) before[name] = value
    return { ...write(before, given, new Map()), output: undefined }
  }
  return {
    kind: 'read-first',
    verb,
    model,
    tableName: context.tableName,
    key,
    expects: { exists: !creates, absent: false, version: undefined },
    attributes: namesOf(model, missing),
    reads: undefined,
    blind: creates || missing.size > 0 ? undefined : blind,
    finish: (current) => [
      write(
        current,
        new Map([...given, ...knownValues(stored, current)]),
        assertItem(model, current, [...changed, ...inKeys], affected),
      ),
    ],
  }
}
