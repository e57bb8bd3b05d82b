import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { compileSchema, type Schema } from 'singletable/tools'
import { IMPORT_FORMAT, type ImportDefinition, requireSources } from '../import/define-import.ts'
import { importModule } from '../schema-file/import-module.ts'
import type { CommandOutput } from './command.ts'
import type { Parameters } from './help.ts'
import { EnvironmentError, UsageError } from './usage-error.ts'

/** A mapping file, read. */
export interface LoadedMapping {
  readonly file: string
  readonly definition: ImportDefinition
  readonly schema: Schema
  readonly checksum: string
}

export async function loadMapping(
  given: Parameters,
  output: CommandOutput,
): Promise<LoadedMapping> {
  const [name = 'import.map.ts', ...more] = given.positionals
  if (more.length > 0) throw new UsageError('There is more than one mapping.', 'name one file')
  const file = path.resolve(output.directory ?? '.', name)
  if (!existsSync(file)) {
    throw new EnvironmentError(
      'There is no mapping file.',
      file,
      'write one with singletable import map',
    )
  }
  const { default: exported } = (await importModule(file)) as { readonly default?: unknown }
  const definition = Object(exported) as ImportDefinition
  if (definition.format !== IMPORT_FORMAT) {
    throw new EnvironmentError(
      'The file does not export a mapping.',
      file,
      'write: export default defineImport(schema, { … })',
    )
  }
  requireSources(definition)
  const checksum = createHash('sha256').update(readFileSync(file)).digest('base64url')
  return { file, definition, schema: compileSchema(definition.schema), checksum }
}
