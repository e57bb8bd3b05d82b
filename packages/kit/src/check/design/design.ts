import {
  type DefinitionIssue,
  type KeyAnswer,
  type KeyQuestion,
  keyAnswers,
  keyVariables,
  type PatternPlan,
  planPattern,
  readSchema,
  type Schema,
  type SchemaDefinition,
} from 'singletable/tools'
import type { Evidence } from '../evidence/evidence.ts'
import { type DeclaredPattern, declaredPatterns } from './declared-pattern.ts'
import { type DesignModel, designModels, type IndexUse, type ModelKey } from './design-model.ts'

/** What is checked: a schema as it is written, as far as it can be made ready, and what else is
 * known. */
export interface Design extends Evidence {
  /** As it is written, without models and indexes that can't be used. */
  readonly definition: SchemaDefinition
  /** All that can be used, each model before its copies. */
  readonly models: readonly DesignModel[]
  /** Of all models and copies. */
  readonly uses: readonly IndexUse[]
  readonly keys: readonly ModelKey[]
  /** All that are declared, also those that can't be used. */
  readonly patterns: readonly DeclaredPattern[]
  /** Everything that can be used; undefined if nothing can. */
  readonly schema: Schema | undefined
  /** Of the patterns that can be used. */
  readonly plans: ReadonlyMap<string, PatternPlan>
  /** What is wrong with the rest, in the order of the schema. */
  readonly issues: readonly DefinitionIssue[]
}

/** What is left of a schema that can't be read at all. */
const NOTHING: SchemaDefinition = { indexes: { primary: { hash: 'pk', sort: 'sk' } }, models: {} }

/** Reads a schema as far as it goes: one model or pattern that can't be used doesn't hide the
 * rest. */
export function readDesign(definition: SchemaDefinition, evidence: Evidence = {}): Design {
  const { schema, issues } = readSchema(definition)
  const plans = new Map(
    [...(schema?.patterns ?? [])].map(([name, pattern]) => [
      name,
      planPattern(pattern, undefined, evidence.now),
    ]),
  )
  const sound = schema?.definition ?? NOTHING
  const models = schema ? designModels(schema) : []
  const uses = models.flatMap((model) => model.uses)
  const keys = uses.flatMap(({ hash, sort }) => [...hash, ...sort])
  const patterns = declaredPatterns(sound)
  return { ...evidence, definition: sound, models, uses, keys, patterns, schema, plans, issues }
}

export function modelNamed({ models }: Design, name: string): DesignModel | undefined {
  return models.find((each) => each.name === name)
}

/** How far the keys of each index that a model is in answer a question. */
export function indexAnswers(
  { schema }: Design,
  { name, attributes }: DesignModel,
  question: KeyQuestion,
): readonly KeyAnswer[] {
  const { by, range } = question
  // What names no attribute is another mistake.
  const isKnown = [...by, ...(range === undefined ? [] : [range])].every((each) =>
    attributes.has(each),
  )
  return isKnown ? keyAnswers(schema!.models.get(name)!, question) : []
}

/** The attributes that the primary key is made of. */
export function primaryNames({ schema }: Design, { name }: DesignModel): readonly string[] {
  const { hash, sort } = schema!.models.get(name)!.primary
  return keyVariables([...hash, ...sort])
}
