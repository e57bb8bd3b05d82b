import type { OperationName, Operations } from '../../wire/operations.ts'
import { batchExecuteStatement } from './batch-execute-statement.ts'
import { batchGetItem } from './batch-get-item.ts'
import { batchWriteItem } from './batch-write-item.ts'
import { createBackup } from './create-backup.ts'
import { createTable } from './create-table.ts'
import { deleteBackup } from './delete-backup.ts'
import { deleteItem } from './delete-item.ts'
import { deleteTable } from './delete-table.ts'
import { describeBackup } from './describe-backup.ts'
import { describeContinuousBackups } from './describe-continuous-backups.ts'
import { describeContributorInsights } from './describe-contributor-insights.ts'
import { describeEndpoints } from './describe-endpoints.ts'
import { describeLimits } from './describe-limits.ts'
import { describeStream } from './describe-stream.ts'
import { describeTable } from './describe-table.ts'
import { describeTimeToLive } from './describe-time-to-live.ts'
import { executeStatement } from './execute-statement.ts'
import { executeTransaction } from './execute-transaction.ts'
import { getItem } from './get-item.ts'
import { getRecords } from './get-records.ts'
import { getShardIterator } from './get-shard-iterator.ts'
import { listBackups } from './list-backups.ts'
import { listContributorInsights } from './list-contributor-insights.ts'
import { listStreams } from './list-streams.ts'
import { listTables } from './list-tables.ts'
import { listTagsOfResource } from './list-tags-of-resource.ts'
import type { Operation } from './operation.ts'
import { putItem } from './put-item.ts'
import { query } from './query.ts'
import { restoreTableFromBackup } from './restore-table-from-backup.ts'
import { scan } from './scan.ts'
import { tagResource } from './tag-resource.ts'
import { transactGetItems } from './transact-get-items.ts'
import { transactWriteItems } from './transact-write-items.ts'
import { untagResource } from './untag-resource.ts'
import { updateContinuousBackups } from './update-continuous-backups.ts'
import { updateContributorInsights } from './update-contributor-insights.ts'
import { updateItem } from './update-item.ts'
import { updateTable } from './update-table.ts'
import { updateTimeToLive } from './update-time-to-live.ts'

type OperationTable = {
  readonly [Name in OperationName]: Operation<
    Operations[Name]['request'],
    Operations[Name]['response']
  >
}

const table: OperationTable = {
  BatchExecuteStatement: batchExecuteStatement,
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  CreateBackup: createBackup,
  CreateTable: createTable,
  DeleteBackup: deleteBackup,
  DeleteItem: deleteItem,
  DeleteTable: deleteTable,
  DescribeBackup: describeBackup,
  DescribeContinuousBackups: describeContinuousBackups,
  DescribeContributorInsights: describeContributorInsights,
  DescribeEndpoints: describeEndpoints,
  DescribeLimits: describeLimits,
  DescribeStream: describeStream,
  DescribeTable: describeTable,
  DescribeTimeToLive: describeTimeToLive,
  ExecuteStatement: executeStatement,
  ExecuteTransaction: executeTransaction,
  GetItem: getItem,
  GetRecords: getRecords,
  GetShardIterator: getShardIterator,
  ListBackups: listBackups,
  ListContributorInsights: listContributorInsights,
  ListStreams: listStreams,
  ListTables: listTables,
  ListTagsOfResource: listTagsOfResource,
  PutItem: putItem,
  Query: query,
  RestoreTableFromBackup: restoreTableFromBackup,
  Scan: scan,
  TagResource: tagResource,
  TransactGetItems: transactGetItems,
  TransactWriteItems: transactWriteItems,
  UntagResource: untagResource,
  UpdateContinuousBackups: updateContinuousBackups,
  UpdateContributorInsights: updateContributorInsights,
  UpdateItem: updateItem,
  UpdateTable: updateTable,
  UpdateTimeToLive: updateTimeToLive,
}

/** Every operation by name. The types of request and response are those of `Operations`, which the
 * table above was checked against. */
export const ALL_OPERATIONS: ReadonlyMap<string, Operation<never, object>> = new Map(
  Object.entries(table),
)
