import path from 'node:path'
import { systemEnvironment, type Transport } from 'singletable/tools'
import { readFolders } from '../migrate/folders.ts'
import { Journal } from '../migrate/journal.ts'
import type { MigrateProject } from '../migrate/project.ts'
import type { CommandOutput } from './command.ts'
import { tableNameOf, withConnection } from './connect-options.ts'
import type { Parameters } from './help.ts'
import { requireTable } from './missing-table.ts'
import { processOwner } from './process-owner.ts'
import { loadGivenSchema } from './schema-options.ts'

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
  return withConnection(
    given,
    output,
    async ({ transport, place }) => {
      const journal = new Journal({
        transport,
        tableName,
        schema: project.loaded.schema,
        environment: systemEnvironment,
        owner: processOwner(),
      })
      return requireTable(tableName, place, () =>
        work({ ...project, transport, tableName, journal, place }),
      )
    },
    // LMDB has failed to write after the file was opened again in the middle of many moves.
    { keepsOpen: true },
  )
}
