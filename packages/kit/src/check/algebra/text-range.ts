import {
  ANY_TEXT,
  EMPTY_TEXT,
  type Language,
  letter,
  literal,
  NOTHING,
  oneOf,
  sequence,
} from './language.ts'
import { lettersFrom } from './letters.ts'

/** The ends of a range of keys, both in it; one that is not given is open. */
export interface TextBounds {
  readonly low?: string | undefined
  readonly high?: string | undefined
}

/**
 * All strings of the range in DynamoDB's order of keys: by UTF-8 bytes, which is the order of code
 * points, with a string before all longer ones that begin with it.
 */
export function stringsBetween({ low, high }: TextBounds): Language {
  if (low === undefined && high === undefined) return ANY_TEXT
  if (low === undefined) return { kind: 'bound', text: high ?? '', side: 'up-to' }
  if (high === undefined) return { kind: 'bound', text: low, side: 'from' }
  const [from, to] = [[...low], [...high]]
  // As far as both ends are the same, every text in the range begins so.
  let same = 0
  while (same < from.length && same < to.length && from[same] === to[same]) same++
  const head = literal(from.slice(0, same).join(''))
  const [low1, high1] = [from[same], to[same]]
  const lowRest = from.slice(same + 1).join('')
  const highRest = to.slice(same + 1).join('')
  // The upper end is a beginning of the lower one: there is a text between only if they are the
  // same.
  if (high1 === undefined) return low1 === undefined ? head : NOTHING
  const below: Language = sequence(literal(high1), { kind: 'bound', text: highRest, side: 'up-to' })
  if (low1 === undefined) {
    const smaller = sequence(letter(lettersBetween(undefined, high1)), ANY_TEXT)
    return sequence(head, oneOf([EMPTY_TEXT, smaller, below]))
  }
  if (pointOf(low1) > pointOf(high1)) return NOTHING
  const above: Language = sequence(literal(low1), { kind: 'bound', text: lowRest, side: 'from' })
  const amid = sequence(letter(lettersBetween(low1, high1)), ANY_TEXT)
  return sequence(head, oneOf([above, amid, below]))
}

/** Those greater than the first and less than the second. */
function lettersBetween(low: string | undefined, high: string): ReturnType<typeof lettersFrom> {
  const [first, last] = [low === undefined ? 0 : pointOf(low) + 1, pointOf(high) - 1]
  return first > last ? [] : lettersFrom(first, last)
}

function pointOf(character: string): number {
  // It is one character, as taken from a text.
  return character.codePointAt(0)!
}
