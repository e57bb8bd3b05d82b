import { type DecimalProblem, parseDecimal } from '../../values/decimal.ts'
import { addIssue, addWrongType } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored, StoredValueProblem } from '../stored-value-problem.ts'

/** Any decimal of so many characters survives the way through a double. */
const EXACT_LENGTH_MAX = 15

/** Fractions below this are printed with an exponent. */
const PLAIN_MIN = 1e-6

/** Beyond this no integer fits DynamoDB; printing larger ones first would take its time. */
const INTEGER_LIMIT = 10n ** 126n

const PROBLEMS: { readonly [problem in DecimalProblem]: string } = {
  empty: 'is empty',
  malformed: 'is no decimal number',
  overflow: 'is greater than DynamoDB can hold',
  underflow: 'is nearer to zero than DynamoDB can hold',
  digits: 'has more than the 38 digits DynamoDB can hold',
}

/** JavaScript's numbers, refused on either way where they would not stay the same. */
export const numberCodec: Codec = {
  tag: 'N',
  encode(value, issues) {
    if (typeof value !== 'number') return addWrongType(issues, value, 'a number')
    if (Number.isSafeInteger(value)) return { N: String(value) }
    if (!Number.isFinite(value)) return addIssue(issues, `is ${value}`)
    if (Number.isInteger(value)) {
      return addIssue(
        issues,
        `is beyond ±${Number.MAX_SAFE_INTEGER}, where numbers are not exact; use BigInt or 'decimal'`,
      )
    }
    const text = String(value)
    if (value > PLAIN_MIN || value < -PLAIN_MIN) return { N: text }
    const result = parseDecimal(text)
    return result.text === undefined
      ? addIssue(issues, PROBLEMS[result.problem])
      : { N: result.text }
  },
  decode(value) {
    const text = value.N ?? refuseStored(value, 'N')
    const number = Number(text)
    if (text.length <= EXACT_LENGTH_MAX ? !Number.isNaN(number) : isExact(number, text)) {
      return number
    }
    throw new StoredValueProblem("is a number that JavaScript can't hold; use BigInt or 'decimal'")
  },
}

/** Integers of any size DynamoDB can hold. */
export const bigintCodec: Codec = {
  tag: 'N',
  encode(value, issues) {
    if (typeof value !== 'bigint') return addWrongType(issues, value, 'a bigint')
    const inRange = value < INTEGER_LIMIT && value > -INTEGER_LIMIT
    const result = inRange ? parseDecimal(String(value)) : { problem: 'overflow' as const }
    return result.problem === undefined
      ? { N: result.text }
      : addIssue(issues, PROBLEMS[result.problem])
  },
  decode(value) {
    const integer = integerOf(value.N ?? refuseStored(value, 'N'))
    if (integer !== undefined) return integer
    throw new StoredValueProblem("is a number with a fraction; use 'decimal'")
  },
}

/** Exact decimal numbers as text. */
export const decimalCodec: Codec = {
  tag: 'N',
  encode(value, issues) {
    if (typeof value !== 'string') return addWrongType(issues, value, 'a decimal as string')
    const result = parseDecimal(value)
    return result.problem === undefined
      ? { N: result.text }
      : addIssue(issues, PROBLEMS[result.problem])
  },
  decode: (value) => value.N ?? refuseStored(value, 'N'),
}

/** Whether a double is just the number the text says. */
export function isExact(number: number, text: string): boolean {
  const printed = String(number)
  return printed === text || parseDecimal(printed).text === parseDecimal(text).text
}

/** The number as an integer, if it is one. */
export function integerOf(text: string): bigint | undefined {
  const plain = parseDecimal(text).text
  return plain === undefined || plain.includes('.') ? undefined : BigInt(plain)
}
