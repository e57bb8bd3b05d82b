import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { NESTING_DEPTH_MAX } from '../values/limits.ts'
import { valueSizeBytes } from '../values/size.ts'
import { checkOptions, ELEMENT_OPTIONS } from './check-options.ts'
import { anyCodec } from './codecs/any-codec.ts'
import { binaryCodec } from './codecs/binary-codec.ts'
import { booleanCodec } from './codecs/boolean-codec.ts'
import { dateCodec } from './codecs/date-codec.ts'
import { listCodec } from './codecs/list-codec.ts'
import { type Member, mapCodec } from './codecs/map-codec.ts'
import { bigintCodec, decimalCodec, numberCodec } from './codecs/number-codec.ts'
import { setCodec } from './codecs/set-codec.ts'
import { textCodec } from './codecs/text-codec.ts'
import { addIssue, describeIssues } from './input-issues.ts'
import type { Codec, SchemaParams } from './model.ts'
import type { Place } from './place.ts'
import type { AttributeDefinition } from './schema-definition.ts'
import { checkOf } from './validator.ts'

/** Where a definition stands. */
export interface CodecPlace {
  readonly params: SchemaParams
  readonly at: Place
  /** Of the values in their item; that of an attribute itself is 1. */
  readonly depth: number
  /** The definitions it is in: one that contains itself has no end. */
  readonly path?: readonly AttributeDefinition[]
}

/** Types about which there is nothing more to say. */
const PLAIN_CODECS = new Map<unknown, Codec>([
  [Number, numberCodec],
  [Boolean, booleanCodec],
  [BigInt, bigintCodec],
  [Uint8Array, binaryCodec],
  ['decimal', decimalCodec],
])

const NULL = Object.freeze({ NULL: true as const })

/** The codec of everything a definition says about type and content of a value. Its examples are checked now. */
export function codecFor(definition: AttributeDefinition, place: CodecPlace): Codec {
  const codec = contentCodec(definition, place)
  const { examples = [] } = definition
  if (!Array.isArray(examples)) place.at.report('its examples are not a list', 'list values')
  else for (const each of examples) requireValue(codec, each, 'examples', place.at)
  return codec
}

function contentCodec(definition: AttributeDefinition, place: CodecPlace): Codec {
  const { type, enum: members, nulls, validate, maxBytes } = definition
  const { at } = place
  const typed = typedCodec(definition, place)
  if (validate instanceof RegExp && type !== String) {
    at.report('it is validated by a pattern and is no String', 'give a function')
  }
  const allowed = members && allowedTexts(typed, members, at)
  const check = validate && checkOf(validate)
  const encode: Codec['encode'] = (value, issues, writes) => {
    if (nulls && value === null) return NULL
    const before = issues.length
    const encoded = typed.encode(value, issues, writes)
    return issues.length > before || !allowed || allowed.has(encoded.S ?? encoded.N)
      ? encoded
      : addIssue(issues, `is not one of ${JSON.stringify(members).slice(1, -1)}`)
  }
  if (!nulls && !members && !validate && maxBytes === undefined) return typed
  return {
    ...typed,
    encode(value, issues, writes) {
      const before = issues.length
      let encoded = encode(value, issues, writes)
      // The rest is looked at when a value is stored, and not when it is compared with.
      if (!writes || issues.length > before || encoded.NULL) return encoded
      if (check) {
        // Validators get a copy of what is stored, so that the input is read once and can't be changed by them.
        const stored = typed.decode(encoded)
        const result = check(stored, issues)
        if (issues.length === before && result !== stored) encoded = encode(result, issues, true)
      }
      if (maxBytes === undefined || issues.length > before) return encoded
      const size = valueSizeBytes(encoded)
      return size > maxBytes
        ? addIssue(issues, `has ${size} bytes, more than the ${maxBytes} allowed`)
        : encoded
    },
    decode: (value, partial) => (nulls && value.NULL ? null : typed.decode(value, partial)),
  }
}

/** What makes the value of an attribute that is not given; a literal is checked now. */
export function supplyOf(
  { default: value }: AttributeDefinition,
  codec: Codec,
  at: Place,
): (() => unknown) | undefined {
  // A function is no literal of any type, so it can only be meant to be called.
  if (value === undefined || typeof value === 'function') return value as () => unknown
  requireValue(codec, value, 'default', at)
  return () => value
}

/** Reports a definition whose own value would be refused as input, and gives that as it is stored. */
export function requireValue(
  codec: Codec,
  value: unknown,
  option: string,
  at: Place,
): AttributeValue {
  const issues: InputIssue[] = []
  const encoded = codec.encode(value, issues, true)
  if (issues.length > 0) {
    at.report(`${option} ${describeIssues(issues).slice(0, -1)}`, `change the ${option}`)
  }
  return encoded
}

function allowedTexts(codec: Codec, members: readonly unknown[], at: Place): ReadonlySet<unknown> {
  if (
    !Array.isArray(members) ||
    members.length === 0 ||
    (codec.tag !== 'S' && codec !== numberCodec)
  ) {
    return at.refuse('its enum is empty, or not for a String or Number', 'list one value or more')
  }
  return new Set(
    members.map((member) => {
      const { S, N } = requireValue(codec, member, 'enum', at)
      return S ?? N
    }),
  )
}

function typedCodec(definition: AttributeDefinition, place: CodecPlace): Codec {
  const { type, items, schema } = definition
  const { params, at, depth } = place
  const path = [...(place.path ?? []), definition]
  const inner = (element: AttributeDefinition, part: string): Codec => {
    if (depth >= NESTING_DEPTH_MAX || path.includes(element)) {
      at.refuse(`it is nested deeper than ${NESTING_DEPTH_MAX} levels`, "use type 'any'")
    }
    const inside = at.at(part)
    checkOptions(element, ELEMENT_OPTIONS, inside)
    return codecFor(element, { params, at: inside, depth: depth + 1, path })
  }
  switch (type) {
    case String:
      return textCodec(definition.normalize)
    case Date:
      return dateCodec(definition.ttl ? 1000 : params.isoDates ? undefined : 1)
    case 'any':
      return anyCodec(depth)
    case Array:
      return items ? listCodec(inner(items, 'items')) : anyCodec(depth, 'L')
    case Set: {
      const element = inner(items ?? { type: String }, 'items')
      if (items?.nulls || items?.type === Date || !['S', 'N', 'B'].includes(element.tag ?? '')) {
        at.refuse(
          'DynamoDB has no sets of these items',
          'use String, Number, BigInt, Uint8Array, or an Array',
        )
      }
      return setCodec(element)
    }
    case Object: {
      if (!schema) return anyCodec(depth, 'M')
      const members = new Map<string, Member>()
      for (const [name, member] of Object.entries(schema)) {
        const part = `member "${name}"`
        at.attempt(() => {
          const codec = inner(member, part)
          const supply = supplyOf(member, codec, at.at(part))
          members.set(name, { codec, required: member.required === true, supply })
        })
      }
      return mapCodec(members)
    }
    default:
      return (
        PLAIN_CODECS.get(type) ??
        at.refuse(
          `its type is ${typeof type === 'string' ? `"${type}"` : 'not known'}`,
          "use String, Number, Boolean, Date, Array, Object, Set, Uint8Array, BigInt, 'decimal' or 'any'",
        )
      )
  }
}
