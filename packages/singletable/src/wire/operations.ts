import type {
  BackupDescriptionResponse,
  BackupRequest,
  ContinuousBackupsResponse,
  CreateBackupRequest,
  CreateBackupResponse,
  ListBackupsRequest,
  ListBackupsResponse,
  RestoreTableFromBackupRequest,
  UpdateContinuousBackupsRequest,
} from './backup-operations.ts'
import type {
  ContributorInsightsSummary,
  DescribeContributorInsightsRequest,
  DescribeContributorInsightsResponse,
  ListContributorInsightsRequest,
  ListContributorInsightsResponse,
  UpdateContributorInsightsRequest,
} from './contributor-insights-operations.ts'
import type {
  BatchExecuteStatementRequest,
  BatchExecuteStatementResponse,
  BatchGetItemRequest,
  BatchGetItemResponse,
  BatchWriteItemRequest,
  BatchWriteItemResponse,
  DeleteItemRequest,
  ExecuteStatementRequest,
  ExecuteStatementResponse,
  ExecuteTransactionRequest,
  ExecuteTransactionResponse,
  GetItemRequest,
  GetItemResponse,
  PutItemRequest,
  QueryRequest,
  ReadPageResponse,
  ScanRequest,
  TransactGetItemsRequest,
  TransactGetItemsResponse,
  TransactWriteItemsRequest,
  TransactWriteItemsResponse,
  UpdateItemRequest,
  WriteItemResponse,
} from './item-operations.ts'
import type {
  DescribeStreamRequest,
  DescribeStreamResponse,
  GetRecordsRequest,
  GetRecordsResponse,
  GetShardIteratorRequest,
  GetShardIteratorResponse,
  ListStreamsRequest,
  ListStreamsResponse,
} from './stream-operations.ts'
import type {
  CreateTableRequest,
  DescribeEndpointsResponse,
  DescribeLimitsResponse,
  DescribeTableResponse,
  ListTablesRequest,
  ListTablesResponse,
  ListTagsOfResourceRequest,
  ListTagsOfResourceResponse,
  TableDescriptionResponse,
  TableRequest,
  TagResourceRequest,
  UntagResourceRequest,
  UpdateTableRequest,
} from './table-operations.ts'
import type {
  DescribeTimeToLiveRequest,
  DescribeTimeToLiveResponse,
  UpdateTimeToLiveRequest,
  UpdateTimeToLiveResponse,
} from './time-to-live-operations.ts'

interface Exchange<TRequest, TResponse> {
  readonly request: TRequest
  readonly response: TResponse
}

/** Request and response of each operation by its name. */
export interface Operations {
  BatchExecuteStatement: Exchange<BatchExecuteStatementRequest, BatchExecuteStatementResponse>
  BatchGetItem: Exchange<BatchGetItemRequest, BatchGetItemResponse>
  BatchWriteItem: Exchange<BatchWriteItemRequest, BatchWriteItemResponse>
  CreateBackup: Exchange<CreateBackupRequest, CreateBackupResponse>
  CreateTable: Exchange<CreateTableRequest, TableDescriptionResponse>
  DeleteBackup: Exchange<BackupRequest, BackupDescriptionResponse>
  DeleteItem: Exchange<DeleteItemRequest, WriteItemResponse>
  DeleteTable: Exchange<TableRequest, TableDescriptionResponse>
  DescribeBackup: Exchange<BackupRequest, BackupDescriptionResponse>
  DescribeContinuousBackups: Exchange<TableRequest, ContinuousBackupsResponse>
  DescribeContributorInsights: Exchange<
    DescribeContributorInsightsRequest,
    DescribeContributorInsightsResponse
  >
  DescribeEndpoints: Exchange<object, DescribeEndpointsResponse>
  DescribeLimits: Exchange<object, DescribeLimitsResponse>
  DescribeStream: Exchange<DescribeStreamRequest, DescribeStreamResponse>
  DescribeTable: Exchange<TableRequest, DescribeTableResponse>
  DescribeTimeToLive: Exchange<DescribeTimeToLiveRequest, DescribeTimeToLiveResponse>
  ExecuteStatement: Exchange<ExecuteStatementRequest, ExecuteStatementResponse>
  ExecuteTransaction: Exchange<ExecuteTransactionRequest, ExecuteTransactionResponse>
  GetItem: Exchange<GetItemRequest, GetItemResponse>
  GetRecords: Exchange<GetRecordsRequest, GetRecordsResponse>
  GetShardIterator: Exchange<GetShardIteratorRequest, GetShardIteratorResponse>
  ListBackups: Exchange<ListBackupsRequest, ListBackupsResponse>
  ListContributorInsights: Exchange<ListContributorInsightsRequest, ListContributorInsightsResponse>
  ListStreams: Exchange<ListStreamsRequest, ListStreamsResponse>
  ListTables: Exchange<ListTablesRequest, ListTablesResponse>
  ListTagsOfResource: Exchange<ListTagsOfResourceRequest, ListTagsOfResourceResponse>
  PutItem: Exchange<PutItemRequest, WriteItemResponse>
  Query: Exchange<QueryRequest, ReadPageResponse>
  RestoreTableFromBackup: Exchange<RestoreTableFromBackupRequest, TableDescriptionResponse>
  Scan: Exchange<ScanRequest, ReadPageResponse>
  TagResource: Exchange<TagResourceRequest, object>
  TransactGetItems: Exchange<TransactGetItemsRequest, TransactGetItemsResponse>
  TransactWriteItems: Exchange<TransactWriteItemsRequest, TransactWriteItemsResponse>
  UntagResource: Exchange<UntagResourceRequest, object>
  UpdateContinuousBackups: Exchange<UpdateContinuousBackupsRequest, ContinuousBackupsResponse>
  UpdateContributorInsights: Exchange<UpdateContributorInsightsRequest, ContributorInsightsSummary>
  UpdateItem: Exchange<UpdateItemRequest, WriteItemResponse>
  UpdateTable: Exchange<UpdateTableRequest, TableDescriptionResponse>
  UpdateTimeToLive: Exchange<UpdateTimeToLiveRequest, UpdateTimeToLiveResponse>
}

/** The name of an operation: `'PutItem'`, `'Query'`, … */
export type OperationName = keyof Operations
