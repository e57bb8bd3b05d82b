import { existsSync, readFileSync } from 'node:fs'
import { importModule } from '../schema-file/import-module.ts'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import type { SeedItem } from '../seed/make-items.ts'
import { readModelJson } from './key-values.ts'
import { requireModel } from './open-table.ts'
import { EnvironmentError } from './usage-error.ts'

/** The inputs of a file: lists by entity, in TypeScript, JavaScript or JSON. */
export async function readFixtures(
  file: string,
  loaded: Pick<LoadedSchema, 'schema'>,
): Promise<readonly SeedItem[]> {
  if (!existsSync(file)) {
    throw new EnvironmentError('There is no such file.', file, 'name the file that has the items')
  }
  const fixtures = file.endsWith('.json') ? parseJsonFile(file) : await exportedFixtures(file)
  if (typeof fixtures !== 'object' || fixtures === null || Array.isArray(fixtures)) {
    throw new EnvironmentError(
      'The file has no lists of items.',
      file,
      'export { User: [{ … }] } as default or as seed',
    )
  }
  return Object.entries(fixtures).flatMap(([entity, list]): SeedItem[] => {
    const model = requireModel(loaded, entity)
    if (!Array.isArray(list)) {
      throw new EnvironmentError(`${entity} is not a list.`, file, `write ${entity}: [{ … }]`)
    }
    return list.map((input, at) => ({
      entity,
      input: readModelJson(model, input, `${entity}[${at}]`),
    }))
  })
}

function parseJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new EnvironmentError('The file is not valid JSON.', file, 'fix the file', { cause })
  }
}

async function exportedFixtures(file: string): Promise<unknown> {
  const exported = await importModule(file)
  const found = exported.seed ?? exported.default
  return typeof found === 'function' ? await found() : found
}
