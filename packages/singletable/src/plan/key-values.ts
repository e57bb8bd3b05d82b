import type { InputIssue } from '../errors/input-error.ts'
import { canonicalValue } from '../schema/encode-attribute.ts'
import { ownValue, renderParts } from '../schema/index-keys.ts'
import { checkKeySize, keyBytesMax } from '../schema/key-text.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { refuseInput } from './refuse-input.ts'

/**
 * The value behind a primary key, of one of its attributes. It is what the caller gave, except for text with a separator in it: that was given with
 * a prefix, and the key itself tells the value. So it does where the key was given as it is stored.
 */
export function keyValueOf(model: Model, given: object, key: Item, name: string): unknown {
  const value = ownValue(given, name)
  if (value === undefined || isPrefixed(model, value)) {
    for (const part of [...model.primary.hash, ...model.primary.sort]) {
      const text = key[part.name]?.S
      const values = text === undefined ? undefined : part.template?.match(text)
      const found = values && ownValue(values, name)
      if (found !== undefined) return found
    }
  }
  return canonicalValue(model.attributes.get(name)!, value, [])
}

export function keyValuesOf(model: Model, given: object, key: Item): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name of model.primary.names) values[name] = keyValueOf(model, given, key, name)
  return values
}

function isPrefixed({ schema }: Model, value: unknown): boolean {
  return typeof value === 'string' && value.includes(schema.params.separator)
}

/** The primary key for attribute values that are to be stored, so that nothing is forgiven in them. */
export function renderPrimaryKey(model: Model, values: object, place: string): Item {
  const issues: InputIssue[] = []
  // All attributes of the primary key have values.
  const key = renderParts([...model.primary.hash, ...model.primary.sort], values, issues)!
  for (const name of Object.keys(key)) {
    checkKeySize(key[name]!, name, keyBytesMax(model.schema, name), issues)
  }
  if (issues.length > 0) refuseInput(issues, place, 'give shorter values for its template')
  return key
}
