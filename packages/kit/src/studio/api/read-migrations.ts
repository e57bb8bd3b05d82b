import { systemEnvironment, type Transport } from 'singletable/tools'
import { dryRun } from '../../migrate/dry-run.ts'
import { describeStep } from '../../migrate/failures.ts'
import { appliedIds } from '../../migrate/find-work.ts'
import { loadMigration, type MigrationFolder, readFolders } from '../../migrate/folders.ts'
import { Journal, LOCK_MS, type MigrationRecord } from '../../migrate/journal.ts'
import {
  lintProject,
  type MigrateProject,
  planMigrations,
  versionsOf,
} from '../../migrate/project.ts'
import { segmentsOf, stagesOf } from '../../migrate/run-migration.ts'
import { statusOf } from '../../migrate/status.ts'
import type { MigrationRun, MigrationsView, MigrationTrial, MigrationView } from './contract.ts'
import { StudioError } from './studio-error.ts'
import { Meter, type StudioSource } from './studio-source.ts'

/** Items that a trial reads. */
const TRIAL_ITEMS = 100

/**
 * The migrations of the project and of the table: what is done, what is under way, what is left.
 */
export async function migrationsOf(
  source: StudioSource,
  run: MigrationRun | null,
): Promise<MigrationsView> {
  const project = migrateProjectOf(source)
  const { directory, folders } = project
  const { tableName } = source.connection
  const meter = new Meter(source.connection.transport)
  const { transport } = meter
  const journal = journalOf(source, transport)
  const state = await journal.read()
  const plan = await planMigrations(transport, tableName, folders, state)
  const migrations: MigrationView[] = []
  for (const { id, status, record } of statusOf(folders, state)) {
    const folder = folders.find((each) => each.id === id)
    const planned = plan.migrations.find((each) => each.id === id)
    migrations.push({
      id,
      status,
      startedAt: record?.startedAt ?? null,
      endedAt: record?.endedAt ?? null,
      note: record?.note ?? null,
      isDown: record?.isDown === true,
      steps: folder ? (await loadMigration(folder)).steps.map(describeStep) : [],
      readUnits: planned?.readUnits ?? null,
      writeUnits: planned?.writeUnits ?? null,
      progress:
        folder && record && isOpen(record)
          ? await progressOf(project, folder, record, { transport, tableName, journal })
          : null,
    })
  }
  const { lock } = state
  const age = lock && systemEnvironment.now() - lock.heartbeatAt
  return {
    directory,
    migrations,
    run,
    lock: lock ? { owner: lock.owner, isLeft: (age ?? 0) >= LOCK_MS } : null,
    problems: folders.length === 0 ? [] : await lintProject(project),
    spent: meter.spent(0, null),
  }
}

/** What a migration would do to the first items of the table. Nothing is written. */
export async function tryMigration(source: StudioSource, id: string): Promise<MigrationTrial> {
  const project = migrateProjectOf(source)
  const folder = project.folders.find((each) => each.id === id)
  if (folder === undefined) {
    throw new StudioError(`There is no migration "${id}".`, 'choose one of the list')
  }
  const meter = new Meter(source.connection.transport)
  const state = await journalOf(source, meter.transport).read()
  const applied = appliedIds(statusOf(project.folders, state))
  const { before, after } = versionsOf(project, folder, applied)
  const steps = stagesOf(await loadMigration(folder)).flatMap((stage) =>
    Array.isArray(stage) ? stage : [],
  )
  const { counts, examples, isWhole } = await dryRun({
    transport: meter.transport,
    tableName: source.connection.tableName,
    versions: { before, after, steps, environment: systemEnvironment },
    itemsMax: TRIAL_ITEMS,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  const { read, changed, problems, examples: reasons } = counts
  return { read, changed, problems, reasons, examples, isWhole, spent: meter.spent(0, null) }
}

/** The migrations of the project, with the schema as it is now. */
export function migrateProjectOf({ connection, loaded }: StudioSource): MigrateProject {
  const { migrations: directory = '' } = connection
  return { directory, folders: directory === '' ? [] : readFolders(directory), loaded }
}

function journalOf({ connection, schema }: StudioSource, transport: Transport): Journal {
  const { tableName } = connection
  const environment = systemEnvironment
  return new Journal({ transport, tableName, schema, environment, owner: 'singletable studio' })
}

function isOpen({ state }: MigrationRecord): boolean {
  return state !== 'applied' && state !== 'reverted'
}

/** How far a migration is that runs, is paused or has failed. */
async function progressOf(
  project: MigrateProject,
  folder: MigrationFolder,
  record: MigrationRecord,
  table: { readonly transport: Transport; readonly tableName: string; readonly journal: Journal },
): Promise<MigrationView['progress']> {
  const { after } = versionsOf(project, folder)
  const environment = systemEnvironment
  const options = { ...table, environment, after, id: folder.id }
  const { read, changed, problems } = await segmentsOf(options, record).counts()
  const stages = stagesOf(await loadMigration(folder)).length
  return { stage: record.step, stages, pass: record.pass, read, changed, problems }
}
