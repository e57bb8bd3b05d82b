import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { placeIssues } from './input-issues.ts'
import type { Index, KeyPart, ModelIndex } from './model.ts'

/** The key attributes of an index. */
export function keyAttributes({ hash, sort }: Index): readonly string[] {
  return [...hash, ...sort]
}

/** The key attributes of all indexes, each once. */
export function allKeyAttributes(indexes: ReadonlyMap<string, Index>): ReadonlySet<string> {
  return new Set([...indexes.values()].flatMap(keyAttributes))
}

/** An attribute's value among those given by name. */
export function ownValue(values: object, name: string): unknown {
  // Reading through getOwn is sound for any object.
  return getOwn(values as { readonly [name: string]: unknown }, name)
}

/** Whether an item with these values is in the index: everything its keys need is there, and its condition holds. */
export function isInIndex({ names, when }: ModelIndex, values: object): boolean {
  for (const name of names) {
    const value = ownValue(values, name)
    // A null is no value a key could be made of.
    if (value === undefined || value === null) return false
  }
  if (when === undefined) return true
  for (const [name, allowed] of when) {
    if (!allowed.includes(ownValue(values, name))) return false
  }
  return true
}

/**
 * The key attributes that these parts make of the values, or `undefined` when a value is missing. Throws a KeyComponentError for a value
 * that can't be part of a key, and adds what is wrong with an attribute that is a key as it is.
 */
export function renderParts(
  parts: readonly KeyPart[],
  values: object,
  issues: InputIssue[],
): Item | undefined {
  const key: { [name: string]: AttributeValue } = {}
  for (const { name, template, attribute } of parts) {
    if (template !== undefined) {
      const text = template.render(values)
      if (text === undefined) return undefined
      key[name] = { S: text }
    } else {
      const value = ownValue(values, attribute.name)
      if (value === undefined) return undefined
      const from = issues.length
      key[name] = attribute.codec.encode(value, issues)
      placeIssues(issues, from, attribute.name)
    }
  }
  return key
}

/** The key an item has in an index; without the attributes that it lacks. */
export function keyFromItem({ hash, sort }: Index, item: Item): Item {
  const key: { [name: string]: AttributeValue } = {}
  for (const name of hash) copy(name)
  for (const name of sort) copy(name)
  return key

  function copy(name: string): void {
    const value = getOwn(item, name)
    if (value !== undefined) key[name] = value
  }
}
