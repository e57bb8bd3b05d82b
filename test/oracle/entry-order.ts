import {
  type Attribute,
  compareUtf8,
  type KeyPart,
  type Model,
  type ModelIndex,
  type TemplatePart,
} from 'singletable/tools'
import { compareValues } from '../../packages/kit/src/check/exercise/compare-values.ts'
import type { Values } from '../../packages/kit/src/check/exercise/item-values.ts'

type Placeholder = Exclude<TemplatePart, string>

/** Orders two items by their values: negative, zero or positive; `undefined` where the schema
 * promises no order. */
export type EntryOrder = (a: Values, b: Values) => number | undefined

/** A placeholder and what surrounds it. */
interface Place {
  readonly part: Placeholder
  /** What is behind it. */
  readonly next: string
  readonly separator: string
  readonly isDecimal: boolean
}

/** The order in which an index has the items of a model: by buckets of time, if it has them, then
 * by what is in its sort key, one after the other. */
export function entryOrder(
  { attributes }: Model,
  { hash, sort }: ModelIndex,
  by: readonly string[],
): EntryOrder {
  const placesOf = ({ template }: KeyPart): readonly Place[] => {
    const { parts = [], separator = '' } = template ?? {}
    return parts.flatMap((part, at): Place[] => {
      if (typeof part === 'string') return []
      const next = parts[at + 1] ?? ''
      const isDecimal = attributes.get(part.name)?.definition.type === 'decimal'
      return [{ part, next: typeof next === 'string' ? next : ANYTHING, separator, isDecimal }]
    })
  }
  const buckets = hash
    .flatMap(placesOf)
    .filter(({ part }) => part.unit !== undefined && !by.includes(part.name))
  return inTurn([
    ...buckets.map(placeOrder),
    ...sort.flatMap((part) =>
      part.attribute ? [attributeOrder(part.attribute)] : placesOf(part).map(placeOrder),
    ),
  ])
}

/** Stands for a placeholder right behind another. */
const ANYTHING = '\0'

function attributeOrder({ name, definition }: Attribute): EntryOrder {
  return (a, b) => compareValues(a.get(name), b.get(name), definition.type === 'decimal')
}

function placeOrder(place: Place): EntryOrder {
  return (a, b) => {
    const order = comparePlaces(place, a.get(place.part.name), b.get(place.part.name))
    const isDecided = place.next !== ANYTHING || place.part.width !== undefined
    return order === 0 || isDecided ? order : undefined
  }
}

function inTurn(orders: readonly EntryOrder[]): EntryOrder {
  return (a, b) => {
    for (const order of orders) {
      const result = order(a, b)
      if (result !== 0) return result
    }
    return 0
  }
}

/** By the values, as they are or as far as the key contains them. */
function comparePlaces(
  { part, next, separator, isDecimal }: Place,
  one: unknown,
  other: unknown,
): number | undefined {
  // A shard is a hash: what it orders by means nothing.
  if (part.by) return undefined
  if (part.unit) return compareValues(bucketText(one, part), bucketText(other, part))
  if (part.path) return compareStrings(pathText(one, separator), pathText(other, separator), '')
  if (typeof one === 'string' && typeof other === 'string' && !isDecimal) {
    if (part.lossy) return compareStrings(one.toLowerCase(), other.toLowerCase(), next)
    if (part.ordered) return Math.sign(compareUtf8(one, other))
    // Escaped strings, which can have the separator in them, keep no order that values say.
    const isEscaped = part.print(`a${separator}a`) !== undefined
    return isEscaped ? (one === other ? 0 : undefined) : compareStrings(one, other, next)
  }
  const order = compareValues(one, other, isDecimal)
  if (order === 0 || order === undefined) return order
  return part.ordered ? (part.descending ? -order : order) : undefined
}

/** A shorter text is followed by what is behind it where a longer one continues. */
function compareStrings(
  one: string | undefined,
  other: string | undefined,
  next: string,
): number | undefined {
  if (one === undefined || other === undefined) return undefined
  if (one === other) return 0
  const [first, second] = [one + next, other + next]
  const isDecided = next === '' || !(first.startsWith(second) || second.startsWith(first))
  return isDecided ? compareUtf8(first, second) : undefined
}

function pathText(value: unknown, separator: string): string | undefined {
  const isPlain =
    Array.isArray(value) && value.every((each) => typeof each === 'string' && /^\w+$/.test(each))
  return isPlain ? value.join(separator) : undefined
}

/** The bucket of a time: the beginning of its ISO text. */
export function bucketText(value: unknown, { width }: Placeholder): string | undefined {
  const ms =
    value instanceof Date
      ? value.getTime()
      : typeof value === 'string'
        ? Date.parse(value)
        : typeof value === 'number'
          ? value
          : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, width)
}
