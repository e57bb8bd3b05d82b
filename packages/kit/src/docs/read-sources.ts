import { createHash } from 'node:crypto'
import type { SchemaDefinition } from 'singletable/tools'
import { checkDesign } from '../check/check-design.ts'
import type { Design } from '../check/design/design.ts'
import { definitionData } from '../check/evidence/definition-data.ts'
import { billOf } from '../cost/monthly-bill.ts'
import { collectionsOf } from './collections.ts'
import type { DocumentSources } from './document-sources.ts'
import { relationsOf } from './relations.ts'
import { sampleItems } from './sample-items.ts'

/** A day before all others: what is accepted until some day is in the document with that day, whichever day it is made. */
const NO_DAY = '0000-00-00'
const HASH_DIGITS = 12

/**
 * Gathers what the document is made of; undefined where nothing of the schema can be used. Of the evidence only a recording and a sample count, so
 * that a document does not depend on whether it is checked, or on what it was before.
 */
export async function readSources(
  { before, code, exercise, document, ...design }: Design,
  name: string,
): Promise<DocumentSources | undefined> {
  const { schema, definition } = design
  if (schema === undefined) return undefined
  const items = await sampleItems(schema)
  return {
    name,
    design,
    schema,
    hash: hashOf(definition),
    report: checkDesign(design, { today: NO_DAY }),
    bill: billOf(design),
    collections: collectionsOf(schema, items),
    relations: relationsOf(schema),
  }
}

/** The same for equal schemas, in whatever order they are written. */
export function hashOf(definition: SchemaDefinition): string {
  const text = JSON.stringify(definitionData(definition), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS)
}
