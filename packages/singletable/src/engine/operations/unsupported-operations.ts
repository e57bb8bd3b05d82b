/** Operations of DynamoDB that the engine does not have. Answered with UnknownOperationException,
 * which SDKs don't retry. */
export const UNSUPPORTED_OPERATIONS: ReadonlySet<string> = new Set([
  // Restoring a table as it was at any second needs a history of all changes, which the engine does
  // not keep.
  'RestoreTableToPointInTime',
  'ExportTableToPointInTime',
  'DescribeExport',
  'ListExports',
  'ImportTable',
  'DescribeImport',
  'ListImports',
  'EnableKinesisStreamingDestination',
  'DisableKinesisStreamingDestination',
  'DescribeKinesisStreamingDestination',
  'UpdateKinesisStreamingDestination',
  'CreateGlobalTable',
  'DescribeGlobalTable',
  'DescribeGlobalTableSettings',
  'ListGlobalTables',
  'UpdateGlobalTable',
  'UpdateGlobalTableSettings',
  'DescribeTableReplicaAutoScaling',
  'UpdateTableReplicaAutoScaling',
  'GetResourcePolicy',
  'PutResourcePolicy',
  'DeleteResourcePolicy',
])
