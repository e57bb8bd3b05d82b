import type { SchemaReading } from 'singletable/tools'
import type { CodeFacts } from './code-facts.ts'
import type { CommittedDocument } from './committed-document.ts'
import type { Proof } from './proof.ts'
import type { Recording } from './recording.ts'
import type { TableSample } from './table-sample.ts'

/** What is known about a table besides its schema; rules that need it report nothing without it. */
export interface Evidence {
  readonly sample?: TableSample | undefined
  readonly code?: CodeFacts | undefined
  readonly recording?: Recording | undefined
  /** The schema before the change that is checked. */
  readonly before?: SchemaReading | undefined
  readonly proof?: Proof | undefined
  readonly document?: CommittedDocument | undefined
}
