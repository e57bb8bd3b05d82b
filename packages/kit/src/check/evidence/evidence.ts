import type { SchemaReading } from 'singletable/tools'
import type { CodeFacts } from './code-facts.ts'
import type { CommittedDocument } from './committed-document.ts'
import type { Exercise } from './exercise.ts'
import type { Recording } from './recording.ts'
import type { TableSample } from './table-sample.ts'

/** What is known about a table besides its schema; rules that need it report nothing without it. */
export interface Evidence {
  readonly sample?: TableSample | undefined
  readonly code?: CodeFacts | undefined
  readonly recording?: Recording | undefined
  /** The schema before the change that is checked. */
  readonly before?: SchemaReading | undefined
  readonly exercise?: Exercise | undefined
  readonly document?: CommittedDocument | undefined
  /** Milliseconds since 1970: the end of ranges that have none. Without it, one bucket of time is
   * counted of them. */
  readonly now?: number | undefined
}
