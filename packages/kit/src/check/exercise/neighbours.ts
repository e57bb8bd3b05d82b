import type { Attribute, Model } from 'singletable/tools'
import { acceptsValue } from '../../seed/accepts-value.ts'
import { sameValue } from './same-value.ts'

const DAY_MS = 24 * 3600 * 1000

/**
 * Values of an attribute that are other ones than the given, as near to it as can be: strings that
 * begin with it or with which it begins, that come just before and just after it, that differ in
 * case; the next numbers and times. Only those that the attribute takes.
 */
export function neighboursOf(attribute: Attribute, model: Model, value: unknown): unknown[] {
  const { definition } = attribute
  const candidates: readonly unknown[] = definition.enum ?? near(value, definition.type)
  return candidates.filter(
    (each, position) =>
      !sameValue(each, value) &&
      candidates.findIndex((other) => sameValue(each, other)) === position &&
      acceptsValue(attribute, model, each),
  )
}

function near(value: unknown, type: unknown): readonly unknown[] {
  if (typeof value === 'string') {
    if (type === 'decimal') return nearDecimal(value)
    // Of a time as text the next ones are times, too.
    const ms = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? Date.parse(value) : Number.NaN
    if (!Number.isNaN(ms)) return nearTimes(ms).map((each) => new Date(each).toISOString())
    return nearStrings(value)
  }
  if (typeof value === 'number') return [value + 1, value - 1, value + 0.5, value * 10, -value]
  if (typeof value === 'bigint') return [value + 1n, value - 1n, value * 10n]
  if (typeof value === 'boolean') return [!value]
  if (value instanceof Date) return nearTimes(value.getTime()).map((each) => new Date(each))
  if (value instanceof Uint8Array) return [Uint8Array.from([...value, 0]), value.slice(0, -1)]
  if (value instanceof Set) return [new Set([...value].slice(1))]
  if (Array.isArray(value)) {
    const rest = value.slice(0, -1)
    const last: unknown = value.at(-1)
    const others = typeof last === 'string' ? nearStrings(last).map((text) => [...rest, text]) : []
    return [[...value, last], rest, ...others]
  }
  return []
}

/** Signs before and after the usual separators, and characters whose order differs between UTF-16
 * and UTF-8. */
function nearStrings(text: string): readonly string[] {
  const head = text.slice(0, -1)
  const last = text.charCodeAt(text.length - 1)
  return [
    `${text}0`,
    head,
    head + String.fromCharCode(last + 1),
    head + String.fromCharCode(last - 1),
    `${text}!`,
    `${text}~`,
    text.toUpperCase(),
    `${text}\uffee`,
    `${text}\u{1f600}`,
    `0${text}`,
  ].filter((each) => each !== '' && each.isWellFormed())
}

function nearTimes(ms: number): readonly number[] {
  return [ms + 1, ms - 1, ms + 1000, ms - 1000, ms + DAY_MS, ms - DAY_MS]
}

function nearDecimal(text: string): readonly string[] {
  return [`${text}${text.includes('.') ? '' : '.'}1`, `-${text}`, `1${text}`]
}
