import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Migration } from 'singletable/migrations'
import { compileSchema, type Schema, type SchemaDefinition } from 'singletable/tools'
import { type DefinitionData, readDefinitionData } from '../check/evidence/definition-data.ts'
import { importModule } from '../schema-file/import-module.ts'
import { MigrationError } from './migration-error.ts'
import { askedFor } from './step-text.ts'

/** A migration as its folder has it. */
export interface MigrationFolder {
  /** The name of the folder: when it was made, and what for. */
  readonly id: string
  readonly directory: string
  /** The migration before it; none for the first one, several after branches were merged. */
  readonly parents: readonly string[]
  /** The schema after it, as data. */
  readonly snapshot: DefinitionData
  /** What its code still asks for: "write here what plan is". */
  readonly asked: readonly string[]
  /** Of the code, without comments and blanks. */
  readonly checksum: string
}

export const SNAPSHOT_FORMAT = 'singletable-migration:1'
const ID = /^\d{8}T\d{6}Z_[a-z0-9_]+$/

/** The migrations of a project, the oldest first. */
export function readFolders(directory: string): readonly MigrationFolder[] {
  if (!existsSync(directory)) return []
  const ids = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && ID.test(entry.name))
    .map(({ name }) => name)
    .sort()
  return ids.map((id) => readFolder(path.join(directory, id), id))
}

function readFolder(directory: string, id: string): MigrationFolder {
  const snapshotFile = path.join(directory, 'snapshot.json')
  const code = path.join(directory, 'migration.ts')
  for (const file of [snapshotFile, code]) {
    if (existsSync(file)) continue
    throw new MigrationError(
      `The migration "${id}" has no ${path.basename(file)}.`,
      directory,
      'restore the file, or remove the folder and generate the migration again',
    )
  }
  let data: { format?: unknown; parent?: unknown; schema?: unknown }
  try {
    data = Object(JSON.parse(readFileSync(snapshotFile, 'utf8')))
  } catch (cause) {
    throw new MigrationError("The snapshot can't be read.", snapshotFile, 'restore the file', {
      cause,
    })
  }
  if (data.format !== SNAPSHOT_FORMAT) {
    throw new MigrationError(
      'The file is not a snapshot of a schema.',
      snapshotFile,
      'restore the file that migrate generate wrote',
    )
  }
  const text = bareCode(readFileSync(code, 'utf8'))
  return {
    id,
    directory,
    parents: [data.parent].flat().filter((parent) => typeof parent === 'string'),
    // Whether it is a schema is for the compilation to say.
    snapshot: data.schema as DefinitionData,
    asked: askedFor(text),
    checksum: createHash('sha256').update(text).digest('hex').slice(0, 32),
  }
}

/** Comments and blanks can change without changing what the code does. */
function bareCode(code: string): string {
  return code
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
}

/** The schema after a migration, with the code that the project's schema has in the same places. */
export function schemaOf(
  { snapshot }: Pick<MigrationFolder, 'snapshot'>,
  source?: SchemaDefinition,
): Schema {
  return compileSchema(readDefinitionData(snapshot, source))
}

export async function loadMigration({ directory, id }: MigrationFolder): Promise<Migration> {
  const file = path.join(directory, 'migration.ts')
  const { default: exported } = await importModule(file)
  const { steps } = Object(exported ?? {}) as { steps?: unknown }
  if (Array.isArray(steps)) return exported as Migration
  throw new MigrationError(
    `The migration "${id}" has no steps.`,
    file,
    'export default defineMigration({ steps: [ … ] })',
  )
}
