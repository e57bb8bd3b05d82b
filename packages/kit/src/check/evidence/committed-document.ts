/** The generated document as it is in the project, and what it should be. */
export interface CommittedDocument {
  /** Relative to the project. */
  readonly file: string
  readonly committed: string
  readonly generated: string
}
