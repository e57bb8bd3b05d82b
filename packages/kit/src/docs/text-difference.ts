const LINES_SHOWN_MAX = 16
const LINE_CHARACTERS_MAX = 160
/** Longer texts are compared from their ends on only. */
const CELLS_MAX = 4_000_000

/** Where two texts differ, in short: lines that are there with `-`, lines that should be with `+`. Empty if they don't. */
export function textDifference(there: string, wanted: string): readonly string[] {
  const [a, b] = [there.split('\n'), wanted.split('\n')]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  if (start === a.length && start === b.length) return []
  let tail = 0
  while (
    tail < a.length - start &&
    tail < b.length - start &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  ) {
    tail++
  }
  const changes = changedLines(a.slice(start, a.length - tail), b.slice(start, b.length - tail))
  const shown = changes.slice(0, LINES_SHOWN_MAX)
  const more = changes.length - shown.length
  return [
    `@@ line ${start + 1} @@`,
    ...shown.map((line) => cut(line)),
    ...(more > 0 ? [`… and ${more} more lines`] : []),
  ]
}

/** Lines of one text that are not in the other, in their order. */
function changedLines(a: readonly string[], b: readonly string[]): readonly string[] {
  const removed = (line: string): string => `- ${line}`
  const added = (line: string): string => `+ ${line}`
  if (a.length * b.length > CELLS_MAX) return [...a.map(removed), ...b.map(added)]
  // The length of what the rests have in common, from each pair of positions on.
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number): number => common[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const changes: string[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++
      j++
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      changes.push(removed(a[i++] ?? ''))
    } else changes.push(added(b[j++] ?? ''))
  }
  return changes
}

function cut(line: string): string {
  const characters = [...line]
  return characters.length <= LINE_CHARACTERS_MAX
    ? line
    : `${characters.slice(0, LINE_CHARACTERS_MAX - 1).join('')}…`
}
