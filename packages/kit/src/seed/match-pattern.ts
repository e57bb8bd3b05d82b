import type { SeededRandom } from './seeded-random.ts'

/** The most that an unbounded repetition adds to its minimum. */
const MORE_MAX = 4
const REPETITIONS_MAX = 1_000
const PRINTABLE = characters(0x20, 0x7e)
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  d: characters(0x30, 0x39),
  w: [...characters(0x61, 0x7a), ...characters(0x41, 0x5a), ...characters(0x30, 0x39), '_'],
  s: [' '],
}
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' }

type Maker = (random: SeededRandom) => string

/** The pattern uses a feature that is not supported here, such as a reference to a group. */
class UnreadPatternError extends Error {}

/**
 * Makes a string that a regular expression most likely matches. Assertions (`\b`, lookahead) are
 * ignored, so the caller has to test the string. Undefined for a pattern that is not supported.
 */
export function patternMaker(pattern: RegExp): Maker | undefined {
  try {
    const reader = new PatternReader(pattern.source)
    return reader.whole()
  } catch (error) {
    if (error instanceof UnreadPatternError) return undefined
    throw error
  }
}

function characters(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
}

/** Reads the source of a regular expression, which is valid because it is from a RegExp. */
class PatternReader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  whole(): Maker {
    const made = this.#choices()
    if (this.#at < this.#source.length) throw new UnreadPatternError()
    return made
  }

  #peek(text: string): boolean {
    return this.#source.startsWith(text, this.#at)
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false
    this.#at += text.length
    return true
  }

  #next(): string {
    const character = this.#source[this.#at++]
    if (character === undefined) throw new UnreadPatternError()
    return character
  }

  #choices(): Maker {
    const choices = [this.#sequence()]
    while (this.#take('|')) choices.push(this.#sequence())
    return (random) => random.pick(choices)(random)
  }

  #sequence(): Maker {
    const parts: Maker[] = []
    while (this.#at < this.#source.length && !this.#peek('|') && !this.#peek(')')) {
      parts.push(this.#repeated(this.#atom()))
    }
    return (random) => parts.map((part) => part(random)).join('')
  }

  #atom(): Maker {
    if (this.#take('(')) return this.#group()
    if (this.#take('[')) return pickOf(this.#class())
    const character = this.#next()
    if (character === '^' || character === '$') return () => ''
    if (character === '.') return pickOf(CLASSES.w ?? [])
    if (character !== '\\') return () => character
    if (/[bB]/.test(this.#source[this.#at] ?? '')) {
      this.#at++
      return () => ''
    }
    return pickOf(this.#escape())
  }

  #group(): Maker {
    const isAround = ['?=', '?!', '?<=', '?<!'].some((each) => this.#take(each))
    if (!isAround && !this.#take('?:') && this.#take('?<')) {
      while (this.#next() !== '>');
    }
    const inside = this.#choices()
    if (!this.#take(')')) throw new UnreadPatternError()
    return isAround ? () => '' : inside
  }

  /** What follows a backslash. */
  #escape(): readonly string[] {
    const character = this.#next()
    const known = CLASSES[character.toLowerCase()]
    if (known) {
      return character === character.toLowerCase() ? known : without(PRINTABLE, known)
    }
    if (character === 'x' || (character === 'u' && !this.#peek('{'))) {
      const length = character === 'x' ? 2 : 4
      const code = Number.parseInt(this.#source.slice(this.#at, this.#at + length), 16)
      this.#at += length
      if (Number.isNaN(code)) throw new UnreadPatternError()
      return [String.fromCharCode(code)]
    }
    // References to groups, and classes by property.
    if (/[1-9pPku]/.test(character)) throw new UnreadPatternError()
    return [ESCAPES[character] ?? character]
  }

  #class(): readonly string[] {
    const isNot = this.#take('^')
    const found: string[] = []
    while (!this.#take(']')) {
      const first = this.#member()
      const isRange = this.#peek('-') && this.#source[this.#at + 1] !== ']'
      if (!isRange || first.length !== 1) {
        found.push(...first)
        continue
      }
      this.#at++
      const from = first[0]?.codePointAt(0) ?? 0
      const to = this.#member()[0]?.codePointAt(0) ?? 0
      found.push(...characters(from, Math.min(to, from + 0x7f)))
    }
    const chosen = isNot ? without(PRINTABLE, found) : found
    if (chosen.length === 0) throw new UnreadPatternError()
    return chosen
  }

  #member(): readonly string[] {
    const character = this.#next()
    return character === '\\' ? this.#escape() : [character]
  }

  #repeated(part: Maker): Maker {
    const [least, most] = this.#repetitions()
    this.#take('?')
    if (least === 1 && most === 1) return part
    if (least > REPETITIONS_MAX) throw new UnreadPatternError()
    const room = Math.min(most, least + MORE_MAX) - least
    return (random) =>
      Array.from({ length: least + random.below(room + 1) }, () => part(random)).join('')
  }

  #repetitions(): readonly [least: number, most: number] {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    const found = /^\{(\d+)(,?)(\d*)\}/.exec(this.#source.slice(this.#at))
    if (found === null) return [1, 1]
    this.#at += found[0].length
    const least = Number(found[1])
    if (found[2] === '') return [least, least]
    return [least, found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3])]
  }
}

function pickOf(list: readonly string[]): Maker {
  return (random) => random.pick(list)
}

function without(list: readonly string[], left: readonly string[]): readonly string[] {
  return list.filter((each) => !left.includes(each))
}
