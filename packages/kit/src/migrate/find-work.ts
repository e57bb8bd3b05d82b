import type { Migration } from 'singletable/migrations'
import { reverseSteps, type Schema, type Transport } from 'singletable/tools'
import { loadMigration, type MigrationFolder } from './folders.ts'
import type { JournalState } from './journal.ts'
import { MigrationError } from './migration-error.ts'
import { type MigrateProject, versionsOf } from './project.ts'
import { type MigrationStatus, statusOf } from './status.ts'

/** A migration that is to be carried out, one way or the other. */
export interface MigrationWork {
  readonly folder: MigrationFolder
  readonly before: Schema
  readonly after: Schema
  readonly migration: Migration
  readonly isDown: boolean
}

/** More than one process works on at a time, so that others can join. */
export const SEGMENTS = 32
export const UNFINISHED: readonly MigrationStatus[] = ['running', 'paused', 'failed', 'reverting']

const REASONS = {
  modified: 'its code was changed after it was applied',
  missing: 'the table has it, and the project does not',
  'out of order': 'a later one has been applied already',
}

/** What is left to do, in its order: what has started, and, unless it is a resume, the rest. */
export async function findWork(
  project: MigrateProject,
  state: JournalState,
  tableName: string,
  { isResume = false, to }: { readonly isResume?: boolean; readonly to?: string | undefined } = {},
): Promise<readonly MigrationWork[]> {
  const rows = statusOf(project.folders, state)
  const odd = rows.find(({ status }) => Object.hasOwn(REASONS, status))
  if (odd) {
    throw new MigrationError(
      `The migration "${odd.id}" is ${odd.status}: ${REASONS[odd.status as keyof typeof REASONS]}.`,
      `table "${tableName}"`,
      'see migrate status; restore the migration, or settle it with migrate resolve',
    )
  }
  const wanted = rows.filter(
    ({ id, status }) =>
      (UNFINISHED.includes(status) || (!isResume && status === 'pending')) &&
      (to === undefined || id <= to),
  )
  const works: MigrationWork[] = []
  for (const { id, record } of wanted) {
    const folder = project.folders.find((each) => each.id === id)!
    const isDown = record?.isDown === true && record.state !== 'reverted'
    works.push(await workOf(project, folder, isDown, record?.hasUndoLog))
  }
  return works
}

export async function workOf(
  project: MigrateProject,
  folder: MigrationFolder,
  isDown: boolean,
  hasUndoLog = false,
): Promise<MigrationWork> {
  const { before, after } = versionsOf(project, folder)
  const migration = await loadMigration(folder)
  if (!isDown) return { folder, before, after, migration, isDown }
  const { steps, reasons } = reverseSteps(migration.steps, before, hasUndoLog)
  if (reasons.length > 0) {
    throw new MigrationError(
      `The migration "${folder.id}" can't be undone: ${reasons.join('; ')}.`,
      folder.directory,
      'restore the table to a time before it, or write a new migration that undoes what matters',
    )
  }
  return { folder, before: after, after: before, migration: { steps }, isDown }
}

/** Whether the table can be restored to a time before a mistake. */
export async function isRecoverable(transport: Transport, tableName: string): Promise<boolean> {
  const { ContinuousBackupsDescription: backups } = await transport.send(
    'DescribeContinuousBackups',
    { TableName: tableName },
  )
  return backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED'
}
