/** A call to DynamoDB that the project's code makes. */
export interface CodeCall {
  /** Relative to the project. */
  readonly file: string
  readonly line: number
  /** `scan` and `query` bypass the patterns; `batch-write` and `batch-get` are raw batches. */
  readonly kind: 'scan' | 'query' | 'batch-write' | 'batch-get' | 'transact'
  /** How many members a literal batch or transaction has, where the code shows it. */
  readonly members?: number | undefined
  /** The code looks at what was not processed. */
  readonly handlesUnprocessed?: boolean | undefined
  /** Further facts of other rules are added here by name. */
  readonly text: string
}

/** What the project's TypeScript and JavaScript does with the table. */
export interface CodeFacts {
  readonly calls: readonly CodeCall[]
  readonly files: number
}
