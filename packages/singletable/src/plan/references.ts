import { LIST_INDEX_MAX } from '../expression/limits.ts'
import type { Codec, KeyPart, Model } from '../schema/model.ts'
import { setOwn } from '../values/own.ts'
import type { Reference, SizeReference } from './reference.ts'
import { refuseInput } from './refuse-input.ts'

/** An attribute that was asked for and does not exist: told by the operator that gets it, which knows the call. */
interface Unknown {
  readonly kind: 'unknown'
  readonly name: string
  readonly known: readonly string[]
}

/**
 * What was handed out to callbacks. Only membership here makes something a reference: data from outside that looks like one stays data, and
 * can't make a condition compare with another attribute.
 */
const handedOut = new WeakMap<object, Reference | SizeReference | Unknown>()

const referencesByModel = new WeakMap<Model, object>()

/**
 * The `attr` of callbacks: a member for each attribute of the model, and for each key attribute it fills. Members of lists and maps are
 * reached as in JavaScript: `attr.address.city`, `attr.tags[0]`.
 */
export function referencesOf(model: Model): object {
  let references = referencesByModel.get(model)
  if (references === undefined) {
    references = createReferences(model)
    referencesByModel.set(model, references)
  }
  return references
}

/** The reference that stands behind what a callback was given; `undefined` for anything else. Throws for an attribute that does not exist. */
export function toOperand(value: unknown, place: string): Reference | SizeReference | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = handedOut.get(value)
  if (found?.kind !== 'unknown') return found
  return refuseInput(
    [{ path: [found.name], message: 'is no attribute' }],
    place,
    found.known.length === 0 ? 'name an attribute of it' : `use one of ${found.known.join(', ')}`,
  )
}

/** As `toOperand`, for places where a size makes no sense. */
export function toReference(value: unknown, place = 'attr'): Reference | undefined {
  const operand = toOperand(value, place)
  return operand?.kind === 'reference' ? operand : undefined
}

export function handOut<T extends Reference | SizeReference>(value: T): T {
  handedOut.set(value, value)
  return value
}

function createReferences(model: Model): object {
  const names: string[] = []
  const references: { [name: string]: object } = Object.create(unknownMembers('', names))
  const add = (name: string, stored: string, codec: Codec): void => {
    if (Object.hasOwn(references, name)) return
    names.push(name)
    setOwn(references, name, createReference({ kind: 'reference', name, path: [stored], codec }))
  }
  for (const { name, stored, codec } of model.attributes.values()) add(name, stored, codec)
  for (const attribute of [model.createdAt, model.updatedAt]) {
    if (attribute !== undefined) add(attribute.name, attribute.stored, attribute.codec)
  }
  for (const { hash, sort } of model.indexes) {
    for (const part of [...hash, ...sort]) add(part.name, part.name, keyCodec(part))
  }
  return Object.freeze(references)
}

/**
 * The prototype of an object whose members are attributes: only names that the object does not have come here, so it costs nothing where
 * names are right.
 */
function unknownMembers(prefix: string, known: readonly string[]): object {
  return new Proxy(Object.freeze(Object.create(null)), {
    get: (_, name) => (typeof name === 'string' ? unknown(prefix + name, known) : undefined),
  })
}

function unknown(name: string, known: readonly string[]): Unknown {
  const marker: Unknown = Object.freeze({ kind: 'unknown', name, known })
  handedOut.set(marker, marker)
  return marker
}

function createReference(reference: Reference): object {
  const { codec } = reference
  handOut(Object.freeze(reference))
  if (codec.tag !== undefined && codec.tag !== 'L' && codec.tag !== 'M') return reference
  const nested = new Proxy(Object.freeze(Object.create(null)), {
    get: (_, name) => (typeof name === 'string' ? createMember(reference, name) : undefined),
  })
  handedOut.set(nested, reference)
  return nested
}

function createMember(reference: Reference, member: string): object {
  const { name, path, codec } = reference
  const isPosition = codec.tag !== 'M' && /^\d{1,10}$/.test(member)
  if (isPosition ? Number(member) > LIST_INDEX_MAX : codec.tag === 'L') {
    return unknown(`${name}[${member}]`, [])
  }
  const memberCodec = codec.members === undefined ? elementCodec(codec) : codec.members.get(member)
  const memberName = isPosition ? `${name}[${member}]` : `${name}.${member}`
  if (memberCodec === undefined) return unknown(memberName, [...(codec.members?.keys() ?? [])])
  return createReference({
    kind: 'reference',
    name: memberName,
    path: [...path, isPosition ? Number(member) : member],
    codec: memberCodec,
  })
}

/** Of what stands in a list, a set or an undeclared map; what may be anything has elements that may be anything. */
export function elementCodec(codec: Codec): Codec {
  return codec.element ?? codec
}

/** A key attribute as it is stored: text that a template made, or an attribute of the model. */
function keyCodec(part: KeyPart): Codec {
  return part.attribute?.codec ?? KEY_TEXT
}

const KEY_TEXT: Codec = {
  tag: 'S',
  encode(value, issues) {
    if (typeof value === 'string' && value !== '') return { S: value }
    issues.push({ path: [], message: 'is a key attribute and needs text that is not empty' })
    return { S: '' }
  },
  decode: (value) => value.S,
}
