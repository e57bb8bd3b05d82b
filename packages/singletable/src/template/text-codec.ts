import type { Codec, CodecPlace } from './codec.ts'
import { type Letters, literalRuns, oneOrMore } from './shape.ts'

/** Every code point up to `$` is escaped. `$` comes right after `#`, so what is escaped still orders before what is not. */
const ESCAPE = 0x24
/**
 * Added to an escaped code point: NUL becomes `$0`, `#` becomes `$S`. The sum could be a separator other than those that come before
 * `$`, so beside these it is no ASCII character.
 */
const ESCAPE_SHIFT = 0x30
const ESCAPE_SHIFT_FAR = 0x100

/** More alternatives than this are taken for any text when templates are compared. */
const ALTERNATIVES_MAX = 16

/** Text as it is, refused where it could be mistaken for more than one component, or escaped so that it never can. */
export function textCodec(place: CodecPlace, lower: boolean): Codec {
  const { separator, next } = place
  const { encode: escaped, values } = place.kind
  const allowed = values && new Set(lower ? values.map((value) => value.toLowerCase()) : values)

  const problemOf = (text: string): string | undefined => {
    if (text === '') return 'is empty'
    if (!text.isWellFormed()) return `has half of a surrogate pair, ${loneSurrogate(text)}`
    return escaped ? undefined : plainProblem(text, separator)
  }
  const toText = (text: string): string => (escaped ? escapeText(text, separator) : text)

  const encode = (value: unknown): string => {
    if (typeof value !== 'string') place.refuse(`is ${kindOfValue(value)}`, 'give a string')
    const text = lower ? value.toLowerCase() : value
    const problem = problemOf(text)
    if (problem !== undefined) {
      place.refuse(
        problem,
        text !== '' && text.isWellFormed()
          ? 'take it out, or declare the attribute with encode: true'
          : 'give well-formed text of at least one character',
      )
    }
    if (allowed !== undefined && !allowed.has(text)) {
      place.refuse('is not in its enum', 'give one of the declared values')
    }
    return toText(text)
  }
  const unit = separator.charCodeAt(0)
  const simple = !escaped && !lower && allowed === undefined && separator.length === 1

  let shape = [oneOrMore(lettersOf(escaped, lower))]
  if (allowed !== undefined) {
    for (const value of allowed) {
      const problem = problemOf(value)
      if (problem === undefined) continue
      place.invalid(`the value "${value}" in the enum of "${place.name}" ${problem}`, 'change it')
    }
    if (allowed.size <= ALTERNATIVES_MAX) {
      shape = [...allowed].map((value) => literalRuns(toText(value)))
    }
  }
  return {
    width: undefined,
    // The escape keeps the order only if all that can follow a component comes before all that can stand in it; plain text
    // keeps it where nothing follows.
    ordered: !lower && (escaped ? isLow(separator) && isLow(next) : next === ''),
    shape,
    encode: simple
      ? (value) => (typeof value === 'string' && isPlain(value, unit) ? value : encode(value))
      : encode,
    decode(text) {
      const value = escaped ? unescapeText(text, separator) : text
      if (value === undefined || problemOf(value) !== undefined) return undefined
      if (lower && value.toLowerCase() !== value) return undefined
      return allowed === undefined || allowed.has(value) ? value : undefined
    },
  }
}

/** The value's type, for messages: values themselves may be secret or long. */
export function kindOfValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  const type = typeof value
  return `${type === 'object' ? 'an' : 'a'} ${type}`
}

/** True for most texts at the cost of one walk; false leaves the decision to `plainProblem`. */
function isPlain(text: string, separatorUnit: number): boolean {
  const { length } = text
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || unit === separatorUnit) return false
    if (unit >= 0x7f && (unit <= 0x9f || unit >= 0xd800)) return false
  }
  return length > 0
}

function plainProblem(text: string, separator: string): string | undefined {
  if (text.includes(separator)) return `contains the separator, ${named(separator)}`
  const control = /\p{Cc}/u.exec(text)
  if (control) return `contains the control character ${codePointName(control[0])}`
  // With a separator of several characters, one of them at an end could make up a separator with what stands beside it.
  for (const end of separator.length > 1 ? [text.slice(0, 1), text.slice(-1)] : []) {
    if (separator.includes(end)) return `begins or ends with ${named(end)} of the separator`
  }
  return undefined
}

function named(text: string): string {
  return `"${text}" (${text.split('').map(codePointName).join(' ')})`
}

function codePointName(text: string): string {
  return `U+${text.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

function loneSurrogate(text: string): string {
  return codePointName(/\p{Cs}/u.exec(text)?.[0] ?? '')
}

function isEscaped(unit: number, separator: string): boolean {
  return unit <= ESCAPE || (unit < 0x7f && separator.includes(String.fromCharCode(unit)))
}

function escapeShift(separator: string): number {
  return isLow(separator) ? ESCAPE_SHIFT : ESCAPE_SHIFT_FAR
}

function escapeText(text: string, separator: string): string {
  let result = ''
  let from = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (!isEscaped(unit, separator)) continue
    result += `${text.slice(from, index)}$${String.fromCharCode(unit + escapeShift(separator))}`
    from = index + 1
  }
  return from === 0 ? text : result + text.slice(from)
}

/** The text whose escape this is; `undefined` if there is none. */
function unescapeText(text: string, separator: string): string | undefined {
  let result = ''
  for (let index = 0; index < text.length; index++) {
    let unit = text.charCodeAt(index)
    if (unit === ESCAPE) {
      // Past the end this is NaN, which is no escaped unit.
      unit = text.charCodeAt(++index) - escapeShift(separator)
      if (!(unit >= 0 && isEscaped(unit, separator))) return undefined
    } else if (isEscaped(unit, separator)) return undefined
    result += String.fromCharCode(unit)
  }
  return result
}

function isLow(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) >= ESCAPE) return false
  }
  return true
}

function lettersOf(escaped: boolean, lower: boolean): Letters {
  // What `$` announces is written in capitals, so both together leave only the first test.
  if (escaped) return (letter) => letter >= '$'
  return lower ? (letter) => letter.toLowerCase() === letter : () => true
}
