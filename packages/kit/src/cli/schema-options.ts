import { type LoadedSchema, loadSchema } from '../schema-file/load-schema.ts'
import type { OptionGroup, Parameters } from './help.ts'

export const SCHEMA_OPTIONS: OptionGroup = {
  title: 'The schema',
  options: [
    {
      name: 'schema',
      value: 'file',
      completes: 'file',
      text: 'the TypeScript or JavaScript file that exports it; default: what package.json says\nunder "singletable": { "schema": … }, else schema.ts, src/schema.ts or the like',
    },
    { name: 'export', value: 'name', text: 'the name of the schema, if the file exports several' },
  ],
}

/** Loads the schema that the options of a command name. */
export function loadGivenSchema(
  given: Parameters,
  directory: string | undefined,
): Promise<LoadedSchema> {
  return loadSchema(given.text('schema'), { directory, exportName: given.text('export') })
}
