import type { InputIssue } from '../errors/input-error.ts'
import { NESTING_DEPTH_MAX } from '../values/limits.ts'
import { valueSizeBytes } from '../values/size.ts'
import { checkOptions, ELEMENT_OPTIONS } from './check-options.ts'
import { anyCodec, anyListCodec, anyMapCodec } from './codecs/any-codec.ts'
import { binaryCodec } from './codecs/binary-codec.ts'
import { booleanCodec } from './codecs/boolean-codec.ts'
import { isoDateCodec, millisecondsCodec, secondsCodec } from './codecs/date-codec.ts'
import { listCodec } from './codecs/list-codec.ts'
import { type Member, mapCodec } from './codecs/map-codec.ts'
import { bigintCodec, decimalCodec, numberCodec } from './codecs/number-codec.ts'
import { setCodec } from './codecs/set-codec.ts'
import { textCodec } from './codecs/text-codec.ts'
import { addIssue, describeIssues } from './input-issues.ts'
import type { Codec, SchemaParams } from './model.ts'
import { refuseSchema } from './refuse-schema.ts'
import type { AttributeDefinition } from './schema-definition.ts'
import { checkOf } from './validator.ts'

/** Where a definition stands. */
export interface CodecPlace {
  readonly params: SchemaParams
  /** For messages. */
  readonly where: string
  /** Of the values in their item; that of an attribute itself is 1. */
  readonly depth: number
}

const NULL = Object.freeze({ NULL: true as const })

/** The codec of everything a definition says about type and content of a value. */
export function codecFor(definition: AttributeDefinition, place: CodecPlace): Codec {
  const typed = typedCodec(definition, place)
  const limited = definition.enum === undefined ? typed : enumCodec(typed, definition.enum, place)
  const nullable = definition.nulls ? nullableCodec(limited) : limited
  return checkedCodec(nullable, definition, place)
}

/** The value of `default`, checked now if it is a literal. */
export function supplyOf(
  { default: value }: AttributeDefinition,
  codec: Codec,
  where: string,
): (() => unknown) | undefined {
  if (value === undefined) return undefined
  // A function that is no literal of any type can only be meant to be called.
  if (typeof value === 'function') return value as () => unknown
  requireValue(codec, value, 'default', where)
  return () => value
}

/** Refuses a definition whose own value would be refused as input. */
export function requireValue(codec: Codec, value: unknown, option: string, where: string): void {
  const issues: InputIssue[] = []
  ;(codec.write ?? codec.encode)(value, issues)
  if (issues.length > 0) {
    refuseSchema(where, `${option} ${describeIssues(issues).slice(0, -1)}`, `change the ${option}`)
  }
}

function typedCodec(definition: AttributeDefinition, place: CodecPlace): Codec {
  const { type, items, schema } = definition
  const { params, where, depth } = place
  switch (type) {
    case String:
      return textCodec(definition.normalize)
    case Number:
      return numberCodec
    case Boolean:
      return booleanCodec
    case Date:
      return definition.ttl ? secondsCodec : params.isoDates ? isoDateCodec : millisecondsCodec
    case BigInt:
      return bigintCodec
    case Uint8Array:
      return binaryCodec
    case 'decimal':
      return decimalCodec
    case 'any':
      return anyCodec(depth)
    case Array:
      return items === undefined ? anyListCodec(depth) : listCodec(inner(items, place, 'items'))
    case Set:
      return setCodec(setElement(items ?? { type: String }, place))
    case Object:
      return schema === undefined ? anyMapCodec(depth) : mapCodec(membersOf(schema, place))
    default:
      return refuseSchema(
        where,
        `its type is ${typeof type === 'string' ? `"${type}"` : 'not known'}`,
        "use String, Number, Boolean, Date, Array, Object, Set, Uint8Array, BigInt, 'decimal' or 'any'",
      )
  }
}

/** A definition can contain itself, so its depth is what ends the way down. */
function inner(definition: AttributeDefinition, place: CodecPlace, part: string): Codec {
  const { params, depth } = place
  const where = `${place.where}, ${part}`
  if (depth >= NESTING_DEPTH_MAX) {
    refuseSchema(
      place.where,
      `it is nested deeper than ${NESTING_DEPTH_MAX} levels`,
      "use type 'any'",
    )
  }
  checkOptions(definition, ELEMENT_OPTIONS, where)
  return codecFor(definition, { params, where, depth: depth + 1 })
}

function setElement(items: AttributeDefinition, place: CodecPlace): Codec {
  const codec = inner(items, place, 'items')
  const { type } = items
  if (items.nulls || type === Date || !['S', 'N', 'B'].includes(codec.tag ?? '')) {
    refuseSchema(
      place.where,
      'DynamoDB has no sets of these items',
      'use String, Number, BigInt or Uint8Array without nulls, or an Array',
    )
  }
  return codec
}

function membersOf(
  schema: { readonly [name: string]: AttributeDefinition },
  place: CodecPlace,
): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>()
  for (const [name, definition] of Object.entries(schema)) {
    const codec = inner(definition, place, `member "${name}"`)
    const supply = supplyOf(definition, codec, `${place.where}, member "${name}"`)
    members.set(name, { codec, required: definition.required === true, supply })
  }
  return members
}

function enumCodec(codec: Codec, members: readonly unknown[], { where }: CodecPlace): Codec {
  const isText = codec.tag === 'S'
  if (!Array.isArray(members) || members.length === 0 || (!isText && codec !== numberCodec)) {
    refuseSchema(
      where,
      'its enum is empty, or is not one of strings or numbers',
      'list one value or more, for String or Number',
    )
  }
  const allowed = new Set<unknown>()
  for (const member of members) {
    requireValue(codec, member, 'enum', where)
    const { S, N } = codec.encode(member, [])
    allowed.add(S ?? N)
  }
  const message = `is not one of ${members.map((member) => JSON.stringify(member)).join(', ')}`
  return {
    ...codec,
    encode(value, issues) {
      const before = issues.length
      const encoded = codec.encode(value, issues)
      if (allowed.has(encoded.S ?? encoded.N) || issues.length > before) return encoded
      return addIssue(issues, message)
    },
  }
}

function nullableCodec(codec: Codec): Codec {
  const { encode, write, decode } = codec
  return {
    ...codec,
    encode: (value, issues) => (value === null ? NULL : encode(value, issues)),
    write: write && ((value, issues) => (value === null ? NULL : write(value, issues))),
    decode: (value) => (value.NULL ? null : decode(value)),
  }
}

/** Adds what is looked at when a value is stored, and not when it is compared with. */
function checkedCodec(
  codec: Codec,
  { type, validate, maxBytes }: AttributeDefinition,
  { where }: CodecPlace,
): Codec {
  if (validate === undefined && maxBytes === undefined) return codec
  if (validate instanceof RegExp && type !== String) {
    refuseSchema(where, 'it is validated by a pattern and is no String', 'give a function')
  }
  if (maxBytes !== undefined && !(Number.isInteger(maxBytes) && maxBytes > 0)) {
    refuseSchema(
      where,
      'its maxBytes is no whole number above 0',
      'give the greatest size in bytes',
    )
  }
  const encode = codec.write ?? codec.encode
  const check = validate && checkOf(validate)
  return {
    ...codec,
    write(value, issues) {
      const before = issues.length
      let encoded = encode(value, issues)
      if (issues.length > before || encoded.NULL) return encoded
      if (check !== undefined) {
        // Validators get a copy of what is stored, so that the input is read once and can't be changed by them.
        const stored = codec.decode(encoded)
        const result = check(stored, issues)
        if (issues.length === before && result !== stored) encoded = encode(result, issues)
        if (issues.length > before) return encoded
      }
      if (maxBytes !== undefined) {
        const size = valueSizeBytes(encoded)
        if (size > maxBytes)
          addIssue(issues, `has ${size} bytes, more than the ${maxBytes} allowed`)
      }
      return encoded
    },
  }
}
