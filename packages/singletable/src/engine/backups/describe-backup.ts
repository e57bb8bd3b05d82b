import type {
  BackupDescription,
  BackupDetails,
  BackupIndexInfo,
  BackupStatus,
} from '../../wire/backup-operations.ts'
import type { IndexRecord, TableRecord, Throughput } from '../catalog/table-record.ts'
import {
  describeEncryption,
  describeKeySchema,
  describeOnDemandThroughput,
  describeProjection,
  seconds,
} from '../tables/describe-table.ts'
import type { BackupRecord } from './backup-record.ts'

export function describeBackup(
  backup: BackupRecord,
  status: BackupStatus = statusOf(backup),
): BackupDescription {
  const { table } = backup
  return {
    BackupDetails: describeBackupDetails(backup, status),
    SourceTableDetails: {
      TableName: table.name,
      TableId: table.uuid,
      TableArn: table.arn,
      TableSizeBytes: backup.bytes,
      KeySchema: describeKeySchema(table.keySchema),
      TableCreationDateTime: seconds(table.createdMs),
      ProvisionedThroughput: units(table.billing),
      ...(table.onDemandThroughput && {
        OnDemandThroughput: describeOnDemandThroughput(table.onDemandThroughput),
      }),
      ItemCount: backup.items,
      BillingMode: table.billing.mode,
    },
    SourceTableFeatureDetails: describeTableFeatures(table),
  }
}

function statusOf({ filling }: BackupRecord): BackupStatus {
  return filling ? 'CREATING' : 'AVAILABLE'
}

export function describeBackupDetails(
  backup: BackupRecord,
  status: BackupStatus = statusOf(backup),
): BackupDetails {
  return {
    BackupArn: backup.arn,
    BackupName: backup.name,
    BackupSizeBytes: backup.bytes,
    BackupStatus: status,
    BackupType: 'USER',
    BackupCreationDateTime: seconds(backup.createdMs),
  }
}

function describeTableFeatures(table: TableRecord): BackupDescription['SourceTableFeatureDetails'] {
  const { stream, timeToLive, encryption } = table
  const features: BackupDescription['SourceTableFeatureDetails'] = {
    TimeToLiveDescription:
      timeToLive?.enabled === true
        ? { TimeToLiveStatus: 'ENABLED', AttributeName: timeToLive.attribute }
        : { TimeToLiveStatus: 'DISABLED' },
  }
  const local = table.indexes.filter((index) => index.kind === 'local')
  if (local.length > 0) features.LocalSecondaryIndexes = local.map(indexInfo)
  const global = table.indexes.filter((index) => index.kind === 'global')
  if (global.length > 0) features.GlobalSecondaryIndexes = global.map(indexInfo)
  if (stream?.enabled === true) {
    features.StreamDescription = { StreamEnabled: true, StreamViewType: stream.viewType }
  }
  if (encryption !== undefined) features.SSEDescription = describeEncryption(encryption)
  return features
}

function indexInfo(index: IndexRecord): BackupIndexInfo {
  return {
    IndexName: index.name,
    KeySchema: describeKeySchema(index.keySchema),
    Projection: describeProjection(index),
    ...(index.throughput && { ProvisionedThroughput: units(index.throughput) }),
    ...(index.onDemandThroughput && {
      OnDemandThroughput: describeOnDemandThroughput(index.onDemandThroughput),
    }),
  }
}

function units({ read, write }: Throughput): {
  ReadCapacityUnits: number
  WriteCapacityUnits: number
} {
  return { ReadCapacityUnits: read, WriteCapacityUnits: write }
}
