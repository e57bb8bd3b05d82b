import type { Language } from './language.ts'
import { ALL_LETTERS, LAST_CODE_POINT, type Letters, lettersFrom, lettersOf } from './letters.ts'

/** Reads a text letter by letter; a state can continue to several. */
export interface Automaton {
  /** What can be read in each state, and where that leads. */
  readonly steps: readonly (readonly Step[])[]
  /** Whether a text may end in the state. */
  readonly ends: readonly boolean[]
  /** The state before the first letter. */
  readonly start: number
}

export interface Step {
  readonly letters: Letters
  readonly to: number
}

const automata = new WeakMap<Language, Automaton>()

/** The automaton of a language; made once for each. */
export function automatonOf(language: Language): Automaton {
  const known = automata.get(language)
  if (known) return known
  const made = makeAutomaton(language)
  automata.set(language, made)
  return made
}

function makeAutomaton(language: Language): Automaton {
  const steps: Step[][] = []
  /** Where a state leads without reading anything. */
  const silent: number[][] = []
  const newState = (): number => {
    silent.push([])
    return steps.push([]) - 1
  }
  // The states were all made here.
  const link = (from: number, to: number): void => void silent[from]!.push(to)
  /** Adds the states of a part, from where on it is read, and gives where it ends. Parts are nested
   * as deep as this package builds them. */
  const add = (part: Language, from: number): number => {
    switch (part.kind) {
      case 'letter': {
        const to = newState()
        if (part.letters.length > 0) steps[from]!.push({ letters: part.letters, to })
        return to
      }
      case 'sequence': {
        let end = from
        for (const each of part.parts) end = add(each, end)
        return end
      }
      case 'choice': {
        const end = newState()
        for (const option of part.options) {
          const start = newState()
          link(from, start)
          link(add(option, start), end)
        }
        return end
      }
      case 'repetition': {
        const start = newState()
        link(from, start)
        link(add(part.of, start), start)
        const end = newState()
        link(start, end)
        return end
      }
      case 'machine': {
        const own = part.states.map(newState)
        const end = newState()
        for (const [at, { ends, steps: out }] of part.states.entries()) {
          if (ends) link(own[at]!, end)
          for (const { letters, to } of out) steps[own[at]!]!.push({ letters, to: own[to]! })
        }
        link(from, own[part.start]!)
        return end
      }
      case 'bound': {
        const isFrom = part.side === 'from'
        const end = newState()
        // Once a letter decides, anything may follow.
        const decided = newState()
        steps[decided]!.push({ letters: ALL_LETTERS, to: decided })
        link(decided, end)
        let equal = from
        for (const each of part.text) {
          const point = each.codePointAt(0)!
          const letters = isFrom
            ? lettersFrom(point + 1, LAST_CODE_POINT)
            : lettersFrom(0, point - 1)
          if (letters.length > 0) steps[equal]!.push({ letters, to: decided })
          // A string comes before all longer ones that begin with it.
          if (!isFrom) link(equal, end)
          const next = newState()
          steps[equal]!.push({ letters: lettersOf(each), to: next })
          equal = next
        }
        link(equal, isFrom ? decided : end)
        return end
      }
    }
  }
  const start = newState()
  const end = add(language, start)
  const reachable = steps.map((_, state) => silentlyFrom(state, silent))
  return {
    start,
    steps: reachable.map((states) => states.flatMap((state) => steps[state]!)),
    ends: reachable.map((states) => states.includes(end)),
  }
}

function silentlyFrom(state: number, silent: readonly (readonly number[])[]): readonly number[] {
  const found = new Set([state])
  // A set is walked in the order of its additions, those made on the way too.
  for (const each of found) for (const next of silent[each]!) found.add(next)
  return [...found]
}
