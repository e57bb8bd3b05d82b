import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { applyChanges } from './apply-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import type { WritePlan } from './plan.ts'
import { planWrite } from './plan-write.ts'
import type { UpdateDraft } from './update-draft.ts'
import { knownValues } from './write-condition.ts'

/** The writes that give an item another primary key: it is put under the new one, and deleted under the old one. */
export function planMove(draft: UpdateDraft, target: Item, before: Item): [WritePlan, WritePlan] {
  const { state, context, model, place, key, changes, given } = draft
  const { returning } = state
  const names = [...model.attributes.values()].map(({ stored }) => stored)
  const type = { [model.schema.params.typeField]: { S: model.name } }
  const item = { ...applyChanges(before, changes, place), ...target, ...type }
  for (const { name } of model.derived) delete item[name]
  const moved = { model, place, key: target, changes: [], creates: true }
  const after = applyChanges(item, planIndexKeys(moved, knownValues(names, item)).changes, place)

  // What the update gives, as one that does not move the item would.
  const shown = returning.endsWith('OLD') ? before : after
  const isPartial = returning.startsWith('UPDATED')
  const updated = changes.flatMap(({ path: [name] }) => {
    const value = getOwn(shown, name)
    return value ? [[name, value] as const] : []
  })
  const output =
    returning === 'NONE'
      ? undefined
      : model.decode(isPartial ? Object.fromEntries(updated) : shown, isPartial)

  // The old item goes only if it is still the one that was read: its version tells, or all its attributes.
  const version = model.version?.stored ?? ''
  const telling = Object.hasOwn(before, version) ? [version] : [...names, ...Object.keys(before)]
  const others = telling.filter((name) => !Object.hasOwn(key, name))
  const known = new Map([...knownValues(others, before), ...given])
  const { verb } = state
  const put = { verb, place, key: target, item: after, absent: true, version: undefined, output }
  const remove = { verb, place, key, exists: true, version: state.version, known }
  return [
    planWrite({ model }, context, { ...put, action: 'Put' }),
    planWrite(state, context, { ...remove, action: 'Delete' }),
  ]
}
