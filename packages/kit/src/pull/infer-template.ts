import type { Item } from 'singletable/tools'

/**
 * The template inferred from the values of a key attribute, and the attributes that only the key
 * contains.
 */
export interface InferredTemplate {
  readonly text: string
  readonly keyOnly: readonly string[]
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
    const before = first.parts[at - 1]
      ?.toLowerCase()
      .replace(/[^a-z]+(.)?/g, (_, next = '') => next.toUpperCase())
    const free = [`${before}Id`, `${name}${at + 1}`].slice(before ? 0 : 1)
    const own = free.find((each) => !keyOnly.includes(each) && !(each in first.item))
    if (own === undefined) return undefined
    keyOnly.push(own)
    return `\${${own}}`
  })
  if (pieces.includes(undefined)) return undefined
  return { text: pieces.join(separator), keyOnly }
}
