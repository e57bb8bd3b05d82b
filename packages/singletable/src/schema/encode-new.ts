import type { InputIssue } from '../errors/input-error.ts'
import type { KeyTemplate } from '../template/key-template.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { addUnknown } from './encode-attribute.ts'
import type { Environment } from './environment.ts'
import { namedGenerator } from './generate.ts'
import { allKeyAttributes, isInIndex } from './index-keys.ts'
import { addIssue, placeIssues, refuseInput } from './input-issues.ts'
import { checkKeySize, keyBytesMax } from './key-text.ts'
import type { Attribute, Codec, DerivedKey, Model, ModelParts } from './model.ts'
import { timestampValue } from './timestamp.ts'

/** An attribute as encoding needs it. */
interface Slot {
  readonly attribute: Attribute
  readonly name: string
  readonly stored: string
  readonly encode: Codec['encode']
  readonly decode: Codec['decode']
  /** An item without it can't be. */
  readonly required: boolean
  readonly role: 'createdAt' | 'updatedAt' | 'version' | undefined
  /** The literal default, encoded; values are never changed, so all items can share it. */
  readonly preset: AttributeValue | undefined
  /** Makes a default or an id. */
  readonly supply: ((environment: Environment) => unknown) | undefined
  /** Where it is a key attribute as it is: the bytes it can have. */
  readonly keyBytesMax: number | undefined
}

interface RenderedKey {
  readonly name: string
  readonly template: KeyTemplate
  readonly bytesMax: number
}

/** Makes the function that gives new items of a model. Every member of the input is read once. */
export function createEncodeNew(model: ModelParts, decode: Model['decode']): Model['encodeNew'] {
  const { schema, primary, derived } = model
  const { typeField, cleanInternalKeys } = schema.params
  const slots = [...model.attributes.values()].map((attribute) => createSlot(model, attribute))
  const positions = new Map(slots.map(({ name }, position) => [name, position]))
  const rendered = (name: string, template: KeyTemplate): RenderedKey => {
    return { name, template, bytesMax: keyBytesMax(schema, name) }
  }
  const primaryKeys: RenderedKey[] = []
  for (const { name, template } of [...primary.hash, ...primary.sort]) {
    if (template) primaryKeys.push(rendered(name, template))
  }
  const derivedKeys = derived.map(({ name, template }) => rendered(name, template))
  const type: AttributeValue = Object.freeze({ S: model.name })
  const outputIsValues =
    cleanInternalKeys && !slots.some((slot) => slot.attribute.definition.hidden)

  return (input, environment, where) => {
    if (typeof input !== 'object' || input === null) {
      refuseInput([{ path: [], message: 'the input is no object' }], where)
    }
    const issues: InputIssue[] = []
    const given: unknown[] = new Array(slots.length)
    let raw: [string, unknown][] | undefined
    for (const name of Object.keys(input)) {
      // Names come from the object itself.
      const value = (input as { readonly [name: string]: unknown })[name]
      const position = positions.get(name)
      if (position !== undefined) given[position] = value
      else if (value === undefined) continue
      else if (schema.keyTypes.has(name) || name === typeField) {
        raw ??= []
        raw.push([name, value])
      } else addUnknown(issues, name, model)
    }

    const item: { [name: string]: AttributeValue } = {}
    // The keys come first in the item, and are known last.
    for (const { name } of primaryKeys) item[name] = type
    item[typeField] = type
    const values: { [name: string]: unknown } = {}
    let version: number | undefined
    let now = 0
    let stamp: AttributeValue | undefined
    let stampCodec: Codec | undefined
    for (let position = 0; position < slots.length; position++) {
      const slot = slots[position]!
      const { role } = slot
      let value = given[position]
      let encoded: AttributeValue | undefined
      const from = issues.length
      if (role === 'version') {
        encoded = nextVersion(value, issues)
        if (typeof value === 'number') version = value
      } else if (role === 'updatedAt' || (role === 'createdAt' && value === undefined)) {
        // Once for both, so that a new item has them equal.
        if (stamp === undefined) now = environment.now()
        if (stamp === undefined || stampCodec !== slot.attribute.codec) {
          stamp = timestampValue(slot.attribute, now)
          stampCodec = slot.attribute.codec
        }
        encoded = stamp
      } else {
        if (value === undefined) {
          if (slot.preset !== undefined) encoded = slot.preset
          else if (slot.supply !== undefined) value = slot.supply(environment)
        }
        if (value !== undefined) encoded = slot.encode(value, issues)
        else if (encoded === undefined) {
          if (slot.required) issues.push({ path: [slot.name], message: 'is missing' })
          continue
        }
      }
      if (issues.length > from) {
        placeIssues(issues, from, slot.name)
        continue
      }
      if (slot.keyBytesMax !== undefined) {
        checkKeySize(encoded!, slot.name, slot.keyBytesMax, issues)
      }
      item[slot.stored] = encoded!
      values[slot.name] = slot.decode(encoded!)
    }
    if (issues.length > 0) refuseInput(issues, where)

    for (const { name, template, bytesMax } of primaryKeys) {
      const value = { S: template.render(values)! }
      checkKeySize(value, name, bytesMax, issues)
      item[name] = value
    }
    for (let position = 0; position < derivedKeys.length; position++) {
      if (!isUsed(derived[position]!, values)) continue
      const { name, template, bytesMax } = derivedKeys[position]!
      const value = { S: template.render(values)! }
      checkKeySize(value, name, bytesMax, issues)
      item[name] = value
    }
    if (issues.length > 0) refuseInput(issues, where)
    if (raw !== undefined) checkRaw(raw, item, where)
    return { item, output: outputIsValues ? values : decode(item, false), version }
  }
}

/** Makes the function that gives the rendered key attributes outside the primary key. */
export function createDeriveKeys({ derived }: ModelParts): Model['deriveKeys'] {
  return (values) => {
    const keys: { [name: string]: string | undefined } = {}
    for (const key of derived) {
      keys[key.name] = isUsed(key, values) ? key.template.render(values) : undefined
    }
    return keys
  }
}

function isUsed({ uses }: DerivedKey, values: object): boolean {
  for (const use of uses) if (isInIndex(use, values)) return true
  return false
}

function createSlot(model: ModelParts, attribute: Attribute): Slot {
  const { name, stored, codec, definition } = attribute
  const { default: literal, generate } = definition
  const encode = codec.write ?? codec.encode
  const isFunction = typeof literal === 'function'
  const named = namedGenerator(generate)
  const own = generate ?? literal
  const keys = allKeyAttributes(model.schema.indexes)
  return {
    attribute,
    name,
    stored,
    encode,
    decode: codec.decode,
    required: definition.required === true || model.primary.names.includes(name),
    role:
      attribute === model.version
        ? 'version'
        : attribute === model.createdAt
          ? 'createdAt'
          : attribute === model.updatedAt
            ? 'updatedAt'
            : undefined,
    preset: literal === undefined || isFunction ? undefined : encode(literal, []),
    supply: named ?? (typeof own === 'function' ? () => own() : undefined),
    keyBytesMax: keys.has(stored) ? keyBytesMax(model.schema, stored) : undefined,
  }
}

/** What is stored for the version the caller read, or for none. */
function nextVersion(value: unknown, issues: InputIssue[]): AttributeValue {
  if (value === undefined) return { N: '1' }
  const next = typeof value === 'number' && value >= 0 ? value + 1 : Number.NaN
  if (Number.isSafeInteger(next)) return { N: String(next) }
  return addIssue(issues, 'is no version, which is a whole number')
}

/** Key attributes given as they are stored must be what the item has, so that it can't be written under the keys of another. */
function checkRaw(raw: readonly [string, unknown][], item: Item, where: string): void {
  const issues: InputIssue[] = []
  for (const [name, value] of raw) {
    const actual = getOwn(item, name)
    if (value === (actual?.S ?? (actual?.N === undefined ? undefined : Number(actual.N)))) continue
    issues.push({
      path: [name],
      message: `is not what the model makes of its attributes, ${JSON.stringify(actual?.S ?? actual?.N)}`,
    })
  }
  if (issues.length > 0) refuseInput(issues, where, 'KEY_MISMATCH')
}
