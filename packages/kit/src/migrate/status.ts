import { Branches } from './branches.ts'
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
  /** One that follows it has been applied already. */
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
  const branches = new Branches(folders)
  // Those that one which was applied builds on. One of another branch may come later.
  const needed = new Set(
    ids
      .filter((id) => records.get(id)?.state === 'applied')
      .flatMap((id) => [...branches.ancestors(id)]),
  )
  return ids.map((id) => {
    const folder = folders.find((each) => each.id === id)
    const record = records.get(id)
    return { id, status: stateOf(folder, record, needed), record }
  })
}

function stateOf(
  folder: MigrationFolder | undefined,
  record: MigrationRecord | undefined,
  needed: ReadonlySet<string>,
): MigrationStatus {
  if (folder === undefined) return 'missing'
  if (record === undefined || record.state === 'reverted') {
    return needed.has(folder.id) ? 'out of order' : 'pending'
  }
  if (record.state === 'applied' && record.checksum !== folder.checksum) return 'modified'
  return record.state
}

/** The migrations that the table has, the last applied first: the order in which they are undone. */
export function appliedLastFirst(
  folders: readonly MigrationFolder[],
  rows: readonly StatusRow[],
): readonly StatusRow[] {
  const branches = new Branches(folders)
  const left = [...rows]
  const ordered: StatusRow[] = []
  while (left.length > 0) {
    const free = left.filter(({ id }) => !left.some((each) => branches.ancestors(each.id).has(id)))
    const endOf = ({ record }: StatusRow): string => record?.endedAt ?? record?.startedAt ?? ''
    const last = free.reduce((a, b) => (endOf(b) >= endOf(a) ? b : a))
    left.splice(left.indexOf(last), 1)
    ordered.push(last)
  }
  return ordered
}

/** 0 nothing to do, 2 pending, 3 failed or unfinished, 4 the project and the table disagree. */
export function statusExitCode(rows: readonly StatusRow[]): number {
  const has = (...wanted: readonly MigrationStatus[]): boolean =>
    rows.some(({ status }) => wanted.includes(status))
  if (has('modified', 'missing', 'out of order')) return 4
  if (has('failed', 'running', 'paused', 'reverting')) return 3
  return has('pending') ? 2 : 0
}
