import type { CreateBackupRequest, CreateBackupResponse } from '../../wire/backup-operations.ts'
import type { BackupRecord } from '../backups/backup-record.ts'
import { describeBackupDetails } from '../backups/describe-backup.ts'
import { requireBackedUpTable } from '../backups/require-backed-up-table.ts'
import type { TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { BACKUP_NAME_MAX_LENGTH, BACKUP_NAME_MIN_LENGTH } from '../limits/table-limits.ts'
import { backupInUse } from '../messages/backup-messages.ts'
import { NAME_PATTERN } from '../shapes/name-pattern.ts'
import { structure, text } from '../shapes/shape.ts'
import { nextNumber } from '../storage/counter.ts'
import { readStatistics } from '../storage/statistics.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { backupKey } from '../storage/storage-keys.ts'
import { fillTable, finishFilling } from './fill-table.ts'
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
    const backup = await context.catalog.change((transaction) => {
      const { record } = requireBackedUpTable(context, request.TableName)
      if (record.backingUp !== undefined) throw backupInUse()
      const started = startBackup(context, transaction, record, request.BackupName)
      context.catalog.put(transaction, { ...record, backingUp: started.id })
      fillTable(context, transaction, record.name)
      return started
    })
    await finishFilling(context, backup.table.name)
    return { BackupDetails: describeBackupDetails(backup, 'CREATING') }
  },
}

function startBackup(
  context: EngineContext,
  transaction: StorageTransaction,
  table: TableRecord,
  name: string,
): BackupRecord {
  const id = nextNumber(transaction, 'backup')
  const createdMs = context.environment.now()
  const backup: BackupRecord = {
    id,
    arn: `${table.arn}/backup/${backupLabel(id, createdMs)}`,
    name,
    createdMs,
    table,
    filling: true,
    ...readStatistics(transaction, table.id, 0),
  }
  transaction.put(backupKey(id), backup)
  return backup
}

/** The time, and a number of eight hex digits that keeps backups of one millisecond apart. */
function backupLabel(id: number, createdMs: number): string {
  return `${String(createdMs).padStart(14, '0')}-${id.toString(16).padStart(8, '0')}`
}
