import { ALL_LETTERS, type Letters, lettersFrom, lettersOf } from './letters.ts'

/** A set of strings, built from smaller ones. What is built so has an automaton, so that all
 * questions about it have an exact answer. */
export type Language =
  | { readonly kind: 'letter'; readonly letters: Letters }
  | { readonly kind: 'sequence'; readonly parts: readonly Language[] }
  | { readonly kind: 'choice'; readonly options: readonly Language[] }
  /** None or more of them, one after the other. */
  | { readonly kind: 'repetition'; readonly of: Language }
  /** All strings that come at or after it, or at or before it, in DynamoDB's order. */
  | { readonly kind: 'bound'; readonly text: string; readonly side: 'from' | 'up-to' }
  /** What an automaton reads that is written out. */
  | { readonly kind: 'machine'; readonly start: number; readonly states: readonly MachineState[] }

export interface MachineState {
  /** A text may end here. */
  readonly ends: boolean
  readonly steps: readonly { readonly letters: Letters; readonly to: number }[]
}

export const EMPTY_TEXT: Language = { kind: 'sequence', parts: [] }

/** One character of the set. */
export function letter(letters: Letters): Language {
  return { kind: 'letter', letters }
}

/** Just this text. */
export function literal(text: string): Language {
  return sequence(...Array.from(text, (each) => letter(lettersOf(each))))
}

export function sequence(...parts: readonly Language[]): Language {
  return { kind: 'sequence', parts }
}

export function oneOf(options: readonly Language[]): Language {
  return { kind: 'choice', options }
}

export function noneOrMore(of: Language): Language {
  return { kind: 'repetition', of }
}

export function oneOrMore(of: Language): Language {
  return sequence(of, noneOrMore(of))
}

/** Every text, the empty one too. */
export const ANY_TEXT: Language = noneOrMore(letter(ALL_LETTERS))

/** Every text but the empty one. */
export const SOME_TEXT: Language = oneOrMore(letter(ALL_LETTERS))

/** All that begins as one of these strings does: what `begins_with` finds. */
export function beginningWith(head: Language): Language {
  return sequence(head, ANY_TEXT)
}

/** Decimal digits, always this many. */
export function digits(count: number): Language {
  return sequence(...Array.from({ length: count }, () => letter(lettersFrom('0', '9'))))
}

/** The whole numbers from 0 to the greatest, filled up with zeros to its length. */
export function numbersUpTo(greatest: string): Language {
  const options = Array.from(greatest, (digit, at): Language => {
    // Equal up to here, smaller here, and then anything.
    const rest = digits(greatest.length - at - 1)
    return digit === '0'
      ? NOTHING
      : sequence(
          literal(greatest.slice(0, at)),
          letter(lettersFrom('0', String(Number(digit) - 1))),
          rest,
        )
  })
  return oneOf([...options, literal(greatest)])
}

/** No text at all. */
export const NOTHING: Language = { kind: 'choice', options: [] }

/** Just these strings. Read letter by letter all at once, so that thousands of them are fast. */
export function oneOfStrings(strings: readonly string[]): Language {
  const states: { ends: boolean; steps: { letters: Letters; to: number }[] }[] = [
    { ends: false, steps: [] },
  ]
  const next = new Map<string, number>()
  for (const text of strings) {
    let at = 0
    for (const each of text) {
      const id = `${at} ${each}`
      let to = next.get(id)
      if (to === undefined) {
        to = states.push({ ends: false, steps: [] }) - 1
        next.set(id, to)
        // The state was made before this one.
        states[at]!.steps.push({ letters: lettersOf(each), to })
      }
      at = to
    }
    states[at]!.ends = true
  }
  return { kind: 'machine', start: 0, states }
}
