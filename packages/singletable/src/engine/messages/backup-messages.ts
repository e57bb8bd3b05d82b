import { ServiceError } from '../../wire/service-error.ts'
import { INVALID } from './request-messages.ts'

/** Messages about backups. */

export const BACKUP_ARN_INVALID = 'Invalid Backup ARN'
export const BACKUP_TIME_RANGE: string = `${INVALID}Time range lower bound must be less than or equal to upper bound`
export const RECOVERY_DAYS_WHILE_DISABLED =
  'Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.'
export const OVERRIDE_THROUGHPUT_ON_DEMAND =
  'Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST'
export const OVERRIDE_THROUGHPUT_NOT_PROVISIONED =
  'Invalid Request: Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED'
export const OVERRIDE_THROUGHPUT_MISSING =
  'Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED'

export function overrideIndexUnknown(index: string): string {
  return `Invalid Request: Index ${index} does not match a secondary index that existed in the source table and cannot be created during the restore operation`
}
export function overrideIndexThroughputOnDemand(index: string): string {
  return `Invalid Request: Cannot override ProvisionedThroughput for index ${index} if BillingMode is overridden to PAY_PER_REQUEST`
}
export function overrideIndexThroughputMissing(index: string): string {
  return `Invalid Request: Must specify provisioned throughput for index ${index}`
}

export function backedUpTableNotFound(tableName: string): ServiceError {
  return new ServiceError('TableNotFoundException', `Table not found: ${tableName}`)
}
export function backedUpTableBusy(tableName: string): ServiceError {
  return new ServiceError(
    'ContinuousBackupsUnavailableException',
    `Backups are being enabled for the table: ${tableName}. Please retry later`,
  )
}
export function backupNotFound(arn: string): ServiceError {
  return new ServiceError('BackupNotFoundException', `Backup not found: ${arn}`)
}
/** The text is that of the API reference, DeleteBackup. */
export function backupInUse(): ServiceError {
  return new ServiceError(
    'BackupInUseException',
    'There is another ongoing conflicting backup control plane operation on the table. The backup is either being created, deleted or restored to a table.',
  )
}
export function restoreTargetExists(tableName: string): ServiceError {
  return new ServiceError('TableAlreadyExistsException', `Table already exists: ${tableName}`)
}
