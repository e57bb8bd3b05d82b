import type { TableDescriptionResponse, TableRequest } from '../../wire/table-operations.ts'
import { transitionStatus } from '../catalog/table.ts'
import type { TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { validationError } from '../messages/request-messages.ts'
import {
  DELETION_PROTECTED,
  indexesInTransition,
  tableInTransition,
} from '../messages/table-messages.ts'
import { structure, text } from '../shapes/shape.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { closeStream } from '../streams/close-stream.ts'
import { describeTable } from '../tables/describe-table.ts'
import { requireTableByName } from '../tables/require-table.ts'
import { announced, transitionsOf } from '../tables/transition.ts'
import type { Operation } from './operation.ts'

export const deleteTable: Operation<TableRequest, TableDescriptionResponse> = {
  shape: structure({ TableName: text() }),
  run(context, request) {
    return context.catalog.change((transaction) => {
      const { record } = requireTableByName(context, request.TableName)
      const response = {
        TableDescription: describeTable(context, { ...record, transition: announced('DELETING') }),
      }
      // Deleting a table that is being deleted is not an error. (AWS API reference, DeleteTable.)
      if (transitionStatus(record, context.environment.now()) !== 'DELETING') {
        refuseDeletion(context, record)
        remove(context, transaction, record)
      }
      return response
    })
  },
}

function refuseDeletion(context: EngineContext, record: TableRecord): void {
  const nowMs = context.environment.now()
  if (record.deletionProtection) throw validationError(DELETION_PROTECTED)
  for (const index of [...record.indexes, ...(record.indexesLeaving ?? [])]) {
    if (transitionStatus(index, nowMs) !== 'ACTIVE') throw indexesInTransition()
  }
  const status = transitionStatus(record, nowMs)
  if (status !== 'ACTIVE' || record.backingUp !== undefined) {
    throw tableInTransition(record.name, status)
  }
}

function remove(
  context: EngineContext,
  transaction: StorageTransaction,
  record: TableRecord,
): void {
  const stream = record.stream && closeStream(context, transaction, record.stream)
  const leaving = transitionsOf(context, record.name)('DELETING')
  if (leaving.transition === undefined) context.catalog.remove(transaction, record)
  else context.catalog.put(transaction, { ...record, ...leaving, ...(stream && { stream }) })
}
