/** A kind of request that was sent while tests ran. */
export interface RecordedShape {
  /** DynamoDB's operation, `Query`. */
  readonly operation: string
  readonly index: string | null
  /** The key condition with values replaced: `pk = USER#${…} AND begins_with(sk, POST#)`. */
  readonly key: string | null
  readonly filter: string | null
  /** The declared pattern that was called, or whose plan it matches; null if there is none. */
  readonly pattern: string | null
  /** The entity that was called, where it was one. */
  readonly entity?: string | null
  /** What was called: `query`, `put`. */
  readonly verb?: string
  readonly count: number
  readonly itemsRead: number
  readonly itemsReturned: number
}

/** What tests executed. */
export interface Recording {
  readonly shapes: readonly RecordedShape[]
  /** Requests to tables of other schemas, which are not among the shapes. */
  readonly otherRequests?: number
}
