import { didYouMean } from '../errors/did-you-mean.ts'
import { LIST_INDEX_MAX } from '../expression/limits.ts'
import { addIssue, refuseInput } from '../schema/input-issues.ts'
import type { Codec, Model } from '../schema/model.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { setOwn } from '../values/own.ts'
import type { Reference } from './reference.ts'

/**
 * An attribute that was asked for and does not exist: reported by the operator that gets it, which
 * knows the call.
 */
interface Unknown {
  readonly name: string
  readonly known: readonly string[]
  /** The model that was asked. */
  readonly entity: string
}

/**
 * What callbacks were given. Only membership here makes something a reference: data from outside
 * that looks like one stays data, and can't make a condition compare with another attribute.
 */
const operands = new WeakMap<object, Reference | Unknown>()

const referencesByModel = new WeakMap<Model, object>()

/**
 * The `attr` of callbacks: a member for each attribute of the model, and for each key attribute it
 * fills. Members of lists and maps are reached as in JavaScript: `attr.address.city`,
 * `attr.tags[0]`.
 */
export function referencesOf(model: Model): object {
  let references = referencesByModel.get(model)
  if (references === undefined) {
    references = createReferences(model)
    referencesByModel.set(model, references)
  }
  return references
}

/**
 * The reference that belongs to what a callback was given; `undefined` for anything else. Throws
 * for an attribute that does not exist.
 */
export function toOperand(value: unknown, place: string): Reference | undefined {
  // Only objects are keys of this WeakMap.
  const found = operands.get(value as object)
  if (found === undefined || 'codec' in found) return found
  const { name, known, entity } = found
  return refuseInput(
    [{ path: [name], message: `is not an attribute${didYouMean(name, known)}` }],
    place.startsWith('op') ? `entity "${entity}", ${place}` : place,
    known.length === 0 ? 'name an attribute of it' : `use one of ${known.join(', ')}`,
  )
}

/** As `toOperand`, for places where a size makes no sense. */
export function toReference(value: unknown, place = 'attr'): Reference | undefined {
  const operand = toOperand(value, place)
  return operand?.kind === 'reference' ? operand : undefined
}

export function registerOperand<T extends Reference | Unknown>(value: T): T {
  operands.set(value, value)
  return Object.freeze(value)
}

function createReferences(model: Model): object {
  const references: { [name: string]: object } = {}
  const add = (name: string, stored: string, codec: Codec): void => {
    if (!Object.hasOwn(references, name)) {
      setOwn(references, name, createReference(name, [stored], codec, model.name))
    }
  }
  for (const each of [...model.attributes.values(), model.createdAt, model.updatedAt]) {
    if (each !== undefined) add(each.name, each.stored, each.codec)
  }
  for (const { hash, sort } of model.indexes) {
    for (const { name, attribute } of [...hash, ...sort]) {
      add(name, name, attribute?.codec ?? KEY_TEXT)
    }
  }
  // Only names that the object does not have come to its prototype, so that it costs nothing where
  // names are right.
  const others = membersBy((name) => unknown(name, Object.keys(references), model.name))
  return Object.freeze(Object.setPrototypeOf(references, others))
}

function membersBy(create: (name: string) => object): object {
  return new Proxy(Object.freeze(Object.create(null)), {
    get: (_, name) => (typeof name === 'string' ? create(name) : undefined),
  })
}

function unknown(name: string, known: Iterable<string>, entity: string): object {
  return registerOperand({ name, known: [...known], entity })
}

function createReference(
  name: string,
  path: Reference['path'],
  codec: Codec,
  entity: string,
  more?: Pick<Reference, 'required' | 'kept' | 'reads'>,
): object {
  const reference: Reference = registerOperand({ kind: 'reference', name, path, codec, ...more })
  const { tag, members, elements } = codec
  if (codec.transformed || codec.unstored || (tag !== undefined && tag !== 'L' && tag !== 'M'))
    return reference
  const nested = membersBy((member) => {
    const isPosition = tag !== 'M' && /^\d{1,10}$/.test(member)
    const memberName = isPosition || tag === 'L' ? `${name}[${member}]` : `${name}.${member}`
    const own = members?.get(member)
    const memberCodec = members ? own?.codec : elements ? elements[+member] : elementCodec(codec)
    if (memberCodec === undefined || (isPosition ? +member > LIST_INDEX_MAX : tag === 'L')) {
      return unknown(memberName, members?.keys() ?? [], entity)
    }
    const step = isPosition ? +member : (own?.stored ?? member)
    return createReference(memberName, [...path, step], memberCodec, entity, {
      required: own?.required ?? elements !== undefined,
      reads: more?.reads ?? (elements ? path : undefined),
      kept: more?.kept ?? (codec.union ? IN_UNION : own?.readonly ? 'is readonly' : undefined),
    })
  })
  operands.set(nested, reference)
  return nested
}

/**
 * Of what is in a list, a set or an undeclared map; what may be anything has elements that may be
 * anything.
 */
export function elementCodec(codec: Codec): Codec {
  return codec.element ?? codec
}

/** A place of our own, for conditions on values that are encoded already. */
export function storedReference(name: string): Reference {
  return { kind: 'reference', name, path: [name], codec: STORED }
}

const STORED: Codec = {
  tag: undefined,
  // Only the planner compares with such a reference.
  encode: (value) => value as AttributeValue,
  decode: (value) => value,
}

const IN_UNION = 'is inside a union, which an update sets as a whole'

/** Of a key attribute that a template makes. */
const KEY_TEXT: Codec = {
  tag: 'S',
  encode(value, issues) {
    return typeof value === 'string' && value !== ''
      ? { S: value }
      : addIssue(issues, 'is a key attribute and needs a string that is not empty')
  },
  decode: (value) => value.S,
}
