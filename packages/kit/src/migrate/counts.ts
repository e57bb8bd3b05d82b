/** What a pass over the table found and did. */
export interface Counts {
  readonly read: number
  readonly changed: number
  /** Items that somebody changed between reading and writing, and that were read again. */
  readonly conflicts: number
  readonly problems: number
  /** The first problems, each with the key of its item. */
  readonly examples: readonly string[]
}

export const NO_COUNTS: Counts = { read: 0, changed: 0, conflicts: 0, problems: 0, examples: [] }

const EXAMPLES_MAX = 20

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    read: a.read + b.read,
    changed: a.changed + b.changed,
    conflicts: a.conflicts + b.conflicts,
    problems: a.problems + b.problems,
    examples: [...a.examples, ...b.examples].slice(0, EXAMPLES_MAX),
  }
}
