import type { ContinuousBackupsResponse } from '../../wire/backup-operations.ts'
import type { TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { seconds } from '../tables/describe-table.ts'

const DAY_MS = 86_400_000
/** AWS can restore a table up to about five minutes ago. */
const RESTORE_DELAY_MS = 300_000

/** Whether point-in-time recovery is on is kept and shown; the engine itself can't restore to a
 * point in time. */
export function describeContinuousBackups(
  context: EngineContext,
  { pointInTimeRecovery: recovery }: TableRecord,
): ContinuousBackupsResponse {
  if (recovery === undefined) {
    return {
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
      },
    }
  }
  const nowMs = context.environment.now()
  const earliestMs = Math.max(recovery.enabledMs, nowMs - recovery.days * DAY_MS)
  return {
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: {
        PointInTimeRecoveryStatus: 'ENABLED',
        RecoveryPeriodInDays: recovery.days,
        EarliestRestorableDateTime: seconds(earliestMs),
        LatestRestorableDateTime: seconds(Math.max(earliestMs, nowMs - RESTORE_DELAY_MS)),
      },
    },
  }
}
