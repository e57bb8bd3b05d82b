/** Further apart than this, two names are not taken for one. */
const DISTANCE_MAX = 2
/** Longer ones are not typos of a known name. */
const LENGTH_MAX = 64

/** ` (did you mean "title"?)` for a name that is near one of the known ones, else nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  let nearest = ''
  let least = DISTANCE_MAX + 1
  for (const candidate of name.length > LENGTH_MAX ? [] : known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < least && distance * 2 <= candidate.length) {
      nearest = candidate
      least = distance
    }
  }
  return nearest === '' ? '' : ` (did you mean "${nearest}"?)`
}

/** That a value is none of those that are allowed. */
export function notOneOf(value: unknown, allowed: readonly unknown[] = []): string {
  const values = allowed.map((each) => JSON.stringify(each)).join(', ')
  return `is not one of ${values}${didYouMean(String(value), allowed.map(String))}`
}

/** Characters to insert, delete, replace or swap with the next one, row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  let before = row
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(
        Math.min(
          row[j]! + 1,
          next[j - 1]! + 1,
          row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwap ? before[j - 2]! + 1 : j + i,
        ),
      )
    }
    before = row
    row = next
  }
  return row[b.length]!
}
