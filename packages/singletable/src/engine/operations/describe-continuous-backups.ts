import type { ContinuousBackupsResponse } from '../../wire/backup-operations.ts'
import type { TableRequest } from '../../wire/table-operations.ts'
import { describeContinuousBackups as describe } from '../backups/describe-continuous-backups.ts'
import { requireBackedUpTable } from '../backups/require-backed-up-table.ts'
import { structure, text } from '../shapes/shape.ts'
import type { Operation } from './operation.ts'

export const describeContinuousBackups: Operation<TableRequest, ContinuousBackupsResponse> = {
  shape: structure({ TableName: text() }),
  run(context, request) {
    return describe(context, requireBackedUpTable(context, request.TableName).record)
  },
}
