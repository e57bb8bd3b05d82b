import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readSchema, type SchemaReading } from 'singletable/tools'
import { type DefinitionData, readDefinitionData } from '../check/evidence/definition-data.ts'
import { loadDefinition } from '../schema-file/load-schema.ts'
import type { CommandOutput } from './command.ts'
import type { OptionSpecification, Parameters } from './help.ts'
import { EnvironmentError } from './usage-error.ts'

export const BEFORE_OPTION: OptionSpecification = {
  name: 'before',
  value: 'file',
  completes: 'file',
  text: 'the earlier schema to compare with: its file, or the output of singletable docs --json',
}

/** Reads the schema that the option names; undefined if it names none. */
export async function readBefore(
  given: Parameters,
  output: CommandOutput,
): Promise<SchemaReading | undefined> {
  const file = given.text('before')
  if (file === undefined) return undefined
  const { directory } = output
  if (/\.json$/i.test(file)) {
    return readSchema(definitionIn(path.resolve(directory ?? '.', file)))
  }
  const location = path.resolve(directory ?? '.', file)
  if (!existsSync(location)) {
    throw new EnvironmentError(
      `--before names "${file}", and there is no such file.`,
      location,
      'name the schema as it was, such as a copy made by git show HEAD~1:schema.ts',
    )
  }
  const exportName = given.text('export')
  const { definition } = await loadDefinition(file, { directory, exportName })
  return readSchema(definition)
}

/** The schema of a JSON file: the whole of it, or what a document of ours has of it. */
function definitionIn(file: string): ReturnType<typeof readDefinitionData> {
  const fix = 'name a file that singletable docs --json wrote, or one that exports a schema'
  let data: unknown
  try {
    data = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EnvironmentError(`The file can't be read: ${reason}.`, file, fix, { cause })
  }
  const found = [data, Object(data).definition, Object(data).schema].find(isDefinition)
  if (found === undefined) throw new EnvironmentError('The file has no schema.', file, fix)
  return readDefinitionData(found)
}

function isDefinition(value: unknown): value is DefinitionData {
  const { indexes, models } = Object(value ?? {}) as Record<string, unknown>
  return [indexes, models].every((each) => typeof each === 'object' && each !== null)
}
