import type { SchemaDefinition } from './schema-definition.ts'

/**
 * Gives the schema back with its literal types kept, so that `as const` is not needed and mistakes are marked where they are made.
 */
export function defineSchema<const TSchema extends SchemaDefinition>(schema: TSchema): TSchema {
  return schema
}
