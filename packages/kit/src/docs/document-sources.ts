import type { Model, Schema, SchemaReading } from 'singletable/tools'
import type { Report } from '../check/check-design.ts'
import type { Design } from '../check/design/design.ts'
import type { Finding } from '../check/rules/rule.ts'
import type { Bill, PatternBill } from '../cost/monthly-bill.ts'
import type { ExampleCall } from '../examples/example-calls.ts'
import type { Collection } from './collections.ts'
import type { Relation } from './relations.ts'

/** Everything that the document is made from. */
export interface DocumentSources {
  /** The name of the table in the document. */
  readonly name: string
  readonly design: Design
  readonly schema: Schema
  /** Changes whenever the schema does. */
  readonly hash: string
  readonly report: Report
  readonly bill: Bill
  /** The earlier schema that this one is compared with, and its hash. */
  readonly before?:
    | { readonly reading: SchemaReading; readonly schema: Schema; readonly hash: string }
    | undefined
  /** Findings of the rules that compare the two schemas. */
  readonly changeFindings: readonly Finding[]
  readonly collections: readonly Collection[]
  readonly relations: readonly Relation[]
  /** By pattern; a pattern that no sample item can answer has none. */
  readonly calls: ReadonlyMap<string, ExampleCall>
}

/** The bill of one pattern; undefined if another service answers it. */
export function billFor({ bill }: DocumentSources, pattern: string): PatternBill | undefined {
  return bill.patterns.find((each) => each.pattern === pattern)
}

/** Whether tests ran the pattern, according to a recording. */
export function isTested({ design }: DocumentSources, pattern: string): boolean | undefined {
  return design.recording?.shapes.some((shape) => shape.pattern === pattern && shape.count > 0)
}

/** Models without the copies of others. */
export function ownModels({ schema }: DocumentSources): readonly Model[] {
  return [...schema.models.values()].filter(({ source }) => source === undefined)
}
