import type { InputIssue } from '../../errors/input-error.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { Decimal } from '../../values/decimal-number.ts'
import { ITEM_SIZE_MAX_BYTES, NESTING_DEPTH_MAX } from '../../values/limits.ts'
import { setOwn } from '../../values/own.ts'
import { addIssue, addWrongType, placeIssues } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored } from '../stored-value-problem.ts'
import { binaryCodec } from './binary-codec.ts'
import { booleanCodec } from './boolean-codec.ts'
import { isPlainObject } from './map-codec.ts'
import { bigintCodec, integerOf, isExact, numberCodec } from './number-codec.ts'
import { encodeSet } from './set-codec.ts'
import { textCodec } from './text-codec.ts'

const TEXT = textCodec()

/** With so many issues a value is not looked at any further. */
const ISSUES_MAX = 100

/** What one value has left: each part of an item needs a byte at least, however often it is shared between others. */
interface Budget {
  parts: number
}

/** Whatever DynamoDB can hold, with the depth the value itself has in its item: the attribute's own value is at 1. */
export function anyCodec(depth: number): Codec {
  return {
    tag: undefined,
    encode: (value, issues) => encodeAny(value, depth, issues, { parts: ITEM_SIZE_MAX_BYTES }),
    decode: decodeAny,
  }
}

/** Arrays of anything. */
export function anyListCodec(depth: number): Codec {
  const { encode } = anyCodec(depth)
  return {
    tag: 'L',
    encode: (value, issues) =>
      Array.isArray(value) ? encode(value, issues) : addWrongType(issues, value, 'an array'),
    decode: (value) => (value.L === undefined ? refuseStored(value, 'L') : decodeAny(value)),
    element: anyCodec(depth + 1),
  }
}

/** Objects with any members. */
export function anyMapCodec(depth: number): Codec {
  const { encode } = anyCodec(depth)
  return {
    tag: 'M',
    encode: (value, issues) =>
      isPlainObject(value) ? encode(value, issues) : addWrongType(issues, value, 'a plain object'),
    decode: (value) => (value.M === undefined ? refuseStored(value, 'M') : decodeAny(value)),
    element: anyCodec(depth + 1),
  }
}

function encodeAny(
  value: unknown,
  depth: number,
  issues: InputIssue[],
  budget: Budget,
): AttributeValue {
  if (typeof value === 'string') return TEXT.encode(value, issues)
  if (typeof value === 'number') return numberCodec.encode(value, issues)
  if (typeof value === 'boolean') return booleanCodec.encode(value, issues)
  if (typeof value === 'bigint') return bigintCodec.encode(value, issues)
  if (value === null) return { NULL: true }
  if (value instanceof Uint8Array) return binaryCodec.encode(value, issues)
  if (value instanceof Decimal) return { N: value.text }
  if (value instanceof Set) {
    return encodeSet(value, encodeElement, issues)
  }
  const isList = Array.isArray(value)
  if (!isList && !isPlainObject(value)) {
    return addIssue(issues, `is ${nameOfKind(value)}, which DynamoDB can't hold as it is`)
  }
  if (depth >= NESTING_DEPTH_MAX) {
    return addIssue(issues, `is nested deeper than ${NESTING_DEPTH_MAX} levels, or contains itself`)
  }
  const encodePart = (part: unknown, place: string | number): AttributeValue => {
    const from = issues.length
    const encoded =
      budget.parts-- > 0
        ? encodeAny(part, depth + 1, issues, budget)
        : addIssue(issues, 'is more than an item can hold')
    if (issues.length > from) placeIssues(issues, from, place)
    return encoded
  }
  if (isList) {
    const L: AttributeValue[] = []
    for (let index = 0; index < value.length && issues.length < ISSUES_MAX; index++) {
      L.push(encodePart(value[index], index))
    }
    return { L }
  }
  const M: { [name: string]: AttributeValue } = {}
  for (const name of Object.keys(value)) {
    if (issues.length >= ISSUES_MAX) break
    const part = value[name]
    if (part === undefined) continue
    if (name === '') addIssue(issues, 'has a member without a name')
    setOwn(M, name, encodePart(part, name))
  }
  return { M }
}

function encodeElement(member: unknown, issues: InputIssue[]): AttributeValue {
  const isElement =
    typeof member === 'string' ||
    typeof member === 'number' ||
    typeof member === 'bigint' ||
    member instanceof Uint8Array ||
    member instanceof Decimal
  return isElement
    ? encodeAny(member, 1, issues, { parts: 0 })
    : addIssue(issues, "can't be in a set: only text, numbers and bytes can")
}

function nameOfKind(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return value === undefined ? 'undefined' : `a ${typeof value}`
  }
  return `an instance of ${value.constructor?.name || 'a class'}`
}

/** Values come from DynamoDB, which holds no more than 32 levels. */
function decodeAny(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S
  if (value.N !== undefined) return decodeNumber(value.N)
  if (value.BOOL !== undefined) return value.BOOL
  if (value.L !== undefined) return value.L.map(decodeAny)
  if (value.M !== undefined) {
    const result: { [name: string]: unknown } = {}
    for (const name of Object.keys(value.M)) setOwn(result, name, decodeAny(value.M[name]!))
    return result
  }
  if (value.SS !== undefined) return new Set(value.SS)
  if (value.NS !== undefined) return new Set(value.NS.map(decodeNumber))
  if (value.BS !== undefined) return new Set(value.BS.map((B) => binaryCodec.decode({ B })))
  return value.B === undefined ? null : binaryCodec.decode(value)
}

/** A number where that is exact and can be written again, else an integer, else the number as text. */
function decodeNumber(text: string): unknown {
  const number = Number(text)
  const canBeWritten = Number.isSafeInteger(number) || !Number.isInteger(number)
  if (canBeWritten && isExact(number, text)) return number
  return integerOf(text) ?? new Decimal(text)
}
