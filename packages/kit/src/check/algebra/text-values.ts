import {
  type Language,
  letter,
  literal,
  NOTHING,
  noneOrMore,
  oneOf,
  SOME_TEXT,
  sequence,
} from './language.ts'
import {
  ALL_LETTERS,
  intersection,
  LAST_CODE_POINT,
  type Letters,
  lettersFrom,
  lettersOf,
  union,
  without,
} from './letters.ts'

export interface TextOptions {
  readonly separator: string
  /** Escaped, so that it may contain the separator. */
  readonly encode: boolean
  /** In small letters only. */
  readonly lower: boolean
  /** Taken as it comes, as a writer would that does not refuse the separator. */
  readonly loose: boolean
}

const CONTROLS: Letters = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
]
/** Ranges of keys end with it where a value would begin, so none begins with it. */
const LAST: Letters = [[LAST_CODE_POINT, LAST_CODE_POINT]]
const ESCAPE = '$'
const ESCAPED_MAX = 0x24
const ESCAPE_SHIFT = 0x30
const ESCAPE_SHIFT_FAR = 0x100

/** What the text of an attribute can become in a key. */
export function textValues({ separator, encode, lower, loose }: TextOptions): Language {
  if (loose) return SOME_TEXT
  const some = lower ? intersection(ALL_LETTERS, smallLetters()) : ALL_LETTERS
  return encode ? escapedText(some, separator) : plainText(without(some, CONTROLS), separator)
}

/** One value as it is in a key. */
export function textValue(value: string, { separator, encode, lower }: TextOptions): string {
  const text = lower ? value.toLowerCase() : value
  if (!encode) return text
  const signs = lettersOf(separator)
  return Array.from(text, (each) => {
    // It is a character of a text.
    const point = each.codePointAt(0)!
    const isSign = signs.some(([first, last]) => first <= point && point <= last)
    return point <= ESCAPED_MAX || isSign
      ? ESCAPE + String.fromCodePoint(point + shiftOf(separator))
      : each
  }).join('')
}

/**
 * Never contains the separator, and neither begins nor ends with one of its characters, which could
 * form one with what is next to it.
 */
function plainText(some: Letters, separator: string): Language {
  const signs = lettersOf(separator)
  const inner = without(some, signs)
  const first = letter(without(inner, LAST))
  if ([...separator].length === 1) return sequence(first, noneOrMore(letter(inner)))
  // In between there may be its characters, as long as they are not a separator.
  return sequence(
    first,
    noneOrMore(sequence(runOfSigns(intersection(some, signs), separator), letter(inner))),
  )
}

/** None or more signs without the separator among them. A separator is of eight signs at most, so
 * that all progress through it can be written out. */
function runOfSigns(signs: Letters, separator: string): Language {
  const pattern = [...separator]
  /** The longest beginning of the separator that the text read so far ends with. */
  const progress = (read: readonly string[]): number => {
    let length = Math.min(read.length, pattern.length)
    while (
      length > 0 &&
      !pattern.slice(0, length).every((each, at) => each === read[read.length - length + at])
    )
      length--
    return length
  }
  const each = [...new Set(pattern)].filter(
    (sign) => intersection(signs, lettersOf(sign)).length > 0,
  )
  const states = pattern.map((_, at) => at)
  return {
    kind: 'machine',
    start: 0,
    states: states.map((state) => ({
      ends: true,
      steps: each.flatMap((sign) => {
        const to = progress([...pattern.slice(0, state), sign])
        return to < pattern.length ? [{ letters: lettersOf(sign), to }] : []
      }),
    })),
  }
}

/** Every code point up to `$`, and every sign of the separator, is written as `$` and another
 * one. */
function escapedText(some: Letters, separator: string): Language {
  const signs = lettersOf(separator)
  const low = lettersFrom(0, ESCAPED_MAX)
  const toEscape = intersection(some, union(low, signs))
  const plain = without(without(some, low), signs)
  const shift = shiftOf(separator)
  const escaped =
    toEscape.length === 0
      ? NOTHING
      : sequence(
          literal(ESCAPE),
          letter(toEscape.map(([first, last]) => [first + shift, last + shift] as const)),
        )
  return sequence(
    oneOf([letter(without(plain, LAST)), escaped]),
    noneOrMore(oneOf([letter(plain), escaped])),
  )
}

/** What is escaped is moved out of the way of the separator. */
function shiftOf(separator: string): number {
  return [...separator].every((sign) => sign < ESCAPE) ? ESCAPE_SHIFT : ESCAPE_SHIFT_FAR
}

let small: Letters | undefined

/** Characters that are their own small letters; made when first asked for, because it takes a look
 * at all there are. */
function smallLetters(): Letters {
  if (small) return small
  const ranges: [number, number][] = []
  for (const [first, last] of ALL_LETTERS) {
    for (let point = first; point <= last; point++) {
      const character = String.fromCodePoint(point)
      if (character.toLowerCase() !== character) continue
      const before = ranges.at(-1)
      if (before?.[1] === point - 1) before[1] = point
      else ranges.push([point, point])
    }
  }
  small = ranges
  return small
}
