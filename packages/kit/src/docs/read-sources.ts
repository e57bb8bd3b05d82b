import { createHash } from 'node:crypto'
import type { SchemaDefinition, SchemaReading } from 'singletable/tools'
import { checkDesign } from '../check/check-design.ts'
import type { Design } from '../check/design/design.ts'
import { definitionData } from '../check/evidence/definition-data.ts'
import { CHANGE_RULES } from '../check/rules/change-rules.ts'
import type { Finding } from '../check/rules/rule.ts'
import { billOf } from '../cost/monthly-bill.ts'
import { exampleCalls } from '../examples/example-calls.ts'
import { collectionsOf } from './collections.ts'
import type { DocumentSources } from './document-sources.ts'
import { relationsOf } from './relations.ts'

/**
 * A day before all others: the document shows the end date of accepted findings, whenever it is
 * made.
 */
const NO_DAY = '0000-00-00'
const HASH_DIGITS = 12
const ITEMS_OF_MODEL = 14
const ITEMS_LEAST = 11
/** A valid name of a table; the name in a document can be any string. */
const TABLE_NAME = /^[\w.-]{3,255}$/

/**
 * Gathers the sources of the document; undefined if the schema can't be used. Of the evidence only
 * a recording and a sample count, so that a document does not depend on whether it is checked, or
 * on its earlier content.
 */
export async function readSources(
  { before: _, code, exercise, document, ...design }: Design,
  name: string,
  before?: SchemaReading,
): Promise<DocumentSources | undefined> {
  const { schema, definition } = design
  if (schema === undefined) return undefined
  const count = ITEMS_OF_MODEL * schema.models.size
  const examples = await exampleCalls(definition, TABLE_NAME.test(name) ? name : 'Table', {
    count,
    least: ITEMS_LEAST,
  })
  return {
    name,
    design,
    schema,
    hash: hashOf(definition),
    before: before?.schema && {
      reading: before,
      schema: before.schema,
      hash: hashOf(before.schema.definition),
    },
    changeFindings: before ? changesBetween(design, before) : [],
    report: checkDesign(design, { today: NO_DAY }),
    bill: billOf(design),
    collections: collectionsOf(schema, examples.items),
    calls: examples.calls,
    relations: relationsOf(schema),
  }
}

/** Findings of the rules about changes only. */
function changesBetween(design: Design, before: SchemaReading): readonly Finding[] {
  const rules = new Set(CHANGE_RULES.map(({ code }) => code))
  const { findings } = checkDesign({ ...design, before }, { today: NO_DAY })
  return findings.filter(({ code }) => rules.has(code))
}

/** Equal for equal schemas, in whatever order their members are written. */
export function hashOf(definition: SchemaDefinition): string {
  const text = JSON.stringify(definitionData(definition), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS)
}
