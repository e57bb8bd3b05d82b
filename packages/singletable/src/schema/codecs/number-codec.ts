import type { InputIssue } from '../../errors/input-error.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import { type DecimalProblem, integerOf, parseDecimal, readDecimal } from '../../values/decimal.ts'
import { addIssue, addWrongType } from '../input-issues.ts'
import type { Codec } from '../model.ts'
import { refuseStored, StoredValueProblem } from '../stored-value-problem.ts'

/** A decimal of up to this many characters is unchanged after conversion to a double and back. */
const EXACT_LENGTH_MAX = 15

const PROBLEMS: { readonly [problem in DecimalProblem]: string } = {
  empty: 'is empty',
  malformed: 'is not a decimal number',
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
    if (!Number.isInteger(value)) return encodeDecimal(value, issues)
    return addIssue(
      issues,
      `is beyond ±${Number.MAX_SAFE_INTEGER}, where numbers are not exact; use BigInt or 'decimal'`,
    )
  },
  decode(value) {
    const text = value.N ?? refuseStored(value, 'N')
    const number = Number(text)
    if (text.length <= EXACT_LENGTH_MAX || isExact(number, text)) return number
    throw new StoredValueProblem("is a number that JavaScript can't hold; use BigInt or 'decimal'")
  },
}

/** Integers of any size DynamoDB can hold. */
export const bigintCodec: Codec = {
  tag: 'N',
  encode: (value, issues) =>
    typeof value === 'bigint'
      ? encodeDecimal(value, issues)
      : addWrongType(issues, value, 'a bigint'),
  decode(value) {
    const integer = integerOf(value.N ?? refuseStored(value, 'N'))
    if (integer !== undefined) return integer
    throw new StoredValueProblem("is a number with a fraction; use 'decimal'")
  },
}

/** Exact decimal numbers as text. */
export const decimalCodec: Codec = {
  tag: 'N',
  encode: (value, issues) =>
    typeof value === 'string'
      ? encodeDecimal(value, issues)
      : addWrongType(issues, value, 'a decimal as string'),
  decode: (value) => value.N ?? refuseStored(value, 'N'),
}

function encodeDecimal(value: number | bigint | string, issues: InputIssue[]): AttributeValue {
  const { text, problem } = readDecimal(value)
  return text === undefined ? addIssue(issues, PROBLEMS[problem]) : { N: text }
}

/** Whether a double is just the number the text says. */
export function isExact(number: number, text: string): boolean {
  const printed = String(number)
  return printed === text || parseDecimal(printed).text === parseDecimal(text).text
}
