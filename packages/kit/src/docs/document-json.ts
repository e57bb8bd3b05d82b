import type { PatternPlan, SchemaDefinition } from 'singletable/tools'
import {
  type DefinitionData,
  definitionData,
  readDefinitionData,
} from '../check/evidence/definition-data.ts'
import type { Finding } from '../check/rules/rule.ts'
import type { Bill } from '../cost/monthly-bill.ts'
import type { Collection } from './collections.ts'
import type { DocumentSources } from './document-sources.ts'
import type { Relation } from './relations.ts'

export const DOCUMENT_FORMAT = 'singletable-docs/1'

/**
 * The content of the document as data for other programs. Within a format version, members are only
 * added.
 */
export interface DocumentJson {
  readonly format: typeof DOCUMENT_FORMAT
  readonly name: string
  readonly hash: string
  /** The definition of the schema: types are their names, and code is `{ "$code": … }`. */
  readonly definition: DefinitionData
  /** By pattern. */
  readonly plans: { readonly [pattern: string]: PatternPlan }
  readonly cost: Bill
  readonly findings: readonly Finding[]
  /** Findings that the schema suppresses with a reason. */
  readonly suppressed: readonly Finding[]
  readonly collections: readonly Collection[]
  readonly relations: readonly Relation[]
}

export function documentJson(sources: DocumentSources): DocumentJson {
  const { name, hash, design, report, bill, collections, relations } = sources
  return {
    format: DOCUMENT_FORMAT,
    name,
    hash,
    definition: definitionData(design.definition),
    plans: Object.fromEntries(design.plans),
    cost: bill,
    findings: report.findings,
    suppressed: report.suppressed,
    collections,
    relations,
  }
}

/** The file is not a document that this command wrote. */
export class DocumentFormatError extends Error {}

/** The schema of a document: it can be compiled and compared, but its code does nothing. */
export function definitionOf(json: unknown): SchemaDefinition {
  const { format, definition } = Object(json) as { format?: unknown; definition?: unknown }
  if (format !== DOCUMENT_FORMAT) {
    throw new DocumentFormatError(
      `Its format is ${JSON.stringify(format) ?? 'missing'}, and only ${DOCUMENT_FORMAT} can be read.`,
    )
  }
  if (typeof definition !== 'object' || definition === null) {
    throw new DocumentFormatError('It has no definition of a schema.')
  }
  return readDefinitionData(definition as DefinitionData)
}
