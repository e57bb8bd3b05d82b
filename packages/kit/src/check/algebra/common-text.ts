import { automatonOf } from './automaton.ts'
import type { Language } from './language.ts'
import { exampleLetter, intersection } from './letters.ts'

/** A shortest text that both languages have, or undefined if they have none in common. Exact: it
 * walks both automata at once. */
export function commonText(a: Language, b: Language): string | undefined {
  const [one, other] = [automatonOf(a), automatonOf(b)]
  const width = other.steps.length
  /** By pair of states: the pair before it and the letter between them. */
  const before = new Map<number, { readonly pair: number; readonly letter: string } | undefined>()
  const first = one.start * width + other.start
  before.set(first, undefined)
  // A map is walked in the order of its additions, so pairs that are nearer come first.
  for (const pair of before.keys()) {
    const [stateA, stateB] = [Math.floor(pair / width), pair % width]
    if (one.ends[stateA] && other.ends[stateB]) return textTo(pair, before)
    for (const stepA of one.steps[stateA] ?? []) {
      for (const stepB of other.steps[stateB] ?? []) {
        const next = stepA.to * width + stepB.to
        if (before.has(next)) continue
        const letter = exampleLetter(intersection(stepA.letters, stepB.letters))
        if (letter !== undefined) before.set(next, { pair, letter })
      }
    }
  }
  return undefined
}

/** Whether the languages have a text in common. */
export function canMeet(a: Language, b: Language): boolean {
  return commonText(a, b) !== undefined
}

function textTo(
  end: number,
  before: ReadonlyMap<number, { readonly pair: number; readonly letter: string } | undefined>,
): string {
  const letters: string[] = []
  for (let step = before.get(end); step !== undefined; step = before.get(step.pair)) {
    letters.push(step.letter)
  }
  return letters.reverse().join('')
}
