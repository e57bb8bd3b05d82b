import type { TableRecord } from '../catalog/table-record.ts'
import { readRange } from '../storage/read-range.ts'
import type { StorageReader } from '../storage/storage.ts'
import { allBackups } from '../storage/storage-keys.ts'

/** A backup as it is stored. Its items are stored with it, so it outlives its table. */
export interface BackupRecord {
  readonly id: number
  readonly arn: string
  readonly name: string
  readonly createdMs: number
  /** The table as it was. */
  readonly table: TableRecord
  /** Items are still being copied into it. */
  readonly filling?: true
  readonly items: number
  readonly bytes: number
}

/** All backups, the oldest first. */
export function readBackups(reader: StorageReader): BackupRecord[] {
  return readRange(reader, allBackups())
}
