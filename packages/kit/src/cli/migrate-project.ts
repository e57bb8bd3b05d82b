import { hostname, userInfo } from 'node:os'
import path from 'node:path'
import { type Schema, systemEnvironment, type Transport } from 'singletable/tools'
import { diffSchemas } from '../migrate/diff-schemas.ts'
import { type MigrationFolder, readFolders, schemaOf } from '../migrate/folders.ts'
import { Journal } from '../migrate/journal.ts'
import { MigrationError } from '../migrate/migration-error.ts'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import type { CommandOutput } from './command.ts'
import { tableNameOf, withConnection } from './connect-options.ts'
import type { Parameters } from './help.ts'
import { requireTable } from './missing-table.ts'
import { loadGivenSchema } from './schema-options.ts'

/** The migrations of a project, and its schema. */
export interface MigrateProject {
  readonly directory: string
  readonly folders: readonly MigrationFolder[]
  readonly loaded: LoadedSchema
}

export async function openProject(
  given: Parameters,
  output: CommandOutput,
): Promise<MigrateProject> {
  const loaded = await loadGivenSchema(given, output.directory)
  const directory = path.resolve(output.directory ?? '.', given.text('migrations') ?? 'migrations')
  return { directory, folders: readFolders(directory), loaded }
}

/** The same, and the table. */
export interface OpenMigrations extends MigrateProject {
  readonly transport: Transport
  readonly tableName: string
  readonly journal: Journal
  readonly place: string
}

export async function withMigrations<T>(
  given: Parameters,
  output: CommandOutput,
  work: (open: OpenMigrations) => Promise<T>,
): Promise<T> {
  const project = await openProject(given, output)
  const tableName = tableNameOf(given, project.loaded)
  return withConnection(given, output, async ({ transport, place }) => {
    const journal = new Journal({
      transport,
      tableName,
      schema: project.loaded.schema,
      environment: systemEnvironment,
      owner: `${userInfo().username}@${hostname()}, process ${process.pid}`,
    })
    return requireTable(tableName, place, () =>
      work({ ...project, transport, tableName, journal, place }),
    )
  })
}

/** The schemas before and after a migration. */
export function versionsOf(
  { folders, loaded }: Pick<MigrateProject, 'folders' | 'loaded'>,
  folder: MigrationFolder,
): { readonly before: Schema; readonly after: Schema } {
  const { definition } = loaded.schema
  const after = schemaOf(folder, definition)
  const parent = folders.find(({ id }) => id === folder.parent)
  return { before: parent ? schemaOf(parent, definition) : after, after }
}

/** What is wrong with the migrations as they are in the project, each in a sentence. */
export function lintFolders({ folders, loaded }: MigrateProject): readonly string[] {
  const problems: string[] = []
  for (const [at, { id, parent }] of folders.entries()) {
    const expected = folders[at - 1]?.id
    if (parent === expected) continue
    const siblings = folders.filter((each) => each.parent === parent && each.id !== id)
    problems.push(
      siblings.length > 0
        ? `${id} and ${siblings.map((each) => each.id).join(', ')} both follow ${parent ?? 'nothing'}: remove the later one and generate it again.`
        : `${id} follows ${parent ?? 'nothing'}, and comes after ${expected ?? 'nothing'}: restore what is missing, or generate it again.`,
    )
  }
  const last = folders.at(-1)
  if (last === undefined) return [...problems, 'There is no migration: run migrate generate.']
  try {
    const changes = diffSchemas(schemaOf(last), loaded.schema, {
      renames: new Map(),
      removals: new Set(),
    }).filter(({ steps }) => steps.length > 0)
    for (const { what } of changes)
      problems.push(`The schema has changed since ${last.id}: ${what}`)
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    problems.push(`The schema has changed since ${last.id}: ${error.message}`)
  }
  return problems
}
