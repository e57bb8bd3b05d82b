import { DecodeError, EntityMismatchError } from '../errors/decode-error.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { anyCodec } from './codecs/any-codec.ts'
import { allKeyAttributes, keyFromItem, ownValue } from './index-keys.ts'
import { printPath } from './input-issues.ts'
import type { Codec, ModelParts } from './model.ts'
import { StoredValueProblem } from './stored-value-problem.ts'

/** An attribute as decoding needs it. */
interface Slot {
  readonly name: string
  readonly stored: string
  /** Its stored name is one that every object inherits something under. */
  readonly inherited: boolean
  readonly required: boolean
  readonly decode: Codec['decode']
}

/** Makes the function that gives the outputs of a model's items. */
export function createDecode(
  model: ModelParts,
): (item: Item, partial: boolean | readonly string[]) => Record<string, unknown> {
  const { name: modelName, schema, attributes, primary } = model
  const { typeField, cleanInternalKeys } = schema.params
  const slots: Slot[] = []
  for (const { name, stored, codec, definition } of attributes.values()) {
    if (definition.hidden) continue
    const required = definition.required === true || primary.names.includes(name)
    const inherited = stored in Object.prototype
    slots.push({ name, stored, inherited, required, decode: codec.decode })
  }
  const internals = [...allKeyAttributes(schema.indexes), typeField]
  const any = anyCodec(1)

  return (item, partial) => {
    const type = getOwn(item, typeField)
    if (type !== undefined && type.S !== modelName) refuseType(model, item, type)
    const output: Record<string, unknown> = {}
    let position = 0
    let problem: unknown
    try {
      for (; position < slots.length; position++) {
        const { name, stored, inherited, required, decode } = slots[position]!
        const value = inherited ? getOwn(item, stored) : item[stored]
        if (value !== undefined) output[name] = decode(value)
        else if (required && !partial) output[name] = fromKeys(model, item, name)
      }
    } catch (error) {
      problem = error
    }
    if (problem !== undefined) refuseItem(model, item, slots[position]!.name, problem)
    if (typeof partial === 'object') for (const name of partial) delete output[name]
    if (cleanInternalKeys) return output
    for (const name of internals) {
      const value = getOwn(item, name)
      if (value !== undefined && !Object.hasOwn(output, name)) output[name] = any.decode(value)
    }
    return output
  }
}

/** The value of an attribute that only the item's keys have: tables made by other means often leave it there. */
function fromKeys({ primary }: ModelParts, item: Item, name: string): unknown {
  for (const part of [...primary.hash, ...primary.sort]) {
    const text = getOwn(item, part.name)?.S
    const values = text === undefined ? undefined : part.template?.match(text)
    const value = values && ownValue(values, name)
    if (value !== undefined) return value
  }
  throw new StoredValueProblem('is missing')
}

function refuseType(model: ModelParts, item: Item, type: AttributeValue): never {
  throw new EntityMismatchError(
    'ENTITY_MISMATCH',
    {
      what: `The item ${printKey(model, item)} is ${type.S === undefined ? 'of no model' : `a "${type.S}"`}, not a "${model.name}".`,
      where: `model "${model.name}", attribute "${model.schema.params.typeField}"`,
      fix: 'read it as the model it belongs to, or correct the key',
    },
    keyFromItem(model.schema.primary, item),
  )
}

function refuseItem(model: ModelParts, item: Item, name: string, problem: unknown): never {
  if (!(problem instanceof StoredValueProblem)) throw problem
  throw new DecodeError(
    'DECODE_FAILED',
    {
      what: `The item ${printKey(model, item)} does not fit its model: "${printPath([name, ...problem.path])}" ${problem.message}.`,
      where: `model "${model.name}", attribute "${name}"`,
      fix: 'correct the stored item, or declare the attribute as it is stored',
    },
    keyFromItem(model.schema.primary, item),
  )
}

function printKey({ schema }: ModelParts, item: Item): string {
  return JSON.stringify(Object.values(keyFromItem(schema.primary, item)).map(({ S }) => S))
}
