import { DefinitionError, type DefinitionIssue } from '../errors/definition-error.ts'
import type { Schema } from '../schema/model.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import { readSchema } from './read-schema.ts'

/**
 * Makes a schema ready for use; throws one error with everything that is wrong with it. Its code is
 * that of the first mistake, so that a test of `error.code` does not depend on how many others
 * there are.
 */
export function compileSchema(definition: SchemaDefinition): Schema {
  const { schema, issues } = readSchema(definition)
  const [first] = issues
  if (first === undefined) return schema!
  const { code, what, where, fix } = first
  throw new DefinitionError(
    code,
    issues.length === 1
      ? { what, where, fix }
      : {
          what: `The schema has ${issues.length} mistakes:`,
          details: issues.map(printIssue).join('\n'),
          where: 'schema',
          fix: 'correct each of them',
        },
    { issues, definition },
  )
}

function printIssue({ code, what, where, fix }: DefinitionIssue, at: number): string {
  return `  ${at + 1}. ${code}: ${what}\n     where:  ${where}\n     fix:    ${fix}`
}
