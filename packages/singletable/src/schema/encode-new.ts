import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { recode } from './attribute-codec.ts'
import { computeValue, IS_COMPUTED } from './computed.ts'
import { readInput } from './encode-attribute.ts'
import { isInIndex, keyAttributes, primaryTemplates } from './index-keys.ts'
import { addIssue, encodePart, refuseInput } from './input-issues.ts'
import { isCounted } from './is-counted.ts'
import { checkKey } from './key-text.ts'
import type { DerivedKey, Model, ModelParts } from './model.ts'
import { timestampValue } from './timestamp.ts'

/** Of an attribute that counts items. */
export const IS_COUNTED =
  "is updated by writes of the items it counts or adds up, and can't be given"

/** Makes the function that gives new items of a model. Every member of the input is read once. */
export function createEncodeNew(model: ModelParts, decode: Model['decode']): Model['encodeNew'] {
  const { schema, primary, derived, createdAt, updatedAt } = model
  const { typeField, cleanInternalKeys } = schema.params
  const attributes = [...model.attributes.values()]
  const keys: readonly DerivedKey[] = [
    ...primaryTemplates(primary).map((key) => ({ ...key, uses: [primary] })),
    ...derived,
  ]
  const opaque = attributes.filter(({ codec }) => codec.opaque)
  const kept = attributes.filter(({ from, definition }) => from || isCounted(definition))
  const computed = kept.filter(({ from }) => from)
  const type: AttributeValue = Object.freeze({ S: model.type })
  const outputIsValues = cleanInternalKeys && model.hidden.length === 0

  return (input, environment, where, wasRead) => {
    const issues: InputIssue[] = []
    const { values: given, raw } = readInput(input, model, issues)
    // An item that was read has all counters, as they were then. Some of them are a mistake.
    const isItem = wasRead && kept.every(({ name, from }) => from || Object.hasOwn(given, name))
    for (const { name, from } of kept) {
      if (getOwn(given, name) === undefined) continue
      if (isItem) delete given[name]
      else addIssue(issues, from ? IS_COMPUTED : IS_COUNTED, name)
    }
    const item: { [name: string]: AttributeValue } = {}
    // The keys come first in the item, and are known last.
    for (const name of keyAttributes(schema.primary)) item[name] = type
    item[typeField] = type
    const values: { [name: string]: unknown } = {}
    let version: number | undefined
    let now: number | undefined
    const fresh: string[] = []
    for (const attribute of attributes) {
      if (attribute.from) continue
      const { name, stored, codec, definition } = attribute
      let value = getOwn(given, name)
      let encoded: AttributeValue
      const from = issues.length
      if (attribute === model.version) {
        if (typeof value === 'number') version = value
        encoded = nextVersion(value, issues, name)
      } else if (attribute === updatedAt || (attribute === createdAt && value === undefined)) {
        // Once for both, so that a new item has them equal.
        now ??= environment.now()
        encoded = timestampValue(attribute, now)
      } else {
        if (value === undefined) {
          value = attribute.supply?.(environment)
          if (value === undefined) value = definition.onUpdate?.()
          // Those with a name are random, and none is made twice.
          if (typeof definition.generate === 'string') fresh.push(stored)
        }
        if (value === undefined) {
          if (definition.required || primary.names.includes(name)) {
            addIssue(issues, 'is missing', name)
          }
          continue
        }
        encoded = encodePart(codec.encode, value, name, issues, environment)
      }
      if (issues.length > from) continue
      if (schema.keyTypes.has(stored)) checkKey(schema, stored, encoded, issues, name)
      item[stored] = encoded
      values[name] = codec.decode(encoded)
    }
    for (const attribute of issues.length > 0 ? [] : computed) {
      const { name, stored, codec, definition } = attribute
      const encoded = computeValue(attribute, values, issues, environment)
      if (issues.length > 0) continue
      if (encoded) {
        if (schema.keyTypes.has(stored)) checkKey(schema, stored, encoded, issues, name)
        if (!codec.unstored) item[stored] = encoded
        values[name] = codec.decode(encoded)
      } else if (definition.required || primary.names.includes(name)) {
        addIssue(issues, `can't be computed without ${attribute.from!.join(', ')}`, name)
      }
    }
    if (issues.length > 0) refuseInput(issues, where)

    for (const { name, template, uses } of keys) {
      if (!uses.some((use) => isInIndex(use, values))) continue
      item[name] = { S: template.render(values)! }
      checkKey(schema, name, item[name], issues)
    }
    if (issues.length > 0) refuseInput(issues, where)
    for (const attribute of opaque) {
      const value = getOwn(item, attribute.stored)
      if (value) item[attribute.stored] = recode('encode', attribute, value, model, item)
    }
    // Key attributes given as they are stored must be what the item has, so that it can't be
    // written under the keys of another.
    for (const name in raw) {
      const { S, N } = getOwn(item, name) ?? {}
      if (raw[name] === (N === undefined ? S : Number(N))) continue
      addIssue(issues, `is not the value that its template gives, ${S ?? N}`, name)
    }
    if (issues.length > 0) refuseInput(issues, where, undefined, 'KEY_MISMATCH')
    return { item, output: outputIsValues ? values : decode(item, false), version, fresh }
  }
}

/** What is stored for the version the caller read, or for none. */
function nextVersion(value: unknown, issues: InputIssue[], name: string): AttributeValue {
  if (value === undefined) return { N: '1' }
  const next = typeof value === 'number' && value >= 0 ? value + 1 : Number.NaN
  if (Number.isSafeInteger(next)) return { N: String(next) }
  return addIssue(issues, 'is not a version, which is a whole number', name)
}
