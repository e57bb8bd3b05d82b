import { diffArrays } from 'diff/lib/diff/array.js'

const LINES_SHOWN_MAX = 16
const LINE_CHARACTERS_MAX = 160
/**
 * Files that differ in more lines are shown as one removed and one added line, without comparing
 * the rest.
 */
const LINES_CHANGED_MAX = 1_000

/**
 * The difference of two files in short: `-` for actual lines, `+` for expected lines. Empty if they
 * are equal.
 */
export function textDifference(there: string, wanted: string): readonly string[] {
  if (there === wanted) return []
  const [before, after] = [there.split('\n'), wanted.split('\n')]
  const parts = diffArrays(before, after, { maxEditLength: LINES_CHANGED_MAX }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ]
  const [first] = parts
  const start = first === undefined || first.added || first.removed ? 0 : first.value.length
  const changes = parts.flatMap(({ value, added, removed }) =>
    added || removed ? value.map((line) => `${added ? '+' : '-'} ${line}`) : [],
  )
  const shown = changes.slice(0, LINES_SHOWN_MAX)
  const more = changes.length - shown.length
  return [
    `@@ line ${start + 1} @@`,
    ...shown.map(cut),
    ...(more > 0 ? [`… and ${more} more lines`] : []),
  ]
}

function cut(line: string): string {
  const characters = [...line]
  return characters.length <= LINE_CHARACTERS_MAX
    ? line
    : `${characters.slice(0, LINE_CHARACTERS_MAX - 1).join('')}…`
}
