import { DecodeError, EntityMismatchError } from '../errors/decode-error.ts'
import { joinTimes } from '../template/time-bucket.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { recode } from './attribute-codec.ts'
import { anyCodec } from './codecs/any-codec.ts'
import { valueIn } from './computed.ts'
import { keyFromItem, ownValue, primaryTemplates, typeIn } from './index-keys.ts'
import { printPath } from './input-issues.ts'
import type { Model, ModelParts } from './model.ts'
import { StoredValueProblem } from './stored-value-problem.ts'

/** Makes the function that gives the outputs of a model's items. */
export function createDecode(model: ModelParts): Model['decode'] {
  const { schema, primary } = model
  const { typeField, cleanInternalKeys } = schema.params
  const attributes = [...model.attributes.values()]
    .filter(({ definition }) => !definition.hidden)
    .map((attribute) => {
      const { name, stored, codec, definition } = attribute
      const required = definition.required === true || primary.names.includes(name)
      return {
        name,
        stored,
        decode: codec.decode,
        required,
        opaque: codec.opaque && attribute,
        unstored: codec.unstored && attribute,
      }
    })
  const any = anyCodec(1)

  const describe = (item: Item, attribute: string, what: string, fix: string) => {
    const key = keyFromItem(schema.primary, item)
    const values = Object.values(key).map(({ S, N, B }) => S ?? N ?? B)
    return [
      {
        what: `The item ${JSON.stringify(values)} ${what}.`,
        where: `model "${model.name}", attribute "${attribute}"`,
        fix,
      },
      key,
    ] as const
  }

  return (item, partial, keyed = item) => {
    const type = typeIn(item, schema.params)
    if (type !== undefined && type.S !== model.type) {
      throw new EntityMismatchError(
        'ENTITY_MISMATCH',
        ...describe(
          item,
          typeField,
          `is ${type.S === undefined ? 'of no model' : `a "${type.S}"`}, not a "${model.type}"`,
          'read it as the model it belongs to, or correct the key',
        ),
      )
    }
    const output: Record<string, unknown> = {}
    let current = ''
    try {
      for (const { name, stored, decode, required, opaque, unstored } of attributes) {
        current = name
        // What nobody asked for may be computed from what was not read.
        if (unstored && typeof partial === 'object' && partial.includes(name)) continue
        const value = unstored ? valueIn(model, unstored, item) : item[stored]
        // Inherited members such as toString are functions, not objects.
        if (typeof value === 'object') {
          const plain = opaque ? recode('decode', opaque, value, model, keyed) : value
          output[name] = decode(plain, partial !== false)
        } else if (required && !partial) output[name] = fromKeys(model, item, name)
      }
    } catch (error) {
      if (!(error instanceof StoredValueProblem)) throw error
      const path = printPath([current, ...error.path])
      throw new DecodeError(
        'DECODE_FAILED',
        ...describe(
          item,
          current,
          `does not fit its model: "${path}" ${error.message}`,
          'correct the item, or declare the attribute as it is stored',
        ),
      )
    }
    if (typeof partial === 'object') for (const name of partial) delete output[name]
    if (cleanInternalKeys) return output
    for (const name of [...schema.keyTypes.keys(), typeField]) {
      const value = getOwn(item, name)
      if (value !== undefined && !Object.hasOwn(output, name)) output[name] = any.decode(value)
    }
    return output
  }
}

function refuseMissing(): never {
  throw new StoredValueProblem('is missing')
}

/**
 * The value of an attribute that only the item's keys have: tables made by other means often leave
 * it there.
 */
function fromKeys({ primary }: ModelParts, item: Item, name: string): unknown {
  let found: unknown
  for (const { name: key, template } of primaryTemplates(primary)) {
    const value = ownValue(template.match(getOwn(item, key)?.S ?? '') ?? {}, name)
    const isClock = template.parts.some(
      (part) => typeof part === 'object' && part.name === name && part.unit === 'time',
    )
    // A bucket of time has the day of a time of day in the sort key.
    found = found !== undefined && isClock ? joinTimes(found, value) : (found ?? value)
  }
  return found ?? refuseMissing()
}
