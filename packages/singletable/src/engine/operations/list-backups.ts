import type { ListBackupsRequest, ListBackupsResponse } from '../../wire/backup-operations.ts'
import { type BackupRecord, readBackups } from '../backups/backup-record.ts'
import { describeBackupDetails } from '../backups/describe-backup.ts'
import { tableNameOf } from '../context/arn.ts'
import { LIST_BACKUPS_LIMIT_MAX } from '../limits/table-limits.ts'
import { BACKUP_ARN_INVALID, BACKUP_TIME_RANGE } from '../messages/backup-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { backupArn } from '../shapes/backup-shapes.ts'
import { checkConstraints } from '../shapes/check-constraints.ts'
import { integer, oneOf, type Shape, structure, text } from '../shapes/shape.ts'
import { validateTableName } from '../shapes/table-name.ts'
import type { Operation } from './operation.ts'

const time: Shape = { kind: 'double' }

export const listBackups: Operation<ListBackupsRequest, ListBackupsResponse> = {
  shape: structure({
    TableName: text(),
    Limit: integer({ min: 1, max: LIST_BACKUPS_LIMIT_MAX }),
    TimeRangeLowerBound: time,
    TimeRangeUpperBound: time,
    ExclusiveStartBackupArn: backupArn,
    BackupType: oneOf('ALL', 'AWS_BACKUP', 'SYSTEM', 'USER'),
  }),
  check(shape, request) {
    if (request.TableName !== undefined) validateTableName(request.TableName)
    checkConstraints(shape, request)
  },
  run(context, request) {
    const { TimeRangeLowerBound: lower, TimeRangeUpperBound: upper } = request
    if (lower !== undefined && upper !== undefined && lower > upper) {
      throw validationError(BACKUP_TIME_RANGE)
    }
    const { Limit: limit = LIST_BACKUPS_LIMIT_MAX } = request
    const rest = afterStart(readBackups(context.storage), request).filter((backup) =>
      isWanted(backup, request),
    )
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    return {
      BackupSummaries: page.map((backup) => ({
        TableName: backup.table.name,
        TableId: backup.table.uuid,
        TableArn: backup.table.arn,
        ...describeBackupDetails(backup),
      })),
      ...(rest.length > page.length && last && { LastEvaluatedBackupArn: last.arn }),
    }
  },
}

/** Backups are in the order of their making. One that was deleted since can still be gone on from:
 * its ARN ends in its number. */
function afterStart(
  backups: readonly BackupRecord[],
  { ExclusiveStartBackupArn: arn }: ListBackupsRequest,
): readonly BackupRecord[] {
  if (arn === undefined) return backups
  const label = /\/backup\/\d+-([0-9a-f]{8})$/.exec(arn)?.[1]
  if (label === undefined) throw validationError(BACKUP_ARN_INVALID)
  const id = Number.parseInt(label, 16)
  return backups.filter((backup) => backup.id > id)
}

function isWanted(backup: BackupRecord, request: ListBackupsRequest): boolean {
  const { TableName: name, BackupType: type = 'USER' } = request
  const { TimeRangeLowerBound: lower, TimeRangeUpperBound: upper } = request
  if (type !== 'USER' && type !== 'ALL') return false
  if (name !== undefined && backup.table.name !== tableNameOf(name)) return false
  const seconds = backup.createdMs / 1000
  // The lower bound is part of the range, the upper is not. (AWS API reference, ListBackups.)
  return (lower === undefined || seconds >= lower) && (upper === undefined || seconds < upper)
}
