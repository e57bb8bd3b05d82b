import type { CheckedModels } from '../schema/model-types.ts'
import type { CheckedPatterns } from '../schema/pattern-types.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import { compileSchema } from './compile-schema.ts'

/**
 * Gives the schema back with its literal types kept, so that `as const` is not needed and mistakes
 * are compile errors where they are made, each with a sentence that says what is wrong: an option
 * that does not exist, a template or a `when` that names no attribute, a missing part of the
 * primary key, a default that the attribute can't have, `counts` of a model that does not exist, an
 * access pattern that the keys can't serve. Throws one `DefinitionError` with everything that is
 * wrong.
 */
export function defineSchema<const TSchema extends SchemaDefinition>(
  // Nothing is inferred from the check, which is of what was inferred.
  schema: Written<TSchema> & NoInfer<CheckedModels<TSchema> & CheckedPatterns<TSchema>>,
): TSchema {
  compileSchema(schema)
  // What it was inferred from.
  return schema as SchemaDefinition as TSchema
}

/**
 * The compiler infers from both branches, and then takes the second: compared with this, and not
 * with its own type, the written schema can have no options that do not exist, and editors show
 * what each option means.
 */
type Written<TSchema> = [TSchema] extends [never] ? TSchema : SchemaDefinition
