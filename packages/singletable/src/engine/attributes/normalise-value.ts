import type { AttributeValue, Item, TypeTag } from '../../values/attribute-value.ts'
import { parseDecimal } from '../../values/decimal.ts'
import { NESTING_DEPTH_MAX } from '../../values/limits.ts'
import { setOwn } from '../../values/own.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  BINARY_SET_EMPTY,
  binarySetDuplicates,
  NESTING_TOO_DEEP,
  NULL_NOT_TRUE,
  NUMBER_DIGITS,
  NUMBER_EMPTY,
  NUMBER_OVERFLOW,
  NUMBER_SET_DUPLICATES,
  NUMBER_SET_EMPTY,
  NUMBER_UNDERFLOW,
  numberMalformed,
  STRING_SET_EMPTY,
  stringSetDuplicates,
  VALUE_EMPTY,
  VALUE_MANY_TYPES,
} from '../messages/value-messages.ts'
import { validateAttributeName } from './attribute-name.ts'
import { readBoolean } from './json-types.ts'

/** These few values are all there are of their types, so all items share them. */
const TRUE: AttributeValue = Object.freeze({ BOOL: true })
const FALSE: AttributeValue = Object.freeze({ BOOL: false })
const NULL: AttributeValue = Object.freeze({ NULL: true })

/**
 * From attribute values as they came (JSON types already checked) to attribute values as we keep
 * them: one tag, numbers in canonical form, no `null` members. It is a copy, so the caller may do
 * with its object what it likes.
 */
export function normaliseItem(raw: Item): Item {
  return normaliseMap(raw, 1)
}

/** One attribute value; `depth` is its level of nesting, 1 at the top. */
export function normaliseValue(raw: AttributeValue, depth = 1): AttributeValue {
  let tag: TypeTag | undefined
  let many = false
  const source: Record<string, unknown> = raw
  for (const name in source) {
    const content = source[name]
    if (content === null || content === undefined || !isTypeTag(name)) continue
    if (tag !== undefined) many = true
    // Numbers are checked before the number of tags is, as AWS does.
    if (name === 'N' && many) normaliseNumber(content as string)
    tag ??= name
  }
  if (tag === undefined) throw validationError(VALUE_EMPTY)
  if (many) {
    if (tag === 'N') normaliseNumber(source.N as string)
    throw validationError(VALUE_MANY_TYPES)
  }
  switch (tag) {
    case 'S':
      return { S: raw.S as string }
    case 'N':
      return { N: normaliseNumber(raw.N as string) }
    case 'B':
      return { B: raw.B as string }
    case 'BOOL':
      return readBoolean(raw.BOOL) ? TRUE : FALSE
    case 'NULL':
      if (!readBoolean(raw.NULL)) throw validationError(NULL_NOT_TRUE)
      return NULL
    case 'SS':
      return { SS: normaliseStringSet(raw.SS as readonly string[]) }
    case 'NS':
      return { NS: normaliseNumberSet(raw.NS as readonly string[]) }
    case 'BS':
      return { BS: normaliseBinarySet(raw.BS as readonly string[]) }
    case 'L': {
      if (depth >= NESTING_DEPTH_MAX) throw validationError(NESTING_TOO_DEEP)
      const elements = raw.L as readonly AttributeValue[]
      const result = new Array<AttributeValue>(elements.length)
      for (let index = 0; index < elements.length; index++) {
        result[index] = normaliseValue(elements[index] ?? ({} as AttributeValue), depth + 1)
      }
      return { L: result }
    }
    case 'M':
      // A list or map on the last level could only hold values below it; DynamoDB refuses even an
      // empty one.
      if (depth >= NESTING_DEPTH_MAX) throw validationError(NESTING_TOO_DEEP)
      return { M: normaliseMap(raw.M as Item, depth + 1) }
  }
}

function normaliseMap(raw: Item, depth: number): Item {
  // A copy has room for all members inside the object itself; one that grows member by member gets
  // most of them in a second place, which every later look at the item would have to fetch from
  // memory too. Each member is the copy's own, so that assigning to it is safe under any name.
  // Large ones are hash tables in any case, and copied faster member by member.
  if (isLarge(raw)) return normaliseLargeMap(raw, depth)
  const result: Record<string, AttributeValue> = { ...raw }
  for (const name in result) {
    validateAttributeName(name)
    result[name] = normaliseValue(result[name] ?? ({} as AttributeValue), depth)
  }
  return result
}

const LARGE_MAP_MEMBERS = 1000

function isLarge(raw: Item): boolean {
  let count = 0
  for (const name in raw) if (name.length >= 0 && ++count > LARGE_MAP_MEMBERS) return true
  return false
}

function normaliseLargeMap(raw: Item, depth: number): Item {
  const result: Record<string, AttributeValue> = {}
  for (const name in raw) {
    validateAttributeName(name)
    setOwn(result, name, normaliseValue(raw[name] ?? ({} as AttributeValue), depth))
  }
  return result
}

function isTypeTag(name: string): name is TypeTag {
  switch (name) {
    case 'S':
    case 'N':
    case 'B':
    case 'BOOL':
    case 'NULL':
    case 'SS':
    case 'NS':
    case 'BS':
    case 'L':
    case 'M':
      return true
    default:
      return false
  }
}

function normaliseNumber(text: string): string {
  const result = parseDecimal(text)
  if (result.problem === undefined) return result.text
  switch (result.problem) {
    case 'empty':
      throw validationError(NUMBER_EMPTY)
    case 'malformed':
      throw validationError(numberMalformed(text))
    case 'overflow':
      throw validationError(NUMBER_OVERFLOW)
    case 'underflow':
      throw validationError(NUMBER_UNDERFLOW)
    case 'digits':
      throw validationError(NUMBER_DIGITS)
  }
}

function normaliseStringSet(elements: readonly string[]): readonly string[] {
  if (elements.length === 0) throw validationError(STRING_SET_EMPTY)
  if (hasDuplicates(elements)) throw validationError(stringSetDuplicates(elements))
  return elements.slice()
}

function normaliseNumberSet(elements: readonly string[]): readonly string[] {
  if (elements.length === 0) throw validationError(NUMBER_SET_EMPTY)
  const numbers = elements.map(normaliseNumber)
  if (hasDuplicates(numbers)) throw validationError(NUMBER_SET_DUPLICATES)
  return numbers
}

function normaliseBinarySet(elements: readonly string[]): readonly string[] {
  if (elements.length === 0) throw validationError(BINARY_SET_EMPTY)
  // Base64 is canonical once its last character is checked, so equal bytes are equal strings.
  if (hasDuplicates(elements)) throw validationError(binarySetDuplicates(elements))
  return elements.slice()
}

/** Few elements are compared with each other, which is quicker than to fill a set. */
function hasDuplicates(elements: readonly string[]): boolean {
  if (elements.length > 8) return new Set(elements).size < elements.length
  for (let index = 1; index < elements.length; index++) {
    if (elements.indexOf(elements[index]!) < index) return true
  }
  return false
}
