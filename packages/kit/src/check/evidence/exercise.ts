/** Where a pattern did something else than its declaration says. */
export interface ExerciseFailure {
  /** What it should have given: `7 items of Post`. */
  readonly expected: string
  /** What it gave: `8 items, among them Comment { postId: "x" }`. */
  readonly got: string
  /** The call, as it could be written: `postsByUser({ username: "a" }, { limit: 2 })`. */
  readonly call: string
}

/** What running one pattern on sample data has shown. */
export interface PatternExercise {
  readonly pattern: string
  /** Calls with different inputs and page sizes. */
  readonly runs: number
  /** Items that the pattern is about, and others in the same table. */
  readonly matching: number
  readonly others: number
  readonly failures: readonly ExerciseFailure[]
  /** The capacity units that the most expensive of its calls consumed. */
  readonly units: number
  /** Why it was not run, and what helps. */
  readonly skipped?: string | undefined
  /** Another service answers it, so that there is nothing to run. */
  readonly elsewhere?: true | undefined
}

/** What `check --run` has shown. */
export interface Exercise {
  readonly patterns: readonly PatternExercise[]
  /** The same seed gives the same items, and the same failures. */
  readonly seed: number
}

/** The patterns that should have been run and could not be. */
export function unexercisedOf({ patterns }: Exercise): readonly PatternExercise[] {
  return patterns.filter(({ skipped, elsewhere }) => skipped !== undefined && !elsewhere)
}
