import type { Position } from '../../schema-file/locate-schema.ts'
import type { SchemaEdit } from '../../schema-file/suggest-edits.ts'
import type { Design } from '../design/design.ts'

/** `error` makes the check fail; `info` is good to know. */
export type Severity = 'error' | 'warning' | 'info'

/** What a rule looks at besides the schema and its patterns; it is silent where that is not
 * given. */
export type Source = 'schema' | 'data' | 'code' | 'recording' | 'before' | 'run' | 'document'

/** What a finding is about, by the user's own names. */
export interface Place {
  readonly model?: string | undefined
  readonly attribute?: string | undefined
  readonly index?: string | undefined
  readonly pattern?: string | undefined
  /** Relative to the project. */
  readonly file?: string | undefined
  readonly line?: number | undefined
}

/** What a rule has to say. */
export interface Notice {
  /** One sentence or two, with the user's own names. */
  readonly message: string
  /** What to do about it. */
  readonly fix: string
  /** The same in the source of the schema, where one change of it is the fix. */
  readonly edits?: readonly SchemaEdit[] | undefined
  readonly place: Place
  /** Where it is not the rule's own. */
  readonly severity?: Severity | undefined
}

/** One rule of the catalogue. */
export interface Rule {
  /** Such as `K01`; stable. */
  readonly code: string
  /** Such as `key-collision`. */
  readonly name: string
  readonly severity: Severity
  /** What it needs besides the schema. */
  readonly source: Source
  /** What it looks for, in one line. */
  readonly title: string
  /** Why that matters and how to fix it, for `--explain`: a few short paragraphs, with an example
   * of wrong and right. */
  readonly explanation: string
  check(design: Design): Iterable<Notice>
}

/** A notice with its rule, as it is reported. */
export interface Finding extends Notice {
  readonly code: string
  readonly name: string
  readonly severity: Severity
  /** Where the schema says what it is about, if its source is known. */
  readonly position?: Position | undefined
  /** Why it doesn't count. */
  readonly suppressed?: { readonly reason: string; readonly until?: string | undefined } | undefined
}
