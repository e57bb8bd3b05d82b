import type { MigrationFolder } from './folders.ts'
import type { JournalState, MigrationRecord } from './journal.ts'

export type MigrationStatus =
  | 'pending'
  | 'applied'
  | 'running'
  | 'paused'
  | 'failed'
  | 'reverting'
  | 'reverted'
  /** Its code was changed after it was applied. */
  | 'modified'
  /** The table knows it, and the project does not. */
  | 'missing'
  /** A later one has been applied already. */
  | 'out of order'

export interface StatusRow {
  readonly id: string
  readonly status: MigrationStatus
  readonly record: MigrationRecord | undefined
}

/** The status of each migration, of the project and of the table. */
export function statusOf(
  folders: readonly MigrationFolder[],
  { records }: JournalState,
): readonly StatusRow[] {
  const ids = [...new Set([...folders.map(({ id }) => id), ...records.keys()])].sort()
  const lastApplied = ids.findLast((id) => records.get(id)?.state === 'applied') ?? ''
  return ids.map((id) => {
    const folder = folders.find((each) => each.id === id)
    const record = records.get(id)
    return { id, status: stateOf(folder, record, lastApplied), record }
  })
}

function stateOf(
  folder: MigrationFolder | undefined,
  record: MigrationRecord | undefined,
  lastApplied: string,
): MigrationStatus {
  if (folder === undefined) return 'missing'
  if (record === undefined || record.state === 'reverted') {
    return folder.id < lastApplied ? 'out of order' : 'pending'
  }
  if (record.state === 'applied' && record.checksum !== folder.checksum) return 'modified'
  return record.state
}

/** 0 nothing to do, 2 pending, 3 failed or unfinished, 4 the project and the table disagree. */
export function statusExitCode(rows: readonly StatusRow[]): number {
  const has = (...wanted: readonly MigrationStatus[]): boolean =>
    rows.some(({ status }) => wanted.includes(status))
  if (has('modified', 'missing', 'out of order')) return 4
  if (has('failed', 'running', 'paused', 'reverting')) return 3
  return has('pending') ? 2 : 0
}
