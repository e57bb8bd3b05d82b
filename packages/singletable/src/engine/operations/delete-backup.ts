import type { BackupDescriptionResponse, BackupRequest } from '../../wire/backup-operations.ts'
import { describeBackup } from '../backups/describe-backup.ts'
import { requireBackup } from '../backups/require-backup.ts'
import { backupInUse } from '../messages/backup-messages.ts'
import { backupArn } from '../shapes/backup-shapes.ts'
import { structure } from '../shapes/shape.ts'
import { backupItems, backupKey } from '../storage/storage-keys.ts'
import type { Operation } from './operation.ts'

export const deleteBackup: Operation<BackupRequest, BackupDescriptionResponse> = {
  shape: structure({ BackupArn: { required: backupArn } }),
  run(context, request) {
    return context.storage.transaction((transaction) => {
      const backup = requireBackup(transaction, request.BackupArn)
      const isRestored = context.catalog
        .tables()
        .some(({ record }) => record.filling && record.restored?.backupArn === backup.arn)
      if (isRestored || backup.filling) throw backupInUse()
      context.pendingDeletes.remove(transaction, [backupItems(backup.id)])
      transaction.remove(backupKey(backup.id))
      return { BackupDescription: describeBackup(backup, 'DELETED') }
    })
  },
}
