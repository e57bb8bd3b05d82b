import { getOwn, type SchemaDefinition, setOwn } from 'singletable/tools'

/**
 * A schema as JSON: types by their names, and a note where the schema has code, such as a
 * validator. It has everything about keys and stored items, so that a schema can be compared with
 * one whose source is not at hand.
 */
export type DefinitionData = { readonly [name: string]: unknown }

/** Types that are constructors, by name. */
const TYPES = new Map<string, unknown>(
  Object.entries({ String, Number, Boolean, Date, Array, Object, Set, Uint8Array, BigInt }),
)
const TYPE_NAMES = new Map([...TYPES].map(([name, type]) => [type, name]))

/** The member of the object that stands for what JSON can't hold. */
const CODE = '$code'
/** Deeper than values can be nested; a deeper schema can't be used. */
const DEPTH_MAX = 100

export function definitionData(definition: SchemaDefinition): DefinitionData {
  // An object is printed as one.
  return printed(definition, 0) as DefinitionData
}

function printed(value: unknown, depth: number): unknown {
  if (typeof value === 'function') return TYPE_NAMES.get(value) ?? { [CODE]: 'function' }
  if (value instanceof RegExp) return { [CODE]: String(value) }
  if (typeof value === 'bigint' || typeof value === 'symbol') return { [CODE]: typeof value }
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEPTH_MAX || !isPlain(value)) return { [CODE]: 'object' }
  if (Array.isArray(value)) return value.map((each) => printed(each, depth + 1))
  const copy: { [name: string]: unknown } = {}
  for (const [name, member] of Object.entries(value)) setOwn(copy, name, printed(member, depth + 1))
  return copy
}

/** Dates, sets, codecs and schemas of validation libraries are more than their members. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === null || prototype === Object.prototype) && !('~standard' in value)
}

/**
 * The schema again. Code in it is what `source` has in the same place; without that it does
 * nothing, so that the schema can be read and compared, and codecs refuse to work.
 */
export function readDefinitionData(data: DefinitionData, source?: unknown): SchemaDefinition {
  // Whether it is a schema is for the compilation to say.
  return eachMember(withCode(data, source), (name, member) => {
    return name === 'models' ? eachMember(member, (_, model) => restoredModel(model)) : member
  }) as SchemaDefinition
}

function restoredModel(model: unknown): unknown {
  return eachMember(model, (name, member) => {
    // A copy has keys as a model has them.
    if (name === 'copies') return eachMember(member, (_, copy) => restoredModel(copy))
    if (!MEMBERS_WITH_TYPES.includes(name)) return member
    return eachMember(member, (_, attribute) => restoredAttribute(attribute, 0))
  })
}

/** Everywhere else a text such as "String" is just that. */
const MEMBERS_WITH_TYPES = ['key', 'index', 'attributes']
const CODEC = { encode: refuse, decode: refuse }

function refuse(): never {
  throw new Error('its codec is code, which this copy of the schema does not have')
}

/** Members that are noted as code, taken from where the code is. */
function withCode(data: unknown, source: unknown): unknown {
  if (!isRecord(data) || source === undefined) return data
  if (typeof getOwn(data, CODE) === 'string') return source
  return eachMember(data, (name, member) =>
    withCode(member, isRecord(source) ? getOwn(source, name) : undefined),
  )
}

function restoredAttribute(attribute: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) return attribute
  return eachMember(attribute, (name, member) => {
    if (name === 'type') return TYPES.get(String(member)) ?? member
    const restored = (each: unknown): unknown => restoredAttribute(each, depth + 1)
    if (name === 'items' || name === 'values') return restored(member)
    if (name === 'elements' && Array.isArray(member)) return member.map(restored)
    if (name === 'schema') return eachMember(member, (_, each) => restored(each))
    if (name === 'variants') {
      return eachMember(member, (_, variant) => eachMember(variant, (_, each) => restored(each)))
    }
    if (!isRecord(member) || typeof getOwn(member, CODE) !== 'string') return member
    return name === 'codec' ? CODEC : () => undefined
  })
}

function eachMember(value: unknown, change: (name: string, member: unknown) => unknown): unknown {
  if (!isRecord(value)) return value
  const copy: { [name: string]: unknown } = {}
  for (const [name, member] of Object.entries(value)) setOwn(copy, name, change(name, member))
  return copy
}

function isRecord(value: unknown): value is DefinitionData {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
