import type {
  BillingMode,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  OnDemandThroughput,
  Projection,
  ProvisionedThroughput,
  SSEDescription,
  SSESpecification,
  StreamSpecification,
} from './table-operations.ts'

/** Shapes of the operations on backups, as JSON on the wire. Times are seconds since 1970. */

export type BackupStatus = 'CREATING' | 'AVAILABLE' | 'DELETED'

export interface PointInTimeRecoveryDescription {
  PointInTimeRecoveryStatus: 'ENABLED' | 'DISABLED'
  RecoveryPeriodInDays?: number
  EarliestRestorableDateTime?: number
  LatestRestorableDateTime?: number
}
export interface ContinuousBackupsResponse {
  ContinuousBackupsDescription: {
    ContinuousBackupsStatus: 'ENABLED' | 'DISABLED'
    PointInTimeRecoveryDescription: PointInTimeRecoveryDescription
  }
}
export interface UpdateContinuousBackupsRequest {
  TableName: string
  PointInTimeRecoverySpecification: {
    PointInTimeRecoveryEnabled: boolean
    RecoveryPeriodInDays?: number
  }
}

export interface CreateBackupRequest {
  TableName: string
  BackupName: string
}
export interface BackupDetails {
  BackupArn: string
  BackupName: string
  BackupSizeBytes: number
  BackupStatus: BackupStatus
  BackupType: 'USER'
  BackupCreationDateTime: number
}
export interface CreateBackupResponse {
  BackupDetails: BackupDetails
}

export interface BackupRequest {
  BackupArn: string
}
export interface BackupIndexInfo {
  IndexName: string
  KeySchema: readonly KeySchemaElement[]
  Projection: Projection
  ProvisionedThroughput?: ProvisionedThroughput
  OnDemandThroughput?: OnDemandThroughput
}
export interface BackupDescription {
  BackupDetails: BackupDetails
  SourceTableDetails: {
    TableName: string
    TableId: string
    TableArn: string
    TableSizeBytes: number
    KeySchema: readonly KeySchemaElement[]
    TableCreationDateTime: number
    ProvisionedThroughput: ProvisionedThroughput
    OnDemandThroughput?: OnDemandThroughput
    ItemCount: number
    BillingMode: BillingMode
  }
  SourceTableFeatureDetails: {
    LocalSecondaryIndexes?: BackupIndexInfo[]
    GlobalSecondaryIndexes?: BackupIndexInfo[]
    StreamDescription?: StreamSpecification
    TimeToLiveDescription?: { TimeToLiveStatus: string; AttributeName?: string }
    SSEDescription?: SSEDescription
  }
}
export interface BackupDescriptionResponse {
  BackupDescription: BackupDescription
}

export interface ListBackupsRequest {
  TableName?: string
  Limit?: number
  TimeRangeLowerBound?: number
  TimeRangeUpperBound?: number
  ExclusiveStartBackupArn?: string
  BackupType?: 'USER' | 'SYSTEM' | 'AWS_BACKUP' | 'ALL'
}
export interface BackupSummary extends BackupDetails {
  TableName: string
  TableId: string
  TableArn: string
}
export interface ListBackupsResponse {
  BackupSummaries: BackupSummary[]
  LastEvaluatedBackupArn?: string
}

export interface RestoreTableFromBackupRequest {
  TargetTableName: string
  BackupArn: string
  BillingModeOverride?: BillingMode
  GlobalSecondaryIndexOverride?: readonly GlobalSecondaryIndex[]
  LocalSecondaryIndexOverride?: readonly LocalSecondaryIndex[]
  ProvisionedThroughputOverride?: ProvisionedThroughput
  OnDemandThroughputOverride?: OnDemandThroughput
  SSESpecificationOverride?: SSESpecification
}
