/** Shapes of the operations on tables, as JSON on the wire. Times are seconds since 1970. */

export type BillingMode = 'PROVISIONED' | 'PAY_PER_REQUEST'
export type TableStatus = 'CREATING' | 'UPDATING' | 'DELETING' | 'ACTIVE'
export type IndexStatus = TableStatus
export type ProjectionType = 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'
export type TableClass = 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'

export interface AttributeDefinition {
  AttributeName: string
  AttributeType: 'S' | 'N' | 'B'
}
export interface KeySchemaElement {
  AttributeName: string
  KeyType: 'HASH' | 'RANGE'
}
export interface Projection {
  ProjectionType?: ProjectionType
  NonKeyAttributes?: readonly string[]
}
export interface ProvisionedThroughput {
  ReadCapacityUnits: number
  WriteCapacityUnits: number
}
export interface OnDemandThroughput {
  MaxReadRequestUnits?: number
  MaxWriteRequestUnits?: number
}
export interface WarmThroughput {
  ReadUnitsPerSecond?: number
  WriteUnitsPerSecond?: number
}
export interface StreamSpecification {
  StreamEnabled: boolean
  StreamViewType?: StreamViewType
}
export interface SSESpecification {
  Enabled?: boolean
  SSEType?: 'AES256' | 'KMS'
  KMSMasterKeyId?: string
}
export interface Tag {
  Key: string
  Value: string
}

export interface LocalSecondaryIndex {
  IndexName: string
  KeySchema: readonly KeySchemaElement[]
  Projection: Projection
}
export interface GlobalSecondaryIndex extends LocalSecondaryIndex {
  ProvisionedThroughput?: ProvisionedThroughput
  OnDemandThroughput?: OnDemandThroughput
  WarmThroughput?: WarmThroughput
}

export interface CreateTableRequest {
  TableName: string
  AttributeDefinitions: readonly AttributeDefinition[]
  KeySchema: readonly KeySchemaElement[]
  LocalSecondaryIndexes?: readonly LocalSecondaryIndex[]
  GlobalSecondaryIndexes?: readonly GlobalSecondaryIndex[]
  BillingMode?: BillingMode
  ProvisionedThroughput?: ProvisionedThroughput
  OnDemandThroughput?: OnDemandThroughput
  WarmThroughput?: WarmThroughput
  StreamSpecification?: StreamSpecification
  SSESpecification?: SSESpecification
  Tags?: readonly Tag[]
  TableClass?: TableClass
  DeletionProtectionEnabled?: boolean
  ResourcePolicy?: string
}

export interface UpdateGlobalSecondaryIndex {
  IndexName: string
  ProvisionedThroughput?: ProvisionedThroughput
  OnDemandThroughput?: OnDemandThroughput
  WarmThroughput?: WarmThroughput
}
export interface GlobalSecondaryIndexUpdate {
  Create?: GlobalSecondaryIndex
  Update?: UpdateGlobalSecondaryIndex
  Delete?: { IndexName: string }
}
export interface UpdateTableRequest {
  TableName: string
  AttributeDefinitions?: readonly AttributeDefinition[]
  BillingMode?: BillingMode
  ProvisionedThroughput?: ProvisionedThroughput
  GlobalSecondaryIndexUpdates?: readonly GlobalSecondaryIndexUpdate[]
  StreamSpecification?: StreamSpecification
  SSESpecification?: SSESpecification
  TableClass?: TableClass
  DeletionProtectionEnabled?: boolean
  OnDemandThroughput?: OnDemandThroughput
  WarmThroughput?: WarmThroughput
  ReplicaUpdates?: readonly ReplicaUpdate[]
  MultiRegionConsistency?: MultiRegionConsistency
  GlobalTableWitnessUpdates?: readonly GlobalTableWitnessUpdate[]
}

export type MultiRegionConsistency = 'EVENTUAL' | 'STRONG'
export interface ReplicaUpdate {
  Create?: { RegionName: string; KMSMasterKeyId?: string }
  Update?: { RegionName: string }
  Delete?: { RegionName: string }
}
export interface GlobalTableWitnessUpdate {
  Create?: { RegionName: string }
  Delete?: { RegionName: string }
}

export interface TableRequest {
  TableName: string
}

export interface ProvisionedThroughputDescription extends ProvisionedThroughput {
  NumberOfDecreasesToday: number
  LastIncreaseDateTime?: number
  LastDecreaseDateTime?: number
}
export interface WarmThroughputDescription extends WarmThroughput {
  Status: TableStatus
}
export interface LocalSecondaryIndexDescription {
  IndexName: string
  KeySchema: readonly KeySchemaElement[]
  Projection: Projection
  IndexSizeBytes: number
  ItemCount: number
  IndexArn: string
}
export interface GlobalSecondaryIndexDescription extends LocalSecondaryIndexDescription {
  IndexStatus: IndexStatus
  Backfilling?: boolean
  ProvisionedThroughput: ProvisionedThroughputDescription
  OnDemandThroughput?: OnDemandThroughput
  WarmThroughput: WarmThroughputDescription
}
export interface SSEDescription {
  Status: 'ENABLED'
  SSEType: string
  KMSMasterKeyArn?: string
}
export interface TableDescription {
  TableName: string
  TableArn: string
  TableId: string
  TableStatus: TableStatus
  TableSizeBytes: number
  ItemCount: number
  /** A table that is being deleted is described without its definition. */
  CreationDateTime?: number
  KeySchema?: readonly KeySchemaElement[]
  AttributeDefinitions?: readonly AttributeDefinition[]
  ProvisionedThroughput: ProvisionedThroughputDescription
  BillingModeSummary?: { BillingMode: BillingMode; LastUpdateToPayPerRequestDateTime?: number }
  TableThroughputModeSummary?: {
    TableThroughputMode: BillingMode
    LastUpdateToPayPerRequestDateTime?: number
  }
  LocalSecondaryIndexes?: LocalSecondaryIndexDescription[]
  GlobalSecondaryIndexes?: GlobalSecondaryIndexDescription[]
  StreamSpecification?: StreamSpecification
  LatestStreamLabel?: string
  LatestStreamArn?: string
  SSEDescription?: SSEDescription
  TableClassSummary?: { TableClass: string; LastUpdateDateTime?: number }
  DeletionProtectionEnabled: boolean
  OnDemandThroughput?: OnDemandThroughput
  WarmThroughput?: WarmThroughputDescription
  /** Only of a table that has replicas in other regions. */
  GlobalTableVersion?: string
  Replicas?: readonly { RegionName: string; ReplicaStatus: string }[]
  GlobalTableWitnesses?: readonly { RegionName: string; WitnessStatus: string }[]
  MultiRegionConsistency?: MultiRegionConsistency
  RestoreSummary?: {
    SourceBackupArn?: string
    SourceTableArn: string
    RestoreDateTime: number
    RestoreInProgress: boolean
  }
}

export interface TableDescriptionResponse {
  TableDescription: TableDescription
}
export interface DescribeTableResponse {
  Table: TableDescription
}

export interface ListTablesRequest {
  ExclusiveStartTableName?: string
  Limit?: number
}
export interface ListTablesResponse {
  TableNames: string[]
  LastEvaluatedTableName?: string
}

export interface TagResourceRequest {
  ResourceArn: string
  Tags: readonly Tag[]
}
export interface UntagResourceRequest {
  ResourceArn: string
  TagKeys: readonly string[]
}
export interface ListTagsOfResourceRequest {
  ResourceArn: string
  NextToken?: string
}
export interface ListTagsOfResourceResponse {
  Tags: Tag[]
}

export interface DescribeLimitsResponse {
  AccountMaxReadCapacityUnits: number
  AccountMaxWriteCapacityUnits: number
  TableMaxReadCapacityUnits: number
  TableMaxWriteCapacityUnits: number
}
export interface DescribeEndpointsResponse {
  Endpoints: { Address: string; CachePeriodInMinutes: number }[]
}
