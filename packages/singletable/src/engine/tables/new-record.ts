import type { TableRecord } from '../catalog/table-record.ts'
import { tableArn } from '../context/arn.ts'
import type { EngineContext } from '../context/context.ts'
import { uuid } from '../context/uuid.ts'
import { nextNumber } from '../storage/counter.ts'
import type { StorageTransaction } from '../storage/storage.ts'
import { transitionsOf } from './transition.ts'

type Definition = 'name' | 'keySchema' | 'attributeDefinitions' | 'billing' | 'indexes'

/** The record of a table that is made now, without any of the features that a table need not
 * have. */
export function newRecord(
  context: EngineContext,
  transaction: StorageTransaction,
  definition: Pick<TableRecord, Definition>,
): TableRecord {
  return {
    ...definition,
    id: nextNumber(transaction, 'table'),
    arn: tableArn(context.settings, definition.name),
    uuid: uuid(context.environment),
    createdMs: context.environment.now(),
    ...transitionsOf(context, definition.name)('CREATING'),
    indexIdNext: definition.indexes.length + 1,
    tags: [],
    deletionProtection: false,
  }
}
