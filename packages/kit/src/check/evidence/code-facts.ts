/** Where the project's code does something. */
export interface CodePlace {
  /** Relative to the project, with `/` between its parts. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** The code itself on one line, cut where it is long. */
  readonly text: string
}

/** A call to DynamoDB that the project's code makes. */
export interface CodeCall extends CodePlace {
  /** `scan` and `query` bypass the patterns; `batch-write` and `batch-get` are raw batches. */
  readonly kind: 'scan' | 'query' | 'batch-write' | 'batch-get' | 'transact'
  /** Through an entity or a table of this library, or through the AWS SDK. */
  readonly through: 'library' | 'sdk'
  /** The entity it is a call of, where it is one. */
  readonly model?: string | undefined
  /** How many members a batch or transaction has, where the code shows it: all that are written
   * out, or those of a full chunk. */
  readonly members?: number | undefined
  /** The code looks at what was not processed. */
  readonly handlesUnprocessed?: boolean | undefined
  /** A key that two actions of a transaction have, as the code has it. */
  readonly repeatedKey?: string | undefined
  /** The key condition of a raw query, where it is written out: `PK = :pk AND SK > :after`. */
  readonly keyCondition?: string | undefined
}

/** A literal value given for an attribute, with the text that a key template puts before it:
 * `'POST#123'` for `POST#${postId}`. */
export interface PrefixedValue extends CodePlace {
  readonly model: string
  readonly attribute: string
  readonly value: string
  readonly prefix: string
  /** In a write the library refuses it; in a read it is taken without the prefix. */
  readonly use: 'read' | 'write'
}

/** A change of an item's attributes by an update. */
export interface CodeUpdate extends CodePlace {
  readonly model: string
  /** Those of the model, and through the SDK also key attributes of indexes, which such code has to
   * keep itself. */
  readonly attributes: readonly string[]
  /** The library keeps copies; an update through the SDK doesn't know of them. */
  readonly through: 'library' | 'sdk'
}

/** A call that is made ready and never sent: a builder that is neither awaited nor passed on. */
export interface DroppedCall extends CodePlace {
  /** `Post.put`, or `table.transactWrite`. */
  readonly call: string
}

/** What a comment `// singletable-check P03: reason` says about a line of code. */
export interface CodeSuppression {
  readonly file: string
  /** The line that it is about: its own, or the next one where it is alone. */
  readonly line: number
  /** The rule, such as `P03`. */
  readonly code: string
  /** Empty where none is given. */
  readonly reason: string
}

/** A file that could not be looked at. */
export interface UnreadCode {
  readonly file: string
  /** Such as `does not parse: Unexpected token (3:7)`. */
  readonly reason: string
}

/** What the project's TypeScript and JavaScript does with the table. */
export interface CodeFacts {
  /** How many files were read. */
  readonly files: number
  readonly calls: readonly CodeCall[]
  readonly prefixed: readonly PrefixedValue[]
  readonly updates: readonly CodeUpdate[]
  readonly dropped: readonly DroppedCall[]
  /** The code propagates what `copyOf` repeats. */
  readonly propagates: boolean
  readonly suppressions: readonly CodeSuppression[]
  readonly unread: readonly UnreadCode[]
}

/** Of a project without code; to be spread. */
export const NO_CODE: CodeFacts = {
  files: 0,
  calls: [],
  prefixed: [],
  updates: [],
  dropped: [],
  propagates: false,
  suppressions: [],
  unread: [],
}
