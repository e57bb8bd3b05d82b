import type { Migration } from 'singletable/migrations'
import {
  type ItemVersions,
  reverseSteps,
  type Schema,
  systemEnvironment,
  type Transport,
} from 'singletable/tools'
import { Branches } from './branches.ts'
import { findConflicts } from './find-conflicts.ts'
import { loadMigration, type MigrationFolder } from './folders.ts'
import { VersionGraph } from './item-versions.ts'
import type { JournalState } from './journal.ts'
import { MigrationError } from './migration-error.ts'
import { type MigrateProject, versionsOf } from './project.ts'
import type { RunOptions } from './run-migration.ts'
import { appliedLastFirst, type MigrationStatus, type StatusRow, statusOf } from './status.ts'

/** A migration that is to be carried out, one way or the other. */
export interface MigrationWork {
  readonly folder: MigrationFolder
  readonly before: Schema
  readonly after: Schema
  readonly migration: Migration
  readonly isDown: boolean
  readonly version: ItemVersions
}

/** More than one process works on at a time, so that others can join. */
const SEGMENTS = 32
export const UNFINISHED: readonly MigrationStatus[] = ['running', 'paused', 'failed', 'reverting']

const REASONS = {
  modified: 'its code was changed after it was applied',
  missing: 'the table has it, and the project does not',
  'out of order': 'one that follows it has been applied already',
}

/** What is left to do, in its order: what has started, and, unless it is a resume, the rest. */
export async function findWork(
  project: MigrateProject,
  state: JournalState,
  tableName: string,
  { isResume = false, to }: { readonly isResume?: boolean; readonly to?: string | undefined } = {},
): Promise<readonly MigrationWork[]> {
  const rows = statusOf(project.folders, state)
  requireAgreement(rows, tableName, ['modified', 'missing', 'out of order'])
  const wanted = rows.filter(
    ({ id, status }) =>
      (UNFINISHED.includes(status) || (!isResume && status === 'pending')) &&
      (to === undefined || id <= to),
  )
  await requireCommuting(project, rows, tableName)
  // What has started is finished first: one of another branch may have come with an earlier time.
  const inOrder = [
    ...wanted.filter(({ status }) => status !== 'pending'),
    ...wanted.filter(({ status }) => status === 'pending'),
  ]
  const applied = appliedIds(rows)
  const works: MigrationWork[] = []
  for (const { id, record } of inOrder) {
    const folder = project.folders.find((each) => each.id === id)!
    const isDown = record?.isDown === true && record.state !== 'reverted'
    if (!isDown && folder.asked.length > 0) {
      throw new MigrationError(
        `The migration "${id}" is unfinished: ${folder.asked.join('; ')}.`,
        folder.directory,
        'edit its migration.ts',
      )
    }
    works.push(await workOf(project, folder, { isDown, hasUndoLog: record?.hasUndoLog, applied }))
    if (!isDown) applied.add(id)
  }
  return works
}

/** Refuses to work where the project and the table disagree in one of these ways. */
function requireAgreement(
  rows: readonly StatusRow[],
  tableName: string,
  kinds: readonly (keyof typeof REASONS)[],
): void {
  const kindOf = ({ status }: StatusRow) => kinds.find((kind) => kind === status)
  const odd = rows.find(kindOf)
  if (odd === undefined) return
  throw new MigrationError(
    `The migration "${odd.id}" is ${odd.status}: ${REASONS[kindOf(odd)!]}.`,
    `table "${tableName}"`,
    'see migrate status; restore the migration, or settle it with migrate resolve',
  )
}

/**
 * What `migrate down` takes back, in this order: first what has started and is not finished, whichever
 * way it went, then what was applied last.
 */
export async function findUndoable(
  project: MigrateProject,
  state: JournalState,
  tableName: string,
): Promise<readonly (() => Promise<MigrationWork>)[]> {
  const { folders } = project
  const rows = statusOf(folders, state)
  // One that is applied before those that it follows can be undone: that is a way out.
  requireAgreement(rows, tableName, ['modified', 'missing'])
  const unfinished = rows.filter(({ status }) => UNFINISHED.includes(status))
  const inOrder = [
    ...appliedLastFirst(folders, unfinished),
    ...appliedLastFirst(
      folders,
      rows.filter(({ status }) => status === 'applied'),
    ),
  ]
  const applied = appliedIds(rows)
  return inOrder.map(({ id, status, record }) => () => {
    const folder = folders.find((each) => each.id === id)!
    if (status !== 'applied' && record?.checksum !== folder.checksum) {
      throw new MigrationError(
        `The migration "${id}" is ${status}, and its code was changed after it began.`,
        `table "${tableName}"`,
        'restore its code to undo what it did, or finish it with migrate resume',
      )
    }
    applied.delete(id)
    return workOf(project, folder, { isDown: true, hasUndoLog: record?.hasUndoLog, applied })
  })
}

/** Refuses migrations of two branches of which the table can't have both. */
async function requireCommuting(
  { folders }: MigrateProject,
  rows: readonly StatusRow[],
  tableName: string,
): Promise<void> {
  const open = new Set(rows.flatMap(({ id, status }) => (status === 'applied' ? [] : [id])))
  const conflicts = await findConflicts(new Branches(folders))
  const conflict = conflicts.find(({ ids }) => ids.some((id) => open.has(id)))
  if (conflict === undefined) return
  throw new MigrationError(conflict.what, `table "${tableName}"`, 'see migrate lint')
}

/** The migrations that the table has. */
export function appliedIds(rows: readonly StatusRow[]): Set<string> {
  return new Set(rows.flatMap(({ id, record }) => (record?.state === 'applied' ? [id] : [])))
}

export async function workOf(
  project: MigrateProject,
  folder: MigrationFolder,
  options: {
    readonly isDown: boolean
    readonly hasUndoLog?: boolean | undefined
    /** The migrations that the table has at that time. */
    readonly applied: Iterable<string>
  },
): Promise<MigrationWork> {
  const { isDown, hasUndoLog = false, applied } = options
  const { before, after } = versionsOf(project, folder, applied)
  const migration = await loadMigration(folder)
  const graph = await VersionGraph.load(project)
  const version = graph.versionsOf(folder.id, before, isDown)
  if (!isDown) return { folder, before, after, migration, isDown, version }
  const { steps, reasons } = reverseSteps(migration.steps, before, hasUndoLog)
  if (reasons.length > 0) {
    throw new MigrationError(
      `The migration "${folder.id}" can't be undone: ${reasons.join('; ')}.`,
      folder.directory,
      'restore the table to a time before it, or write a new migration that undoes what matters',
    )
  }
  return { folder, before: after, after: before, migration: { steps }, isDown, version }
}

/** What a run of a migration needs, with the usual settings. */
export function optionsFor(
  { folder, ...versions }: MigrationWork,
  table: Pick<RunOptions, 'transport' | 'tableName' | 'journal'>,
): Omit<RunOptions, 'signal' | 'onProgress' | 'onRequest'> {
  return {
    ...versions,
    ...table,
    environment: systemEnvironment,
    id: folder.id,
    checksum: folder.checksum,
    segments: SEGMENTS,
    keepsUndoLog: true,
  }
}

/** Whether the table can be restored to a time before a mistake. */
export async function isRecoverable(transport: Transport, tableName: string): Promise<boolean> {
  const { ContinuousBackupsDescription: backups } = await transport.send(
    'DescribeContinuousBackups',
    { TableName: tableName },
  )
  return backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED'
}
