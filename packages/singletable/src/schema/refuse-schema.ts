import { DefinitionError } from '../errors/definition-error.ts'

/** Throws what is wrong with a schema, while it is defined. */
export function refuseSchema(where: string, what: string, fix: string): never {
  throw new DefinitionError('SCHEMA_INVALID', { what: `${what}.`, where, fix })
}
