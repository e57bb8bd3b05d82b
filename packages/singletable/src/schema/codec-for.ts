import { notOneOf } from '../errors/did-you-mean.ts'
import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { NESTING_DEPTH_MAX } from '../values/limits.ts'
import { valueSizeBytes } from '../values/size.ts'
import {
  checkName,
  checkOptions,
  ELEMENT_OPTIONS,
  MEMBER_OPTIONS,
  requireObject,
} from './check-options.ts'
import { anyCodec } from './codecs/any-codec.ts'
import { binaryCodec } from './codecs/binary-codec.ts'
import { booleanCodec } from './codecs/boolean-codec.ts'
import { dateCodec } from './codecs/date-codec.ts'
import { listCodec } from './codecs/list-codec.ts'
import { mapCodec } from './codecs/map-codec.ts'
import { bigintCodec, decimalCodec, numberCodec } from './codecs/number-codec.ts'
import { recordCodec } from './codecs/record-codec.ts'
import { setCodec } from './codecs/set-codec.ts'
import { textCodec } from './codecs/text-codec.ts'
import { tupleCodec } from './codecs/tuple-codec.ts'
import { unionCodec } from './codecs/union-codec.ts'
import { namedGenerator } from './generate.ts'
import { addIssue, addWrongValue, describeIssues, withoutValues } from './input-issues.ts'
import type { Codec, Member, SchemaParams, Supply, WriteMode } from './model.ts'
import type { Place } from './place.ts'
import type {
  AttributeDefinition,
  ElementDefinition,
  MemberDefinition,
} from './schema-definition.ts'
import { checkOf, isStandard } from './validator.ts'

/** Where a definition is. */
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

/**
 * The codec of everything a definition says about type and content of a value. Its examples are
 * checked now.
 */
export function codecFor(definition: AttributeDefinition, place: CodecPlace): Codec {
  const codec = contentCodec(definition, place)
  const { examples = [] } = definition
  if (!Array.isArray(examples)) place.at.report('its examples are not a list', 'list values')
  else for (const each of examples) requireValue(codec, each, 'examples', place.at)
  return definition.hidden || definition.codec
    ? { ...codec, encode: withoutValues(codec.encode) }
    : codec
}

/** With values in its messages. */
function contentCodec(definition: AttributeDefinition, place: CodecPlace): Codec {
  const { type, const: constant, nulls, validate, maxBytes } = definition
  const { at } = place
  const typed = typedCodec(definition, place)
  if (validate instanceof RegExp && type !== String) {
    at.report(
      'validate is a regular expression, and the attribute is not a String',
      'give a function',
    )
  }
  if (constant !== undefined && (definition.enum || nulls || definition.default !== undefined)) {
    at.report(
      'it has const, and also an option that allows other values',
      'remove enum, nulls and default',
    )
  }
  const members = constant === undefined ? definition.enum : [constant]
  if (!nulls && !members && !validate && maxBytes === undefined) return typed
  const allowed = members && allowedValues(typed, members, at)
  const check = validate && checkOf(validate)
  // What takes anything is typed by its validator, which may also take what DynamoDB can't hold.
  const isTyped = type === 'any' && validate && isStandard(validate)
  const encode = (value: unknown, issues: InputIssue[], writes?: WriteMode): AttributeValue => {
    const before = issues.length
    const encoded = typed.encode(value, issues, writes)
    return issues.length > before || !allowed || allowed.has(plainValue(encoded))
      ? encoded
      : addWrongValue(issues, value, notOneOf(value, members))
  }
  const validated = (value: unknown, issues: InputIssue[], writes: WriteMode): AttributeValue => {
    const before = issues.length
    if (isTyped) {
      const result = check!(value, issues)
      return issues.length > before ? NULL : encode(result, issues, writes)
    }
    const encoded = encode(value, issues, writes)
    if (!check || issues.length > before) return encoded
    // Validators get a copy of what is stored, so that the input is read once and can't be changed
    // by them.
    const stored = typed.decode(encoded, false, true)
    const result = check(stored, issues)
    return issues.length === before && result !== stored ? encode(result, issues, writes) : encoded
  }
  return {
    ...typed,
    encode(value, issues, writes) {
      if (nulls && value === null) return NULL
      // Validators and sizes count when a value is stored, and not when it is compared with.
      if (!writes) return encode(value, issues)
      const before = issues.length
      const encoded = validated(value, issues, writes)
      if (maxBytes === undefined || issues.length > before) return encoded
      const size = valueSizeBytes(encoded)
      return size > maxBytes
        ? addIssue(issues, `has ${size} bytes, more than the ${maxBytes} allowed`)
        : encoded
    },
    decode: (value, partial, whole) =>
      nulls && value.NULL ? null : typed.decode(value, partial, whole),
  }
}

/** What makes the value of an attribute or a member that is not given; a literal is checked now. */
export function supplyOf(
  definition: MemberDefinition,
  codec: Codec,
  at: Place,
): Supply | undefined {
  const { type, default: value, generate, const: constant } = definition
  if (generate !== undefined) {
    if (value !== undefined || constant !== undefined) {
      at.report('it is generated, and also supplied in another way', 'choose one of them')
    }
    if (typeof generate === 'function') return () => generate()
    const named = namedGenerator(generate)
    if (!named) at.report(`there is no generator "${generate}"`, 'use ulid, uuid, uuid7, ksuid')
    else if (type !== String) {
      at.report('generated values are strings, and the attribute is not a String', 'use String')
    }
    return named
  }
  if (constant !== undefined) return () => constant
  // No type has functions as literals, so this function makes the value.
  if (typeof value === 'function') return () => value()
  if (value === undefined) return undefined
  requireValue(codec, value, 'default', at)
  return () => value
}

/**
 * Reports a definition whose own value would be refused as input, and gives that as it is stored.
 */
export function requireValue(
  codec: Codec,
  value: unknown,
  option: string,
  at: Place,
): AttributeValue {
  const issues: InputIssue[] = []
  const encoded = codec.encode(value, issues, true)
  if (issues.length > 0) {
    at.report(`${option} ${describeIssues(issues).slice(0, -1)}`, 'change it')
  }
  return encoded
}

function allowedValues(codec: Codec, members: readonly unknown[], at: Place): ReadonlySet<unknown> {
  const hasValues = Array.isArray(members) && members.length > 0
  const isConstant = codec === booleanCodec && members.length === 1
  if (!hasValues || (codec.tag !== 'S' && codec !== numberCodec && !isConstant)) {
    return at.refuse('its enum is empty, or not for a String or Number', 'list one value or more')
  }
  return new Set(members.map((member) => plainValue(requireValue(codec, member, 'enum', at))))
}

function plainValue({ S, N, BOOL }: AttributeValue): unknown {
  return S ?? N ?? BOOL
}

function typedCodec(definition: AttributeDefinition, place: CodecPlace): Codec {
  const { type, items, schema } = definition
  const { params, at, depth } = place
  const path = [...(place.path ?? []), definition]
  const inner = (
    element: ElementDefinition | MemberDefinition,
    part: string,
    options = ELEMENT_OPTIONS,
  ): Codec => {
    if (depth >= NESTING_DEPTH_MAX || path.includes(element)) {
      at.refuse(`it is nested deeper than ${NESTING_DEPTH_MAX} levels`, "use type 'any'")
    }
    const inside = at.at(part)
    checkOptions(element, options, inside)
    return codecFor(element, { params, at: inside, depth: depth + 1, path })
  }
  const membersOf = (
    definitions: { readonly [name: string]: MemberDefinition },
    taken: readonly string[] = [],
  ): Map<string, Member> => {
    const members = new Map<string, Member>()
    const names = new Set(taken)
    for (const [name, member] of Object.entries(definitions)) {
      const part = `member "${name}"`
      at.attempt(() => {
        const codec = inner(member, part, MEMBER_OPTIONS)
        const inside = at.at(part)
        const { map: stored = name, required = false, hidden = false, readonly = false } = member
        if (stored !== name) checkName(stored, inside)
        if (names.has(stored)) {
          inside.refuse(`two members are stored as "${stored}"`, 'give another map')
        }
        names.add(stored)
        const supply = supplyOf(member, codec, inside)
        members.set(name, { codec, stored, required, hidden, readonly, supply })
      })
    }
    return members
  }
  switch (type) {
    case String: {
      const { normalize } = definition
      if (![undefined, 'NFC', 'NFD', 'NFKC', 'NFKD'].includes(normalize)) {
        at.refuse(`there is no normalize "${normalize}"`, "use 'NFC', 'NFD', 'NFKC' or 'NFKD'")
      }
      return textCodec(normalize)
    }
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
    case Object:
      return schema ? mapCodec(membersOf(schema)) : anyCodec(depth, 'M')
    case 'record': {
      const { keys, values = at.refuse('it has no values', 'give values: { type: … }') } =
        definition
      if (keys === undefined) return recordCodec(inner(values, 'values'))
      if (!Array.isArray(keys) || keys.length === 0 || new Set(keys).size < keys.length) {
        at.refuse('its keys are not a list of different names', 'list them, or leave keys out')
      }
      return mapCodec(membersOf(Object.fromEntries(keys.map((name) => [name, values]))))
    }
    case 'tuple': {
      const { elements } = definition
      if (!Array.isArray(elements) || elements.length === 0) {
        at.refuse('it has no elements', 'give elements: a list with a definition for each position')
      }
      return tupleCodec(elements!.map((element, index) => inner(element, `element ${index}`)))
    }
    case 'union':
      return unionOf(definition, place, membersOf)
    default:
      return (
        PLAIN_CODECS.get(type) ??
        at.refuse(
          `its type is ${typeof type === 'string' ? `"${type}"` : 'not known'}`,
          wordOfOthers(type) ??
            "use String, Number, Boolean, Date, Array, Object, Set, Uint8Array, BigInt, 'decimal', 'record', 'tuple', 'union' or 'any'",
        )
      )
  }
}

/** Other libraries name types by strings. */
function wordOfOthers(type: unknown): string | undefined {
  const name = String(type).replace(/^./, (first) => first.toUpperCase())
  const isKnown = /^(String|Number|Boolean|Date|Array|Object|Set)$/.test(name)
  return isKnown ? `write type: ${name}, without quotes` : undefined
}

/**
 * Members that several variants have must be of one type, so that a condition on them has one
 * meaning.
 */
function unionOf(
  { discriminator, variants }: AttributeDefinition,
  { at }: CodecPlace,
  membersOf: (
    definitions: { readonly [name: string]: MemberDefinition },
    taken: readonly string[],
  ) => Map<string, Member>,
): Codec {
  if (typeof discriminator !== 'string') {
    return at.refuse(
      'it has no discriminator',
      "name the member that distinguishes the variants, as in 'kind'",
    )
  }
  checkName(discriminator, at)
  const codecs = new Map<string, ReadonlyMap<string, Member>>()
  const known = new Map<string, MemberDefinition & { readonly variant: string }>()
  const all = Object.entries(requireObject(variants, at.at('variants')))
  if (all.length === 0) at.refuse('it has no variants', 'give one or more')
  for (const [variant, definitions] of all) {
    const inside = at.at(`variant "${variant}"`)
    requireObject(definitions, inside)
    if (Object.hasOwn(definitions, discriminator)) {
      inside.refuse(`"${discriminator}" is the discriminator`, 'remove it from the variant')
    }
    for (const [name, member] of Object.entries<MemberDefinition>(definitions)) {
      const other = known.get(name)
      if (other && (other.type !== member?.type || other.map !== member.map)) {
        inside.report(
          `"${name}" is of another type, or stored under another name, than in "${other.variant}"`,
          'use one type and name in all variants, or rename the member',
        )
      }
      known.set(name, { ...member, variant })
    }
    const own: Member = {
      stored: discriminator,
      codec: codecFor({ type: String, const: variant }, { at: inside, depth: 1 } as CodecPlace),
      required: true,
      hidden: false,
      readonly: false,
      supply: undefined,
    }
    const members = membersOf(definitions, [discriminator])
    codecs.set(variant, new Map([[discriminator, own], ...members]))
  }
  return unionCodec(discriminator, codecs)
}
