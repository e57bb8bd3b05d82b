/** How a change has to be deployed. */
type ChangeClass =
  /** Nothing that is stored changes. */
  | 'none'
  /** Items get something more; old code can read them still. */
  | 'expand'
  /** Nothing changes, and values that are stored may not fit any more. */
  | 'check'
  /** Items lose something; no code may need it any more. */
  | 'contract'
  /** Items get other keys. */
  | 'move'
  /** Indexes of the table change. */
  | 'index'

/** A difference between two versions of a schema, and the steps that carry it out. */
export interface SchemaChange {
  readonly class: ChangeClass
  /** A sentence. */
  readonly what: string
  /** The steps as code, each a call: `addAttribute('User', 'plan', 'free')`. */
  readonly steps: readonly string[]
  /** It takes something away, which only the undo log has then. */
  readonly isLossy?: boolean
}
