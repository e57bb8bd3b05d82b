import { DefinitionError } from '../errors/definition-error.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import type { Schema } from '../schema/model.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { BuilderContext } from './builder.ts'

// One map for all loaded copies of this module: a program may import one entry of the package and
// require another.
const CONTEXTS = Symbol.for('singletable.contexts')
const shared = globalThis as { [CONTEXTS]?: WeakMap<object, BuilderContext> }

/**
 * What is behind each table; for the package's other entries, which work on tables without being
 * part of them.
 */
const contexts: WeakMap<object, BuilderContext> = shared[CONTEXTS] ?? new WeakMap()
shared[CONTEXTS] = contexts

/** A table, so far as its schema is concerned. */
export interface TableLike<TSchema extends SchemaDefinition> {
  readonly name: string
  readonly schema: TSchema
}

export type TableOrSchema<TSchema extends SchemaDefinition> = TSchema | TableLike<TSchema>

export function rememberContext(table: object, context: BuilderContext): void {
  contexts.set(table, context)
}

/** What a table's calls work with. */
export function contextOf(table: object, where: string): BuilderContext {
  const context = contexts.get(Object(table))
  if (context !== undefined) return context
  throw new DefinitionError('OPTION_INVALID', {
    what: 'The given value is not a table.',
    where,
    fix: "give the result of new Table(), with Table and this function from the same copy of 'singletable'",
  })
}

/** The compiled schema of a table, or of a schema as it is written. */
export function schemaOf(tableOrSchema: TableOrSchema<SchemaDefinition>): Schema {
  const context = contexts.get(Object(tableOrSchema))
  // Anything else is checked as a schema.
  return context?.schema ?? compileSchema(tableOrSchema as SchemaDefinition)
}
