import type { CreateBackupRequest, CreateBackupResponse } from '../../wire/backup-operations.ts'
import type { BackupRecord } from '../backups/backup-record.ts'
import { describeBackupDetails } from '../backups/describe-backup.ts'
import { requireBackedUpTable } from '../backups/require-backed-up-table.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { BACKUP_NAME_MAX_LENGTH, BACKUP_NAME_MIN_LENGTH } from '../limits/table-limits.ts'
import { NAME_PATTERN } from '../shapes/name-pattern.ts'
import { structure, text } from '../shapes/shape.ts'
import { nextNumber } from '../storage/counter.ts'
import { readRange } from '../storage/read-range.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { backupItemKey, backupKey, prefixRange } from '../storage/storage-keys.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import type { Operation } from './operation.ts'

export const createBackup: Operation<CreateBackupRequest, CreateBackupResponse> = {
  shape: structure({
    TableName: text(),
    BackupName: {
      required: text({
        lengthMin: BACKUP_NAME_MIN_LENGTH,
        lengthMax: BACKUP_NAME_MAX_LENGTH,
        pattern: NAME_PATTERN,
      }),
    },
  }),
  async run(context, request) {
    const backup = await context.storage.transaction((transaction) => {
      const table = requireBackedUpTable(context, request.TableName)
      return copyTable(context, transaction, table, request.BackupName)
    })
    return { BackupDetails: describeBackupDetails(backup, 'CREATING') }
  },
}

function copyTable(
  context: EngineContext,
  transaction: StorageTransaction,
  table: Table,
  name: string,
): BackupRecord {
  // Items are collected first: a range is not visited while keys are put.
  const items = readRange<StoredItem>(transaction, prefixRange(table.primary.prefix))
  const id = nextNumber(transaction, 'backup')
  let bytes = 0
  items.forEach((stored, position) => {
    transaction.put(backupItemKey(id, position), stored)
    bytes += stored.sizeBytes
  })
  const createdMs = context.environment.now()
  const backup: BackupRecord = {
    id,
    arn: `${table.record.arn}/backup/${backupLabel(id, createdMs)}`,
    name,
    createdMs,
    table: table.record,
    items: items.length,
    bytes,
  }
  transaction.put(backupKey(id), backup)
  return backup
}

/** The time, and a number of eight hex digits that keeps backups of one millisecond apart. */
function backupLabel(id: number, createdMs: number): string {
  return `${String(createdMs).padStart(14, '0')}-${id.toString(16).padStart(8, '0')}`
}
