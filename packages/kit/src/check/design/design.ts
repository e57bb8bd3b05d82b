import {
  type DefinitionIssue,
  type PatternPlan,
  planPattern,
  readSchema,
  type Schema,
  type SchemaDefinition,
} from 'singletable/tools'
import type { Evidence } from '../evidence/evidence.ts'
import { type WrittenKey, writtenKeys } from './written-keys.ts'

/** What is checked: a schema as it is written, as far as it can be made ready, and what else is known. */
export interface Design extends Evidence {
  /** As it is written, without models and indexes that can't be used. */
  readonly definition: SchemaDefinition
  /** The key attributes of all models and copies. */
  readonly keys: readonly WrittenKey[]
  /** Everything that can be used; undefined if nothing can. */
  readonly schema: Schema | undefined
  /** Of the patterns that can be used. */
  readonly plans: ReadonlyMap<string, PatternPlan>
  /** What is wrong with the rest, in the order of the schema. */
  readonly issues: readonly DefinitionIssue[]
}

/** What is left of a schema that can't be read at all. */
const NOTHING: SchemaDefinition = { indexes: { primary: { hash: 'pk', sort: 'sk' } }, models: {} }

/** Reads a schema as far as it goes: one model or pattern that can't be used doesn't hide the rest. */
export function readDesign(definition: SchemaDefinition, evidence: Evidence = {}): Design {
  const { schema, issues } = readSchema(definition)
  const plans = new Map(
    [...(schema?.patterns ?? [])].map(([name, pattern]) => [name, planPattern(pattern)]),
  )
  const sound = schema?.definition ?? NOTHING
  return { ...evidence, definition: sound, keys: writtenKeys(sound), schema, plans, issues }
}
