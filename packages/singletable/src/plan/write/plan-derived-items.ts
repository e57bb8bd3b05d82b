import type { InputIssue } from '../../errors/input-error.ts'
import { isInIndex, keyFromItem, renderPart } from '../../schema/index-keys.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import { checkKey } from '../../schema/key-text.ts'
import type { Copy, Counter, Model, When } from '../../schema/model.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { getOwn, setOwn } from '../../values/own.ts'
import { sameValue } from '../../values/same-value.ts'
import type { DerivedWrite } from '../plan.ts'
import { planGuards } from './plan-guards.ts'
import { planWrite } from './plan-write.ts'
import type { Transition } from './transition.ts'

type Values = { readonly [name: string]: unknown }

/** All that follows from what a write makes of an item: copies, guards of unique values, counters of parents. */
export function planDerivedItems(transition: Transition): readonly DerivedWrite[] {
  const { copies, counters } = transition.model.derivedItems!
  return [
    ...copies.flatMap((copy) => planCopy(copy, transition)),
    ...planGuards(transition),
    ...counters.flatMap((counter) => planCount(counter, transition)),
  ]
}

/** A copy is put as a whole, whatever was there, and deleted where it is no longer. */
function planCopy(copy: Copy, transition: Transition): DerivedWrite[] {
  const { site, model, place, before, after, whole } = transition
  const { model: copyModel } = copy
  const { name, schema } = copyModel
  const options = { model: copyModel }
  const role = { kind: 'copy', name, attributes: [], optional: false } as const
  const item = after && copyOf(copy, model, after, place)
  const key = item && keyFromItem(schema.primary, item)
  const old = before && copyOf(copy, model, before, place)
  const oldKey = old && keyFromItem(schema.primary, old)
  if (!whole && sameValue(item, old)) return []
  const common = { place, version: undefined, role }
  const writes: DerivedWrite[] = []
  if (key) {
    writes.push(planWrite(options, site, { ...common, action: 'Put', verb: 'put', key, item }))
  }
  if (oldKey && !sameValue(key, oldKey)) {
    const verb = 'delete'
    writes.push(planWrite(options, site, { ...common, action: 'Delete', verb, key: oldKey }))
  }
  return writes
}

/** The copy of an item; `undefined` if it has none. */
function copyOf(copy: Copy, source: Model, item: Item, place: string): Item | undefined {
  const { model, when, stored } = copy
  const { primary, indexes, derived, schema } = model
  const names = indexes.flatMap((index) => index.names)
  const values = valuesOf(source, item, [...names, ...(when?.keys() ?? [])])
  if (!isInIndex(primary, values) || !holds(when, values)) return undefined
  const issues: InputIssue[] = []
  const result: { [name: string]: AttributeValue } = {}
  for (const part of [...primary.hash, ...primary.sort]) {
    const { name } = part
    result[name] = renderPart(part, values)!
    checkKey(schema, name, result[name], issues)
  }
  result[schema.params.typeField] = { S: model.type }
  for (const name of stored) {
    const value = getOwn(item, name)
    if (value !== undefined) result[name] = value
  }
  for (const { name, template, uses } of derived) {
    if (!uses.some((use) => isInIndex(use, values))) continue
    result[name] = { S: template.render(values)! }
    checkKey(schema, name, result[name], issues)
  }
  if (issues.length > 0) refuseInput(issues, `${place}, copy "${model.name}"`)
  return result
}

/** Changes of the counters of the parents that the item names before and after. */
function planCount(counter: Counter, transition: Transition): DerivedWrite[] {
  const { site, model, place, before, after } = transition
  const { parent, attribute } = counter
  const parentOf = (item: Item | undefined): Item | undefined => {
    if (item === undefined) return undefined
    const names = [...counter.links.values(), ...(counter.when?.keys() ?? [])]
    const values = valuesOf(model, item, names)
    const key: { [name: string]: unknown } = {}
    for (const [name, link] of counter.links) {
      const value = getOwn(values, link)
      if (value === undefined || value === null) return undefined
      key[name] = value
    }
    return holds(counter.when, values) ? parent.encodeKey(key, place) : undefined
  }
  const old = parentOf(before)
  const key = parentOf(after)
  if (sameValue(old, key)) return []
  const change = { ...site, kind: 'count', parent, attribute, place } as const
  return [
    ...(key ? [{ ...change, key, by: 1 } as const] : []),
    ...(old ? [{ ...change, key: old, by: -1 } as const] : []),
  ]
}

function holds(when: When | undefined, values: Values): boolean {
  for (const [name, allowed] of when ?? []) {
    if (!allowed.includes(getOwn(values, name))) return false
  }
  return true
}

/** The values of some attributes of a stored item, for templates and conditions. */
function valuesOf(model: Model, item: Item, names: readonly string[]): Values {
  const values: { [name: string]: unknown } = {}
  for (const name of names) {
    const { stored, codec } = model.attributes.get(name)!
    const value = getOwn(item, stored)
    if (value === undefined) continue
    try {
      setOwn(values, name, codec.decode(value))
    } catch (problem) {
      // The model tells the item in its error.
      model.decode(item, true)
      throw problem
    }
  }
  return values
}
