import type { Item } from 'singletable/tools'

/**
 * The template inferred from the values of a key attribute, and the attributes that only the key
 * contains.
 */
export interface InferredTemplate {
  readonly text: string
  readonly keyOnly: readonly string[]
}

interface KeyRow {
  readonly item: Item
  readonly parts: readonly string[]
}

/** Buckets of a time by the number of characters that an ISO string has of them. */
const BUCKETS: ReadonlyMap<number, string> = new Map([
  [4, 'year'],
  [7, 'month'],
  [10, 'day'],
  [13, 'hour'],
  [16, 'minute'],
])
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** The attribute that has the time of which this part of the keys is the bucket: `at:day`. */
function bucketOf(
  rows: readonly KeyRow[],
  at: number,
  reserved: ReadonlySet<string>,
): string | undefined {
  const [first] = rows
  const unit = BUCKETS.get(first?.parts[at]?.length ?? 0)
  if (first === undefined || unit === undefined) return undefined
  const name = Object.keys(first.item).find(
    (each) =>
      !reserved.has(each) &&
      rows.every(({ item, parts }) => {
        const time = item[each]?.S ?? ''
        return ISO_TIME.test(time) && time.startsWith(parts[at] ?? ' ')
      }),
  )
  return name === undefined ? undefined : `${name}:${unit}`
}

/** The separator of the parts of keys: the character that most keys contain. */
export function inferSeparator(keys: readonly string[]): string {
  const counts = ['#', '|', ':', '/', '~'].map((sign) => {
    return { sign, count: keys.filter((key) => key.includes(sign)).length }
  })
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).sign
}

/** Parts that look like a prefix: in capitals, or a first part without digits. */
export function isLiteral(part: string, at: number, count: number): boolean {
  return /^[A-Z][A-Z_-]*$/.test(part) || (at === 0 && count > 1 && /^[A-Za-z_-]+$/.test(part))
}

/** The shape of a key: its prefixes, with a star for each value. */
export function keyShape(key: string, separator: string): string {
  const parts = key.split(separator)
  return parts.map((part, at) => (isLiteral(part, at, parts.length) ? part : '*')).join(separator)
}

/**
 * The template that fits this key attribute in all items, or undefined if their keys differ too
 * much. Each variable part is an attribute with the same value in every item, or else an attribute
 * that only the key contains.
 */
export function inferTemplate(
  name: string,
  items: readonly Item[],
  separator: string,
  reserved: ReadonlySet<string>,
): InferredTemplate | undefined {
  const rows = items.flatMap((item) => {
    const parts = item[name]?.S?.split(separator)
    return parts ? [{ item, parts }] : []
  })
  const [first] = rows
  if (first === undefined || rows.length < items.length) return undefined
  if (rows.some(({ parts }) => parts.length !== first.parts.length)) return undefined
  const keyOnly: string[] = []
  const pieces = first.parts.map((part, at) => {
    const isFixed = rows.every(({ parts }) => parts[at] === part)
    if (isFixed && (part === '' || isLiteral(part, at, first.parts.length))) return part
    const stored = Object.keys(first.item).find(
      (each) => !reserved.has(each) && rows.every(({ item, parts }) => item[each]?.S === parts[at]),
    )
    if (stored !== undefined) return `\${${stored}}`
    const bucket = bucketOf(rows, at, reserved)
    if (bucket !== undefined) return `\${${bucket}}`
    // Only a prefix says what comes after it; another value, as the id before it, does not.
    const prefix = first.parts[at - 1] ?? ''
    const isPrefix =
      isLiteral(prefix, at - 1, first.parts.length) &&
      rows.every(({ parts }) => parts[at - 1] === prefix)
    const before = isPrefix
      ? prefix.toLowerCase().replace(/[^a-z]+(.)?/g, (_, next = '') => next.toUpperCase())
      : ''
    const free = [`${before}Id`, `${name}${at + 1}`].slice(before ? 0 : 1)
    const own = free.find((each) => !keyOnly.includes(each) && !(each in first.item))
    if (own === undefined) return undefined
    keyOnly.push(own)
    return `\${${own}}`
  })
  if (pieces.includes(undefined)) return undefined
  return { text: pieces.join(separator), keyOnly }
}
