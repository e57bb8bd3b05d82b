import { notOneOf } from '../errors/did-you-mean.ts'
import { type Codec, type CodecPlace, unexpected } from './codec.ts'
import { literalRuns, oneOrMore } from './shape.ts'

/** Every code point up to `$` is escaped. `$` comes right after `#`, so what is escaped still
 * orders before what is not. */
const ESCAPE = '$'
/**
 * Added to an escaped code point: NUL becomes `$0`, `#` becomes `$S`. The sum could be a separator
 * other than those that come before `$`, so apart from these it is not an ASCII character.
 */
const ESCAPE_SHIFT = 0x30
const ESCAPE_SHIFT_FAR = 0x100

/** Ranges of keys end with the last code point there is where a value would begin, so no value may
 * begin with it. */
const LAST = '\u{10FFFF}'

/**
 * Control characters and halves of surrogate pairs: Unicode's classes Cc and Cs, written out,
 * because for the first `\p` of a program V8 takes as long as for reading 20 KB of code.
 */
const SURROGATES = '\\ud800-\\udfff'
const CONTROLS = '\\0-\\x1f\\x7f-\\x9f'
export const UNPRINTABLE: RegExp = new RegExp(`[${CONTROLS}${SURROGATES}]`, 'u')

/** More alternatives than this are taken for any text when templates are compared. */
const ALTERNATIVES_MAX = 16

/** Text as it is, refused where it could be mistaken for more than one component, or escaped so
 * that it never can. */
export function textCodec({ kind, separator, next, invalid }: CodecPlace, lower = false): Codec {
  const { encode: escaped } = kind
  const shift = isLow(separator) ? ESCAPE_SHIFT : ESCAPE_SHIFT_FAR
  const signs = patternOf(separator)
  const toEscape = new RegExp(`[\\0-${ESCAPE}${signs}]`, 'g')
  // With a separator of several characters, one of them at an end could form a separator with what
  // is next to it.
  const wrong = new RegExp(
    `[${SURROGATES}${escaped ? '' : CONTROLS}]|^${LAST}${escaped ? '' : `|${signs}|^[${signs}]|[${signs}]$`}`,
    'u',
  )
  const fold = (text: string): string => (lower ? text.toLowerCase() : text)
  const values = kind.values?.map(fold)

  const problemOf = (text: string): string | undefined => {
    if (text === '') return 'is empty'
    const found = wrong.exec(text)?.[0]
    if (found !== undefined) {
      const unit = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
      const name = separator.includes(found) ? `separator "${separator}"` : 'character'
      return `contains the ${name} (U+${unit})`
    }
    return values?.includes(text) === false ? notOneOf(text, values) : undefined
  }
  const toText = (text: string): string =>
    escaped ? text.replace(toEscape, (unit) => ESCAPE + moved(unit, shift)) : text

  for (const value of values ?? []) {
    const problem = problemOf(value)
    if (problem) invalid(`has the value "${value}" in its enum, which ${problem}`, 'change it')
  }
  return {
    width: undefined,
    // The escape keeps the order only if all that can follow a component comes before all that can
    // be in it; plain text keeps it where nothing follows.
    ordered: !lower && (escaped ? isLow(separator + next) : next === ''),
    shape:
      values && values.length <= ALTERNATIVES_MAX
        ? values.map((value) => literalRuns(toText(value)))
        : // What `$` announces is written in capitals, so small letters are distinguished only where nothing is escaped.
          [oneOrMore((letter) => (escaped ? letter >= ESCAPE : fold(letter) === letter))],
    print(value) {
      if (typeof value !== 'string') return undefined
      const text = fold(value)
      return problemOf(text) === undefined ? toText(text) : undefined
    },
    read: (text) =>
      escaped ? text.replace(/\$(.)/gs, (_, unit: string) => moved(unit, -shift)) : text,
    problem(value) {
      if (typeof value !== 'string') return unexpected('a string')(value)
      const canBeEscaped =
        !escaped && value.isWellFormed() && !value.startsWith(LAST) && wrong.test(value)
      return [
        problemOf(fold(value)) ?? '',
        canBeEscaped
          ? 'remove it, or declare the attribute with encode: true'
          : value === ''
            ? 'give a string that is not empty'
            : `give ${values ? 'one of these' : 'another string'}`,
      ]
    },
  }
}

/** What matches just this text in a regular expression. */
export function patternOf(text: string): string {
  return text.replace(/\W/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function moved(unit: string, by: number): string {
  return String.fromCharCode(unit.charCodeAt(0) + by)
}

/** Whether all of it comes before what can be in escaped text. */
function isLow(text: string): boolean {
  return !/[^\0-#]/.test(text)
}
