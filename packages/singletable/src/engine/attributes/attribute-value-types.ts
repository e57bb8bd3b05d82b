import { base64Problem } from '../../values/base64.ts'
import { ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { hasLoneSurrogate } from '../../values/utf8.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  BLOB_BAD_CHARACTER,
  BLOB_BAD_TAIL,
  BLOB_NOT_TEXT,
  blobBadLength,
  collectionForScalar,
  ILL_FORMED_TEXT,
  serializationError,
  UNEXPECTED_VALUE_TYPE,
  wrongScalar,
} from '../messages/serialization-messages.ts'
import { ITEM_TOO_LARGE } from '../messages/value-messages.ts'
import { asList, asMap, readBoolean } from './json-types.ts'

/** Far beyond the nesting limit, which the validation of values reports; here it only bounds the
 * recursion. */
const DEPTH_MAX = 64
/** No value of an item or of an expression, which may have 2 MB of them, is longer; also not in
 * base64. */
const TEXT_LENGTH_MAX = 3 * 1024 * 1024

/**
 * Refuses attribute values whose contents have the wrong JSON type. Says nothing of how many tags
 * there are.
 *
 * Returns what the value adds to the size of an item at least, by the number of its elements. Those
 * that no item has room for are refused at once: they are not worth the time that all other checks
 * of them would take.
 */
export function checkAttributeValueTypes(json: unknown, depth = 0): number {
  if (typeof json !== 'object' || json === null) {
    if (json === null || json === undefined) return 0
    throw serializationError(UNEXPECTED_VALUE_TYPE)
  }
  if (Array.isArray(json)) throw serializationError(collectionForScalar('AttributeValue'))
  if (depth > DEPTH_MAX) return 0
  const value = json as Record<string, unknown>
  let bytes = 0
  for (const tag in value) {
    const content = value[tag]
    if (content === null || content === undefined) continue
    switch (tag) {
      case 'S':
      case 'N':
        checkText(content)
        break
      case 'B':
        checkBlob(content)
        break
      case 'BOOL':
      case 'NULL':
        readBoolean(content)
        break
      case 'SS':
      case 'NS':
        bytes = addBytes(bytes, asList(content).length)
        for (const element of asList(content)) checkText(element)
        break
      case 'BS':
        bytes = addBytes(bytes, asList(content).length)
        for (const element of asList(content)) checkBlob(element)
        break
      case 'L':
        for (const element of asList(content)) {
          bytes = addBytes(bytes, 1 + checkAttributeValueTypes(element, depth + 1))
        }
        break
      case 'M':
        bytes = addBytes(bytes, checkMap(content, depth))
        break
    }
  }
  return bytes
}

/** The sum, which no item may exceed. */
export function addBytes(bytes: number, more: number): number {
  if (bytes + more > ITEM_SIZE_MAX_BYTES) throw validationError(ITEM_TOO_LARGE)
  return bytes + more
}

function checkText(content: unknown): void {
  if (typeof content !== 'string') throw wrongScalar('String', content)
  if (content.length > TEXT_LENGTH_MAX) throw validationError(ITEM_TOO_LARGE)
  if (hasLoneSurrogate(content)) throw serializationError(ILL_FORMED_TEXT)
}

function checkBlob(content: unknown): void {
  if (typeof content !== 'string') {
    if (typeof content === 'object') throw wrongScalar('String', content)
    throw serializationError(BLOB_NOT_TEXT)
  }
  if (content.length > TEXT_LENGTH_MAX) throw validationError(ITEM_TOO_LARGE)
  const problem = base64Problem(content)
  if (problem === undefined) return
  throw serializationError(
    problem.kind === 'length'
      ? blobBadLength(problem.length)
      : problem.kind === 'tail'
        ? BLOB_BAD_TAIL
        : BLOB_BAD_CHARACTER,
  )
}

function checkMap(content: unknown, depth: number): number {
  const map = asMap(content, 'AttributeValue')
  let bytes = 0
  for (const name in map) {
    if (hasLoneSurrogate(name)) throw serializationError(ILL_FORMED_TEXT)
    const member = checkAttributeValueTypes(map[name], depth + 1)
    bytes = addBytes(bytes, 1 + name.length + member)
  }
  return bytes
}
