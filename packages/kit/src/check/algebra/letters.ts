/**
 * A set of characters, as ranges of code points in ascending order that neither meet nor touch.
 * DynamoDB orders strings by their UTF-8 bytes, and that is the order of code points.
 */
export type Letters = readonly (readonly [first: number, last: number])[]

export const LAST_CODE_POINT = 0x10ffff

/** What no text can contain: half a surrogate pair. */
const SURROGATES: Letters = [[0xd800, 0xdfff]]

/** Every character that a text can have. */
export const ALL_LETTERS: Letters = without([[0, LAST_CODE_POINT]], SURROGATES)

export function lettersOf(text: string): Letters {
  return union(...Array.from(text, (letter): Letters => [[codePoint(letter), codePoint(letter)]]))
}

export function lettersFrom(first: string | number, last: string | number): Letters {
  return intersection(ALL_LETTERS, [[codePoint(first), codePoint(last)]])
}

export function union(...sets: readonly Letters[]): Letters {
  const ranges = sets.flat().sort((a, b) => a[0] - b[0])
  const joined: [number, number][] = []
  for (const [first, last] of ranges) {
    const before = joined.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else joined.push([first, last])
  }
  return joined
}

export function intersection(a: Letters, b: Letters): Letters {
  const common: [number, number][] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    // Both are within bounds, as the loop asks.
    const [[firstA, lastA], [firstB, lastB]] = [a[i]!, b[j]!]
    const [first, last] = [Math.max(firstA, firstB), Math.min(lastA, lastB)]
    if (first <= last) common.push([first, last])
    if (lastA < lastB) i++
    else j++
  }
  return common
}

export function without(set: Letters, removed: Letters): Letters {
  const rest: [number, number][] = []
  for (const [first, last] of set) {
    let from = first
    for (const [start, end] of removed) {
      if (end < from || start > last) continue
      if (start > from) rest.push([from, start - 1])
      from = end + 1
    }
    if (from <= last) rest.push([from, last])
  }
  return rest
}

export function contains(set: Letters, letter: number): boolean {
  return set.some(([first, last]) => first <= letter && letter <= last)
}

/** Characters that read well in an example, the best first. */
const READABLE = [...'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map(
  codePoint,
)

/** One of them, for an example; undefined if there is none. */
export function exampleLetter(set: Letters): string | undefined {
  const found = READABLE.find((letter) => contains(set, letter)) ?? set[0]?.[0]
  return found === undefined ? undefined : String.fromCodePoint(found)
}

function codePoint(letter: string | number): number {
  // A text always has a first character where one is asked for.
  return typeof letter === 'number' ? letter : letter.codePointAt(0)!
}
