import { getOwn, type Item } from 'singletable/tools'
import type { Design } from './design.ts'

/** Values of the time-to-live attribute by which DynamoDB will not delete their items, all for one
 * reason. */
export interface TtlProblem {
  /** The name it is stored under. */
  readonly attribute: string
  /** `milliseconds` are taken for a time that is far away, and what is not a number for none. */
  readonly kind: 'milliseconds' | 'no-number'
  readonly items: number
  /** One of the values: a number as text, or the name of the type, such as `S`. */
  readonly value: string
  /** The year that a number of seconds would be. */
  readonly year: number | undefined
  readonly example: Item
}

/** The year 5138 in seconds, and 1973 in milliseconds: no time of an item is meant to be beyond
 * either. */
const SECONDS_MAX = 1e11
const SECONDS_PER_YEAR = 31_556_952

/** What sampled items have in their time-to-live attribute that are not a number of seconds; null
 * is not a value. */
export function ttlProblems({ schema, sample }: Design): readonly TtlProblem[] {
  const attribute = schema?.ttl
  if (attribute === undefined || sample === undefined) return []
  const found = new Map<TtlProblem['kind'], TtlProblem>()
  for (const item of sample.items) {
    const value = getOwn(item, attribute)
    if (value === undefined || value.NULL) continue
    const seconds = value.N === undefined ? undefined : Number(value.N)
    if (seconds !== undefined && seconds < SECONDS_MAX) continue
    const kind = seconds === undefined ? 'no-number' : 'milliseconds'
    const first = found.get(kind) ?? {
      attribute,
      kind,
      items: 0,
      value: value.N ?? Object.keys(value)[0] ?? '',
      year: seconds === undefined ? undefined : 1970 + Math.floor(seconds / SECONDS_PER_YEAR),
      example: item,
    }
    found.set(kind, { ...first, items: first.items + 1 })
  }
  return [...found.values()]
}
