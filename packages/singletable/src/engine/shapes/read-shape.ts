import { hasLoneSurrogate } from '../../values/utf8.ts'
import { addBytes, checkAttributeValueTypes } from '../attributes/attribute-value-types.ts'
import { asList, asMap, readBoolean } from '../attributes/json-types.ts'
import {
  collectionForScalar,
  ILL_FORMED_TEXT,
  START_OF_STRUCTURE,
  serializationError,
  UNEXPECTED_VALUE_TYPE,
  wrongScalar,
} from '../messages/serialization-messages.ts'
import type { ListShape, MapShape, NumberShape, Shape, StructureShape } from './shape.ts'

/**
 * Reads a JSON value by its shape: wrong JSON types are refused as AWS's SerializationException,
 * `null` members count as absent, unknown members are dropped. The result is a copy; but maps that
 * need no change, and attribute values, are those that came.
 */
export function readStructure(
  shape: StructureShape,
  json: unknown,
  known: KnownMaps = NONE,
): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw serializationError(json === null || typeof json !== 'object' ? '' : START_OF_STRUCTURE)
  }
  return readMembers(shape, json, known)
}

/** Attribute values, and maps of them, that were read before, by what they were read from. */
type KnownMaps = ReadonlyMap<unknown, Record<string, unknown>>
const NONE: KnownMaps = new Map()

/** As `readStructure`. Attribute values and maps of them, which are nearly all of a large request,
 * are read one in a step. */
export function* readInSteps(
  shape: StructureShape,
  json: unknown,
): Generator<void, Record<string, unknown>> {
  const known = new Map<object, Record<string, unknown>>()
  yield* readMaps(shape, json, known)
  return readStructure(shape, json, known)
}

function* readMaps(
  shape: Shape,
  json: unknown,
  known: Map<object, Record<string, unknown>>,
): Generator<void, void> {
  // Whatever has another type than its shape says is refused when the whole is read.
  if (typeof json !== 'object' || json === null) return
  if (shape.kind === 'structure') {
    for (const { name, shape: member } of shape.members.values()) {
      yield* readMaps(member, (json as Record<string, unknown>)[name], known)
    }
  } else if (shape.kind === 'list' && Array.isArray(json)) {
    if (!hasMaps(shape.member)) return
    for (const element of readable(shape, json)) yield* readMaps(shape.member, element, known)
  } else if (shape.kind === 'map' && !Array.isArray(json)) {
    const map = json as Record<string, unknown>
    if (shape.value.kind === 'attributeValue') {
      known.set(json, readMap(shape, json, known))
      yield
    } else if (hasMaps(shape.value)) {
      let count = 0
      for (const name in map) {
        if (count++ === shape.readMax) break
        yield* readMaps(shape.value, map[name], known)
      }
    }
  } else if (shape.kind === 'attributeValue') {
    checkAttributeValueTypes(json)
    known.set(json, json as Record<string, unknown>)
    yield
  }
}

function hasMaps({ kind }: Shape): boolean {
  return kind === 'structure' || kind === 'list' || kind === 'map' || kind === 'attributeValue'
}

function readable(shape: ListShape, json: readonly unknown[]): readonly unknown[] {
  const max = shape.readMax ?? (shape.lengthMax === undefined ? undefined : shape.lengthMax + 1)
  return max !== undefined && json.length > max ? json.slice(0, max) : json
}

function readMembers(
  shape: StructureShape,
  json: object,
  known: KnownMaps,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const source = json as Record<string, unknown>
  for (const name in source) {
    const member = shape.members.get(name)
    if (member === undefined) continue
    const value = source[name]
    if (value === null || value === undefined) continue
    result[name] = readShape(member.shape, value, known)
  }
  return result
}

function readShape(shape: Shape, json: unknown, known: KnownMaps): unknown {
  switch (shape.kind) {
    case 'string':
      return readString(json)
    case 'boolean':
      return readBoolean(json)
    case 'integer':
    case 'long':
    case 'double':
      return readNumber(shape, json)
    case 'attributeValue':
      if (!known.has(json)) checkAttributeValueTypes(json)
      return json
    case 'list':
      return readList(shape, json, known)
    case 'map':
      return readMap(shape, json, known)
    case 'structure':
      if (Array.isArray(json)) throw serializationError(collectionForScalar('Structure'))
      if (typeof json !== 'object' || json === null) {
        throw serializationError(UNEXPECTED_VALUE_TYPE)
      }
      return readMembers(shape, json, known)
  }
}

function readString(json: unknown): string {
  if (typeof json !== 'string') throw wrongScalar('String', json)
  if (hasLoneSurrogate(json)) throw serializationError(ILL_FORMED_TEXT)
  return json
}

function readNumber(shape: NumberShape, json: unknown): number {
  const expected = shape.kind === 'integer' ? 'Integer' : shape.kind === 'long' ? 'Long' : 'Double'
  if (typeof json !== 'number') throw wrongScalar(expected, json)
  return shape.kind === 'double' ? json : Math.floor(json)
}

function readList(shape: ListShape, json: unknown, known: KnownMaps): unknown[] {
  const { member } = shape
  const result: unknown[] = []
  for (const element of readable(shape, asList(json))) {
    const missing = element === null || element === undefined
    result.push(missing ? emptyOf(member) : readShape(member, element, known))
  }
  return result
}

function readMap(shape: MapShape, json: unknown, known: KnownMaps): Record<string, unknown> {
  const map = asMap(json, shape.typeName)
  const readBefore = known.get(map)
  if (readBefore !== undefined) return readBefore
  const source = shape.readMax === undefined ? map : firstMembers(map, shape.readMax)
  let result = source
  const isAttributes = shape.value.kind === 'attributeValue'
  let bytes = 0
  for (const name in source) {
    if (hasLoneSurrogate(name)) throw serializationError(ILL_FORMED_TEXT)
    const value = source[name]
    let read = value
    if (isAttributes && value !== null) {
      // Names of placeholders are not those of attributes.
      const nameBytes = shape.readMax === undefined ? name.length : 0
      bytes = addBytes(bytes, nameBytes + checkAttributeValueTypes(value))
    } else read = readElement(shape.value, value, known)
    if (value !== undefined && read === value) continue
    // Each member of a copy is its own, so that assigning to it is safe under any name.
    if (result === source) result = { ...source }
    // JSON has no undefined: such a member would not have been sent.
    if (value === undefined) delete result[name]
    else result[name] = read
  }
  return result
}

/** The map itself if it has no more members. */
function firstMembers(json: Record<string, unknown>, max: number): Record<string, unknown> {
  const names = Object.keys(json)
  if (names.length <= max) return json
  return Object.fromEntries(names.slice(0, max).map((name) => [name, json[name]]))
}

function readElement(shape: Shape, json: unknown, known: KnownMaps): unknown {
  if (json === undefined) return undefined
  return json === null ? emptyOf(shape) : readShape(shape, json, known)
}

/** An element that is null can't be left out without moving the others: it counts as empty, and the
 * checks that follow refuse that. */
function emptyOf(shape: Shape): unknown {
  return shape.kind === 'string' ? '' : shape.kind === 'list' ? [] : {}
}
