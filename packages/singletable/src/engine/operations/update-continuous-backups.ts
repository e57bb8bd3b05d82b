import type {
  ContinuousBackupsResponse,
  UpdateContinuousBackupsRequest,
} from '../../wire/backup-operations.ts'
import { describeContinuousBackups } from '../backups/describe-continuous-backups.ts'
import { requireBackedUpTable } from '../backups/require-backed-up-table.ts'
import type { TableRecord } from '../catalog/table-record.ts'
import { RECOVERY_DAYS_MAX } from '../limits/table-limits.ts'
import { RECOVERY_DAYS_WHILE_DISABLED } from '../messages/backup-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { boolean, integer, structure, text } from '../shapes/shape.ts'
import type { Operation } from './operation.ts'

export const updateContinuousBackups: Operation<
  UpdateContinuousBackupsRequest,
  ContinuousBackupsResponse
> = {
  shape: structure({
    TableName: text(),
    PointInTimeRecoverySpecification: {
      required: structure({
        PointInTimeRecoveryEnabled: { required: boolean },
        RecoveryPeriodInDays: integer({ min: 1, max: RECOVERY_DAYS_MAX }),
      }),
    },
  }),
  run(context, request) {
    const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: days } =
      request.PointInTimeRecoverySpecification
    if (!enabled && days !== undefined) throw validationError(RECOVERY_DAYS_WHILE_DISABLED)
    return context.catalog.change((transaction) => {
      const { record } = requireBackedUpTable(context, request.TableName)
      const { pointInTimeRecovery: current, ...rest } = record
      const enabledMs = current?.enabledMs ?? context.environment.now()
      const changed: TableRecord = enabled
        ? {
            ...rest,
            pointInTimeRecovery: { enabledMs, days: days ?? current?.days ?? RECOVERY_DAYS_MAX },
          }
        : rest
      context.catalog.put(transaction, changed)
      return describeContinuousBackups(context, changed)
    })
  },
}
