import { BACKUP_ARN_INVALID, backupNotFound } from '../messages/backup-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import type { StorageReader } from '../storage/storage.ts'
import { type BackupRecord, readBackups } from './backup-record.ts'

const BACKUP_ARN = /^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/[a-zA-Z0-9_.-]+\/backup\/[0-9a-f-]+$/

export function requireBackup(reader: StorageReader, arn: string): BackupRecord {
  if (!BACKUP_ARN.test(arn)) throw validationError(BACKUP_ARN_INVALID)
  const found = readBackups(reader).find((backup) => backup.arn === arn)
  if (found === undefined) throw backupNotFound(arn)
  return found
}
