import { SORT_KEY_MAX_BYTES } from '../../values/limits.ts'
import { compareUtf8, utf8Length } from '../../values/utf8.ts'
import { createWhere } from '../operators.ts'
import type { Reference } from '../reference.ts'
import { storedReference } from '../references.ts'
import type { Where } from '../where.ts'
import { valuesOf } from './key-condition.ts'
import { LAST } from './key-range.ts'

/**
 * The first and the last string that match a condition; without a last one, the range has no end.
 */
export interface TextRange {
  readonly low: string | undefined
  readonly high: string | undefined
}

export const ANY_TEXT: TextRange = { low: undefined, high: undefined }

/**
 * What is asked of sort keys, where several models are read at once: the smallest range that has
 * those of all.
 */
export function commonRange(conditions: readonly (readonly Where[])[]): readonly Where[] {
  const [first = []] = conditions
  if (conditions.length === 1) return first
  const textOf = (all: readonly Where[]): string =>
    JSON.stringify(all.map((each) => [each.operator, valuesOf(each)]))
  if (conditions.every((each) => textOf(each) === textOf(first))) return first
  const ranges = conditions.map(([only, ...more]) =>
    only && more.length === 0 ? textRange(only) : ANY_TEXT,
  )
  const { low, high } = ranges.reduce(span)
  if (low === undefined || high === undefined) return []
  // One model's range may have those of all others in it.
  const widest = ranges.findIndex((range) => range.low === low && range.high === high)
  if (widest >= 0) return conditions[widest]!
  const reference = storedReference((first[0]!.operands[0] as Reference).path[0])
  // DynamoDB refuses longer strings, also where they are only compared with keys.
  return utf8Length(high) > SORT_KEY_MAX_BYTES
    ? [createWhere('>=', [reference, { S: low }])]
    : [createWhere('BETWEEN', [reference, { S: low }, { S: high }])]
}

/** The strings that match a condition on a sort key. */
export function textRange(condition: Where | undefined): TextRange {
  const { operator } = condition ?? {}
  const [low, high = low] = valuesOf(condition).map(({ S }) => S)
  if (operator === 'begins_with') return { low, high: low === undefined ? undefined : low + LAST }
  if (operator === '>' || operator === '>=') return { low, high: undefined }
  return operator === '<' || operator === '<=' ? { low: undefined, high } : { low, high }
}

function span(a: TextRange, b: TextRange): TextRange {
  const open = a.low === undefined || b.low === undefined
  const endless = a.high === undefined || b.high === undefined
  return {
    low: open ? undefined : compareUtf8(a.low!, b.low!) < 0 ? a.low : b.low,
    high: endless ? undefined : compareUtf8(a.high!, b.high!) > 0 ? a.high : b.high,
  }
}
