import type { KeyPart, Model } from '../schema/model.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES } from '../values/limits.ts'
import { getOwn } from '../values/own.ts'
import { checkKeySize } from './index-keys.ts'

/**
 * The values behind a primary key. They are what the caller gave, except for text with a separator in it: that was given with a prefix, and the
 * key itself tells the value.
 */
export function valuesOfKey(model: Model, given: object, key: Item): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const { separator } = model.schema.params
  for (const name of model.primary.names) {
    // Any object can be asked for an own member.
    const value = getOwn(given as { readonly [name: string]: unknown }, name)
    const isPlain = value !== undefined && (typeof value !== 'string' || !value.includes(separator))
    values[name] = isPlain ? value : (matchKey(model, key, name) ?? value)
  }
  return values
}

function matchKey(model: Model, key: Item, name: string): unknown {
  for (const part of [...model.primary.hash, ...model.primary.sort]) {
    const text = key[part.name]?.S
    if (part.template?.names.includes(name) && text !== undefined) {
      const values = part.template.match(text)
      return values && getOwn(values, name)
    }
  }
  return undefined
}

/** The primary key for attribute values that are to be stored, so that nothing is forgiven in them. */
export function renderPrimaryKey(
  model: Model,
  values: Readonly<Record<string, unknown>>,
  place: string,
): Item {
  const key: Record<string, AttributeValue> = {}
  const { hash, sort } = model.primary
  for (const part of hash) key[part.name] = renderPart(part, values, PARTITION_KEY_MAX_BYTES, place)
  for (const part of sort) key[part.name] = renderPart(part, values, SORT_KEY_MAX_BYTES, place)
  return key
}

function renderPart(
  { name, template, attribute }: KeyPart,
  values: Readonly<Record<string, unknown>>,
  bytesMax: number,
  place: string,
): AttributeValue {
  if (template === undefined) return attribute.codec.encode(values[attribute.name], [])
  // All attributes of the primary key have values.
  const text = template.render(values) ?? ''
  checkKeySize(text, bytesMax, name, place)
  return { S: text }
}
