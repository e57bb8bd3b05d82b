import { hasLoneSurrogate } from '../../values/utf8.ts'
import {
  collectionForScalar,
  ILL_FORMED_TEXT,
  listForMap,
  START_OF_STRUCTURE,
  serializationError,
  UNEXPECTED_FIELD_TYPE,
  UNEXPECTED_TOKEN,
  UNEXPECTED_VALUE_TYPE,
  wrongScalar,
} from '../messages/serialization-messages.ts'
import { checkAttributeValueTypes } from './attribute-value-types.ts'
import type { MapShape, NumberShape, Shape, StructureShape } from './shape.ts'

/**
 * Reads a JSON value by its shape: wrong JSON types are refused as AWS's SerializationException, `null` members count as absent,
 * unknown members are dropped. The result is a copy; but maps that need no change, and attribute values, are those that came.
 */
export function readStructure(shape: StructureShape, json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw serializationError(json === null || typeof json !== 'object' ? '' : START_OF_STRUCTURE)
  }
  return readMembers(shape, json)
}

function readMembers(shape: StructureShape, json: object): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const source = json as Record<string, unknown>
  for (const name in source) {
    const member = shape.members.get(name)
    if (member === undefined) continue
    const value = source[name]
    if (value === null || value === undefined) continue
    result[name] = readShape(member.shape, value)
  }
  return result
}

function readShape(shape: Shape, json: unknown): unknown {
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
      checkAttributeValueTypes(json, 0)
      return json
    case 'list':
      return readList(shape.member, json)
    case 'map':
      return readMap(shape, json)
    case 'structure':
      if (Array.isArray(json)) throw serializationError(collectionForScalar('Structure'))
      if (typeof json !== 'object' || json === null) {
        throw serializationError(UNEXPECTED_VALUE_TYPE)
      }
      return readMembers(shape, json)
  }
}

function readString(json: unknown): string {
  if (typeof json !== 'string') throw wrongScalar('String', json)
  if (hasLoneSurrogate(json)) throw serializationError(ILL_FORMED_TEXT)
  return json
}

const TRUE_TEXTS = new Set(['true', '1', 'yes'])
const FALSE_TEXTS = new Set(['false', '0', 'no'])

function readBoolean(json: unknown): boolean {
  if (typeof json === 'boolean') return json
  if (typeof json === 'string') {
    const lower = json.toLowerCase()
    if (TRUE_TEXTS.has(lower)) return true
    if (FALSE_TEXTS.has(lower)) return false
    throw serializationError(UNEXPECTED_TOKEN)
  }
  throw wrongScalar('Boolean', json)
}

function readNumber(shape: NumberShape, json: unknown): number {
  const expected = shape.kind === 'integer' ? 'Integer' : shape.kind === 'long' ? 'Long' : 'Double'
  if (typeof json !== 'number') throw wrongScalar(expected, json)
  return shape.kind === 'double' ? json : Math.floor(json)
}

function readList(member: Shape, json: unknown): unknown[] {
  if (!Array.isArray(json)) {
    throw serializationError(
      typeof json === 'object' && json !== null ? START_OF_STRUCTURE : UNEXPECTED_FIELD_TYPE,
    )
  }
  const result: unknown[] = []
  for (const element of json) {
    const missing = element === null || element === undefined
    result.push(missing ? emptyOf(member) : readShape(member, element))
  }
  return result
}

function readMap(shape: MapShape, json: unknown): Record<string, unknown> {
  if (Array.isArray(json)) throw serializationError(listForMap(shape.typeName))
  if (typeof json !== 'object' || json === null) throw serializationError(UNEXPECTED_FIELD_TYPE)
  const source = json as Record<string, unknown>
  let result = source
  for (const name in source) {
    if (hasLoneSurrogate(name)) throw serializationError(ILL_FORMED_TEXT)
    const value = source[name]
    const read = readElement(shape.value, value)
    if (value !== undefined && read === value) continue
    // Each member of a copy is its own, so that assigning to it is safe under any name.
    if (result === source) result = { ...source }
    // JSON has no undefined: such a member would not have been sent.
    if (value === undefined) delete result[name]
    else result[name] = read
  }
  return result
}

function readElement(shape: Shape, json: unknown): unknown {
  if (json === undefined) return undefined
  return json === null ? emptyOf(shape) : readShape(shape, json)
}

/** An element that is null can't be left out without moving the others: it counts as empty, and the checks that follow refuse that. */
function emptyOf(shape: Shape): unknown {
  return shape.kind === 'string' ? '' : shape.kind === 'list' ? [] : {}
}
