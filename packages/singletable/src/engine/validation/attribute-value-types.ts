import { base64Problem } from '../../values/base64.ts'
import { hasLoneSurrogate } from '../../values/utf8.ts'
import {
  BLOB_BAD_CHARACTER,
  BLOB_BAD_TAIL,
  BLOB_NOT_TEXT,
  blobBadLength,
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

/** Far beyond the nesting limit, which the validation of values reports; here it only bounds the recursion. */
const DEPTH_MAX = 64

/** Refuses attribute values whose contents have the wrong JSON type. Says nothing of how many tags there are. */
export function checkAttributeValueTypes(json: unknown, depth: number): void {
  if (typeof json !== 'object' || json === null) {
    if (json === null || json === undefined) return
    throw serializationError(UNEXPECTED_VALUE_TYPE)
  }
  if (Array.isArray(json)) throw serializationError(collectionForScalar('AttributeValue'))
  if (depth > DEPTH_MAX) return
  const value = json as Record<string, unknown>
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
        checkFlag(content)
        break
      case 'SS':
      case 'NS':
        for (const element of asList(content)) checkText(element)
        break
      case 'BS':
        for (const element of asList(content)) checkBlob(element)
        break
      case 'L':
        for (const element of asList(content)) checkAttributeValueTypes(element, depth + 1)
        break
      case 'M':
        checkMap(content, depth)
        break
    }
  }
}

function checkText(content: unknown): void {
  if (typeof content !== 'string') throw wrongScalar('String', content)
  if (hasLoneSurrogate(content)) throw serializationError(ILL_FORMED_TEXT)
}

function checkFlag(content: unknown): void {
  if (typeof content === 'boolean') return
  if (typeof content === 'string') {
    if (/^(true|false|1|0|yes|no)$/i.test(content)) return
    throw serializationError(UNEXPECTED_TOKEN)
  }
  throw wrongScalar('Boolean', content)
}

function checkBlob(content: unknown): void {
  if (typeof content !== 'string') {
    if (typeof content === 'object') throw wrongScalar('String', content)
    throw serializationError(BLOB_NOT_TEXT)
  }
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

function asList(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content
  throw serializationError(typeof content === 'object' ? START_OF_STRUCTURE : UNEXPECTED_FIELD_TYPE)
}

function checkMap(content: unknown, depth: number): void {
  if (Array.isArray(content)) throw serializationError(listForMap('AttributeValue'))
  if (typeof content !== 'object') throw serializationError(UNEXPECTED_FIELD_TYPE)
  const map = content as Record<string, unknown>
  for (const name of Object.keys(map)) {
    if (hasLoneSurrogate(name)) throw serializationError(ILL_FORMED_TEXT)
    checkAttributeValueTypes(map[name], depth + 1)
  }
}
