/** What running one pattern on made-up items has shown. */
export interface PatternProof {
  readonly pattern: string
  /** Runs with different inputs. */
  readonly runs: number
  /** Items that had to be told apart. */
  readonly matching: number
  readonly decoys: number
  /** What was expected and what came, where they differ: `expected 3 items, got 4`, with the decoy's entity. */
  readonly failures: readonly {
    readonly expected: string
    readonly got: string
    readonly decoy?: string
  }[]
  /** Why it could not be run. */
  readonly skipped?: string | undefined
}

/** What `check --run` has shown. */
export interface Proof {
  readonly patterns: readonly PatternProof[]
}
