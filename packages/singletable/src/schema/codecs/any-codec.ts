import type { InputIssue } from '../../errors/input-error.ts'
import { kindOfValue } from '../../errors/show-value.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { integerOf } from '../../values/decimal.ts'
import { Decimal } from '../../values/decimal-number.ts'
import { ITEM_SIZE_MAX_BYTES, NESTING_DEPTH_MAX } from '../../values/limits.ts'
import { setOwn } from '../../values/own.ts'
import { addIssue, addWrongType } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored } from '../stored-value-problem.ts'
import { binaryCodec } from './binary-codec.ts'
import { encodeList } from './list-codec.ts'
import { encodeMap, isPlainObject } from './map-codec.ts'
import { bigintCodec, isExact, numberCodec } from './number-codec.ts'
import { encodeSet } from './set-codec.ts'
import { textCodec } from './text-codec.ts'

const TEXT = textCodec()

/**
 * What one value has left: each part of an item needs a byte at least, however often it is shared
 * between others.
 */
interface Budget {
  parts: number
}

/**
 * Whatever DynamoDB can hold, with the depth the value itself has in its item: the attribute's own
 * value is at 1. With a tag it is a list or a map of anything.
 */
export function anyCodec(depth: number, tag?: 'L' | 'M'): Codec {
  return {
    tag,
    encode(value, issues) {
      if (tag === 'L' && !Array.isArray(value)) return addWrongType(issues, value, 'an array')
      if (tag === 'M' && !isPlainObject(value)) return addWrongType(issues, value, 'a plain object')
      return encodeAny(value, depth, issues, { parts: ITEM_SIZE_MAX_BYTES })
    },
    decode: (value) =>
      tag && value[tag] === undefined ? refuseStored(value, tag) : decodeAny(value),
    element: tag && anyCodec(depth + 1),
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
  if (typeof value === 'boolean') return { BOOL: value }
  if (typeof value === 'bigint') return bigintCodec.encode(value, issues)
  if (value === null) return { NULL: true }
  if (value instanceof Uint8Array) return binaryCodec.encode(value, issues)
  if (value instanceof Decimal) return { N: value.text }
  const encode: Codec['encode'] = (part) =>
    budget.parts-- > 0
      ? encodeAny(part, depth + 1, issues, budget)
      : addIssue(issues, 'is more than an item can hold')
  if (value instanceof Set) return encodeSet(value, encode, issues)
  const isList = Array.isArray(value)
  if (!isList && !isPlainObject(value)) {
    return addIssue(issues, `is ${kindOfValue(value)}, which DynamoDB can't store`)
  }
  if (depth >= NESTING_DEPTH_MAX) {
    return addIssue(issues, `is nested deeper than ${NESTING_DEPTH_MAX} levels, or contains itself`)
  }
  if (isList) return encodeList(value, encode, issues)
  const unnamed = (): AttributeValue => addIssue(issues, 'is a member without a name')
  return { M: encodeMap(value, (name) => (name === '' ? unnamed : encode), issues) }
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
  if (value.B !== undefined) return binaryCodec.decode(value)
  if (value.NULL !== undefined) return null
  const { SS, NS, BS } = value
  return new Set<unknown>(SS ?? NS?.map(decodeNumber) ?? BS?.map((B) => decodeAny({ B })))
}

/**
 * A number where that is exact and can be written again, else an integer, else the number as text.
 */
function decodeNumber(text: string): unknown {
  const number = Number(text)
  const canBeWritten = Number.isSafeInteger(number) || !Number.isInteger(number)
  if (canBeWritten && isExact(number, text)) return number
  return integerOf(text) ?? new Decimal(text)
}
