import {
  type Attribute,
  type AttributeDefinition,
  type KeyPart,
  type Model,
  NESTING_DEPTH_MAX,
} from 'singletable/tools'

/** Sizes that are taken where nothing is said; those of fixed form are exact. */
const TEXT_BYTES = 24
const LONG_TEXT_BYTES = 200
export const ID_BYTES: { readonly [generator: string]: number } = {
  ulid: 26,
  uuid: 36,
  uuid7: 36,
  ksuid: 27,
}
export const ISO_BYTES = 24
const NUMBER_BYTES = 4
const EPOCH_BYTES = 8
export const ELEMENTS = 3

/** Attributes that are likely to be long by their names. */
const LONG_NAMES = /body|content|text|description|comment|note|message/i

/**
 * The stored names of the attributes that make an item larger than its types say: long strings, or
 * else all strings, lists and maps that are in no key; of an item without those, all attributes.
 */
export function elasticNames(model: Model): ReadonlySet<string> {
  const free = [...model.attributes.values()].filter(
    ({ name, definition }) =>
      !model.indexes.some(({ names }) => names.includes(name)) &&
      definition.enum === undefined &&
      definition.generate === undefined &&
      ![Number, Boolean, Date, BigInt, 'decimal'].some((type) => type === definition.type),
  )
  const long = free.filter(({ name }) => LONG_NAMES.test(name))
  const chosen = [long, free, [...model.attributes.values()]].find((list) => list.length > 0)
  return new Set(chosen?.map(({ stored }) => stored))
}

/** An estimate of what each stored attribute of an item takes, name and value, from the types
 * alone. By stored name. */
export function estimateBytes(model: Model): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>()
  const add = (name: string, value: number): void =>
    void bytes.set(name, Buffer.byteLength(name) + Math.ceil(value))
  for (const attribute of model.attributes.values()) {
    if (!attribute.codec.unstored) add(attribute.stored, valueBytes(model, attribute))
  }
  for (const { hash, sort } of model.indexes) {
    for (const part of [...hash, ...sort]) {
      if (part.template) add(part.name, templateBytes(model, part))
    }
  }
  add(model.schema.params.typeField, Buffer.byteLength(model.type))
  return bytes
}

function valueBytes(model: Model, { definition, name, codec }: Attribute): number {
  const { generate, ttl } = definition
  if (typeof generate === 'string') return ID_BYTES[generate] ?? TEXT_BYTES
  if (definition.type === Date) {
    return codec.tag === 'N' ? (ttl ? EPOCH_BYTES - 2 : EPOCH_BYTES) : ISO_BYTES
  }
  const isInKey = model.indexes.some(({ names }) => names.includes(name))
  return typeBytes(definition, name, isInKey, 0)
}

type Typed = Pick<
  AttributeDefinition,
  | 'type'
  | 'enum'
  | 'const'
  | 'items'
  | 'schema'
  | 'maxBytes'
  | 'keys'
  | 'values'
  | 'elements'
  | 'discriminator'
  | 'variants'
>

function typeBytes(definition: Typed, name: string, isInKey: boolean, level: number): number {
  const { type, items, schema, maxBytes } = definition
  const choices = definition.const === undefined ? definition.enum : [definition.const]
  if (choices && choices.length > 0) {
    const lengths = choices.map((each) => Buffer.byteLength(String(each)))
    return lengths.reduce((sum, each) => sum + each, 0) / lengths.length
  }
  if (level > NESTING_DEPTH_MAX) return 1
  const inner = (each: Typed, named: string): number => typeBytes(each, named, false, level + 1)
  const membersBytes = (members: { readonly [name: string]: Typed } = {}): number =>
    Object.entries(members).reduce(
      (sum, [member, each]) => sum + 1 + Buffer.byteLength(member) + inner(each, member),
      3,
    )
  switch (type) {
    case Number:
    case BigInt:
      return NUMBER_BYTES
    case 'decimal':
      return NUMBER_BYTES
    case Boolean:
      return 1
    case Date:
      return ISO_BYTES
    case Array:
      return 3 + ELEMENTS * (1 + inner(items ?? { type: String }, name))
    case Set:
      return ELEMENTS * inner(items ?? { type: String }, name)
    case Object:
      return membersBytes(schema)
    case 'record': {
      const { values = { type: String }, keys = Array.from({ length: ELEMENTS }, () => name) } =
        definition
      return 3 + keys.reduce((sum, key) => sum + 1 + Buffer.byteLength(key) + inner(values, key), 0)
    }
    case 'tuple':
      return (definition.elements ?? []).reduce((sum, each) => sum + 1 + inner(each, name), 3)
    case 'union': {
      const sizes = Object.entries(definition.variants ?? {}).map(
        ([variant, members]) =>
          Buffer.byteLength(`${definition.discriminator}${variant}`) + 1 + membersBytes(members),
      )
      return sizes.reduce((sum, each) => sum + each, 0) / Math.max(1, sizes.length)
    }
    default: {
      const isLong = !isInKey && LONG_NAMES.test(name)
      return Math.min(isLong ? LONG_TEXT_BYTES : TEXT_BYTES, maxBytes ?? LONG_TEXT_BYTES)
    }
  }
}

/** The length of a rendered key: its literals, and the values in it. */
function templateBytes(model: Model, { template }: KeyPart): number {
  return (template?.parts ?? []).reduce((sum, part) => {
    if (typeof part === 'string') return sum + Buffer.byteLength(part)
    if (part.count !== undefined) return sum + String(part.count - 1).length
    if (part.unit !== undefined) return sum + (UNIT_BYTES[part.unit] ?? ISO_BYTES)
    if (part.width !== undefined) return sum + part.width
    const attribute = model.attributes.get(part.name)
    if (attribute === undefined) return sum + TEXT_BYTES
    // Numbers and times are in keys as text of fixed width.
    if (attribute.definition.type === Number) return sum + 16
    if (attribute.definition.type === Boolean) return sum + 5
    if (attribute.definition.type === Date) return sum + ISO_BYTES
    return sum + valueBytes(model, attribute)
  }, 0)
}

export const UNIT_BYTES: { readonly [unit: string]: number } = {
  year: 4,
  month: 7,
  day: 10,
  hour: 13,
  minute: 16,
  time: 8,
}
