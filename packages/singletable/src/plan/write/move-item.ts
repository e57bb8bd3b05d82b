import { recode } from '../../schema/attribute-codec.ts'
import type { Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import type { WritePlan } from '../plan.ts'
import { applyChanges } from './apply-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import { planDerivedItems } from './plan-derived-items.ts'
import { planWrite } from './plan-write.ts'
import { assertItem } from './stage-write.ts'
import type { UpdateDraft } from './update-draft.ts'
import { emptiesSet, knownValues } from './write-condition.ts'

/**
 * The writes that give an item another primary key: it is put under the new one, and deleted under
 * the old one.
 */
export function planMove(draft: UpdateDraft, target: Item, before: Item): [WritePlan, WritePlan] {
  const { state, site, model, place, key, changes, given } = draft
  const names = [...model.attributes.values()].map(({ stored }) => stored)
  const type = { [model.schema.params.typeField]: { S: model.type } }
  const item = { ...applyChanges(before, changes, place), ...target, ...type }
  for (const { name } of model.derived) delete item[name]
  for (const attribute of model.attributes.values()) {
    const value = attribute.codec.opaque && getOwn(item, attribute.stored)
    if (!value) continue
    // An encrypted value is bound to the key of its item: under another key it could not be read.
    const plain = recode('decode', attribute, value, model, key)
    item[attribute.stored] = recode('encode', attribute, plain, model, target)
  }
  // What named the item by its old key does not count under the new one.
  for (const { stored } of model.derivedItems?.counted ?? []) item[stored] = { N: '0' }
  const moved = { model, place, key: target, changes: [], creates: true }
  const after = applyChanges(item, planIndexKeys(moved, knownValues(names, item)).changes, place)

  const output = updateOutput(draft, before, after)

  // The old item goes only if it is still the one that was read, with all its attributes. Its
  // version would not show that it was deleted and created again.
  const others = [...names, ...Object.keys(before)].filter((name) => !Object.hasOwn(key, name))
  const known = new Map([...knownValues(others, before), ...given])
  const { verb } = state
  const derivedItems =
    model.derivedItems &&
    planDerivedItems({ site, model, place, keys: [key, target], before, after, whole: true })
  const put = {
    verb,
    place,
    key: target,
    item: after,
    absent: true,
    version: undefined,
    output,
    derivedItems,
    // Also one whose time to live is over would leave behind what follows from it.
    ...(derivedItems && { known: assertItem(model, undefined, []) }),
  }
  const lasting = changes.filter(({ required }) => required)
  const remove = { verb, place, key, exists: true, version: state.version, known, lasting }
  return [
    planWrite({ model }, site, { ...put, action: 'Put' }),
    planWrite(state, site, { ...remove, action: 'Delete' }),
  ]
}

/** What an update gives that is part of a transaction, as one alone would. */
export function updateOutput(
  { state, model, changes }: UpdateDraft,
  before: Item | undefined,
  after: Item,
): Record<string, unknown> | undefined {
  const { returning } = state
  const shown = returning.endsWith('OLD') ? before : after
  if (returning === 'NONE' || shown === undefined) return undefined
  // It will fail on its condition, and there is no such item to give.
  if (before && changes.some((change) => change.required && emptiesSet(change, before))) {
    return undefined
  }
  const isPartial = returning.startsWith('UPDATED')
  const updated = changes.flatMap(({ path: [name] }) => {
    const value = getOwn(shown, name)
    return value ? [[name, value] as const] : []
  })
  return model.decode(isPartial ? Object.fromEntries(updated) : shown, isPartial, shown)
}
