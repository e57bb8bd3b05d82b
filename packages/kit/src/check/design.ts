import {
  compileSchema,
  type PatternDefinition,
  type PatternPlan,
  planPattern,
  type Schema,
  type SchemaDefinition,
  SingletableError,
  setOwn,
} from 'singletable/tools'
import type { CodeFacts } from './code-facts.ts'
import type { CommittedDocument } from './committed-document.ts'
import type { Proof } from './proof.ts'
import type { Recording } from './recording.ts'
import { soundDefinition } from './sound-definition.ts'
import type { TableSample } from './table-sample.ts'
import { type WrittenKey, writtenKeys } from './written-keys.ts'

/** A part of the schema that can't be used, and why. */
export interface Fault {
  readonly error: SingletableError
  readonly model?: string | undefined
  readonly pattern?: string | undefined
}

/** What else is known about a table than its schema; rules that need it are silent without it. */
export interface Evidence {
  readonly sample?: TableSample | undefined
  readonly code?: CodeFacts | undefined
  readonly recording?: Recording | undefined
  /** The design before the change that is checked. */
  readonly before?: Design | undefined
  readonly proof?: Proof | undefined
  readonly document?: CommittedDocument | undefined
}

/** What is checked: a schema as it is written, as far as it can be made ready, and what else is known. */
export interface Design extends Evidence {
  /** As it is written, without what has not even the shape of a schema's parts. */
  readonly definition: SchemaDefinition
  /** The key attributes of all models and copies as they are written, also of those that can't be used. */
  readonly keys: readonly WrittenKey[]
  /** Everything that can be used; undefined if nothing can. */
  readonly schema: Schema | undefined
  /** Of the patterns that can be used. */
  readonly plans: ReadonlyMap<string, PatternPlan>
  /** What can't, in the order of the schema. */
  readonly faults: readonly Fault[]
}

/** Reads a schema as far as it goes: one model or pattern that can't be used doesn't hide the rest. */
export function readDesign(definition: SchemaDefinition, evidence: Evidence = {}): Design {
  const faults: Fault[] = []
  const usable = withoutFaultyModels(definition, faults)
  const schema = usable && withPatterns(definition, usable, faults)
  const plans = new Map(
    [...(schema?.patterns ?? [])].map(([name, pattern]) => [name, planPattern(pattern)]),
  )
  const sound = soundDefinition(definition)
  return { ...evidence, definition: sound, keys: writtenKeys(sound), schema, plans, faults }
}

/** Leaves out models until the rest compiles. */
function withoutFaultyModels(
  definition: SchemaDefinition,
  faults: Fault[],
): SchemaDefinition | undefined {
  let rest: SchemaDefinition = { ...definition, patterns: {} }
  for (;;) {
    const error = errorOf(rest)
    if (error === undefined) return rest
    const names = Object.keys(rest.models ?? {})
    const model =
      names.findLast((name) => isAbout(error, name)) ??
      names.findLast((name) => errorOf(without(rest, name)) === undefined) ??
      // Of two models whose keys meet, the later one, even if more is wrong.
      names.findLast((name) => error.message.includes(`"${name}"`))
    faults.push({ error, model })
    if (model === undefined) return undefined
    rest = without(rest, model)
  }
}

/** Takes the patterns together, or, where that fails, one by one, and then together those that compile. */
function withPatterns(
  definition: SchemaDefinition,
  usable: SchemaDefinition,
  faults: Fault[],
): Schema {
  const all = { ...usable, patterns: definition.patterns ?? {} }
  if (errorOf(all) === undefined) return compileSchema(all)
  const patterns: { [name: string]: PatternDefinition } = {}
  for (const [name, pattern] of Object.entries(definition.patterns ?? {})) {
    const error = errorOf({ ...usable, patterns: { [name]: pattern } })
    if (error === undefined) setOwn(patterns, name, pattern)
    else faults.push({ error, pattern: name })
  }
  return compileSchema({ ...usable, patterns })
}

function errorOf(definition: SchemaDefinition): SingletableError | undefined {
  try {
    compileSchema(definition)
    return undefined
  } catch (error) {
    if (SingletableError.is(error)) return error
    throw error
  }
}

/** The library's messages name the model they are about. */
function isAbout(error: SingletableError, model: string): boolean {
  return error.message.includes(`model "${model}"`)
}

function without(definition: SchemaDefinition, model: string): SchemaDefinition {
  const models = Object.entries(definition.models).filter(([name]) => name !== model)
  return { ...definition, models: Object.fromEntries(models) }
}
