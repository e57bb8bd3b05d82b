import type { BackupDescriptionResponse, BackupRequest } from '../../wire/backup-operations.ts'
import { describeBackup as describe } from '../backups/describe-backup.ts'
import { requireBackup } from '../backups/require-backup.ts'
import { backupArn } from '../shapes/backup-shapes.ts'
import { structure } from '../shapes/shape.ts'
import type { Operation } from './operation.ts'

export const describeBackup: Operation<BackupRequest, BackupDescriptionResponse> = {
  shape: structure({ BackupArn: { required: backupArn } }),
  run(context, request) {
    return { BackupDescription: describe(requireBackup(context.storage, request.BackupArn)) }
  },
}
