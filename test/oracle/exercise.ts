/** Where a pattern did something else than its declaration says. */
export interface ExerciseFailure {
  /** What it should have given: `7 items of Post`. */
  readonly expected: string
  /** What came instead: `8 items, among them a Comment { postId: "x" }`. */
  readonly got: string
  /** The call, as it could be written: `postsByUser({ username: "a" }, { limit: 2 })`. */
  readonly call: string
  /** The entity of an item that should not have been among the results. */
  readonly negative?: string
}

/** What running one pattern on sample items has shown. */
export interface PatternExercise {
  readonly pattern: string
  /** Runs with different inputs and page sizes. */
  readonly runs: number
  /** Items that had to be distinguished. */
  readonly matching: number
  readonly negatives: number
  /** What was expected and what came, where they differ. */
  readonly failures: readonly ExerciseFailure[]
  /** Why it could not be run, and what helps. */
  readonly skipped?: string | undefined
}

/** What `check --run` has shown. */
export interface Exercise {
  readonly patterns: readonly PatternExercise[]
  /** The same seed gives the same items, and the same failures. */
  readonly seed: number
}
