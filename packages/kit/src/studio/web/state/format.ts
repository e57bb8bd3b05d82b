import type { StoredValue } from '../../api/contract.ts'

export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let value = bytes
  let at = 0
  while (value >= 1024 && at < units.length - 1) {
    value /= 1024
    at++
  }
  return `${Number(value.toPrecision(3))} ${units[at]}`
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

export function durationText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toPrecision(3))} s`
}

/** Dollars as people say them; what is less than a cent is not nothing. */
export function dollarsText(dollars: number): string {
  if (dollars === 0) return '$0'
  if (dollars < 0.01) return '< $0.01'
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

/** A stored value in one line. Numbers keep all digits, because they are strings. */
export function valueText(value: StoredValue): string {
  if (value.S !== undefined) return value.S
  if (value.N !== undefined) return value.N
  if (value.BOOL !== undefined) return String(value.BOOL)
  if (value.NULL !== undefined) return 'null'
  if (value.B !== undefined) return `${value.B} (binary)`
  if (value.SS) return `{${value.SS.join(', ')}}`
  if (value.NS) return `{${value.NS.join(', ')}}`
  if (value.BS) return `{${value.BS.join(', ')}} (binary)`
  if (value.L) return `[${value.L.map(valueText).join(', ')}]`
  return `{ ${Object.entries(value.M ?? {})
    .map(([name, each]) => `${name}: ${valueText(each)}`)
    .join(', ')} }`
}

/**
 * A stored value as a form has it, so that what was and what will be are in one notation: sets as
 * lists, bytes as base64.
 */
export function formText(value: StoredValue): string {
  return value.S ?? value.B ?? jsonText(value)
}

/** JSON with all digits of numbers. */
function jsonText({ S, N, B, BOOL, SS, NS, BS, L, M }: StoredValue): string {
  const string = S ?? B
  if (string !== undefined) return JSON.stringify(string)
  if (N !== undefined || BOOL !== undefined) return String(N ?? BOOL)
  if (NS) return `[${NS.join(',')}]`
  const strings = SS ?? BS
  if (strings) return JSON.stringify(strings)
  if (L) return `[${L.map(jsonText).join(',')}]`
  if (M === undefined) return 'null'
  const members = Object.entries(M).map(
    ([name, each]) => `${JSON.stringify(name)}:${jsonText(each)}`,
  )
  return `{${members.join(',')}}`
}

/** A value as it is shown: blanks at its ends can be seen, since they are part of keys. */
export function shownText(text: string): string {
  return visible(text.replace(/^ +| +$/g, (blanks) => '␣'.repeat(blanks.length)))
}

/** Characters that change how what follows is shown are made visible. */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The longest first. */
const UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [31_536_000, 'y'],
  [2_592_000, 'mo'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
]

/** How long ago a time was, in a word. */
export function agoText(date: Date, now = Date.now()): string {
  const seconds = Math.round((now - date.getTime()) / 1000)
  const distance = Math.abs(seconds)
  const found = UNITS.find(([size]) => distance >= size)
  if (found === undefined) return 'now'
  const [size, unit] = found
  const count = Math.floor(distance / size)
  return seconds >= 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`
}
