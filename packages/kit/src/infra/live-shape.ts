import {
  type Operations,
  ServiceError,
  type TableDescription,
  type Transport,
} from 'singletable/tools'
import type { Aspect, FoundTable } from './diff-shapes.ts'
import { InfraError } from './infra-error.ts'
import {
  AWS_MANAGED,
  type Capacity,
  type IndexShape,
  indexShape,
  maximumOf,
  orderedKeys,
  type TableShape,
  warmthOf,
} from './table-shape.ts'

/** Reads the shape of a table that is there. */
export async function readLiveTable(transport: Transport, name: string): Promise<FoundTable> {
  const description = await describeTable(transport, name)
  if (description === undefined) {
    throw new InfraError(
      `There is no table "${name}".`,
      'give its name by --table, and see that endpoint and region are the right ones',
    )
  }
  const unknown: Aspect[] = []
  const ask = async <TOperation extends keyof Operations>(
    aspect: Aspect,
    operation: TOperation,
    request: Operations[TOperation]['request'],
  ): Promise<Operations[TOperation]['response'] | undefined> => {
    try {
      return await transport.send(operation, request)
    } catch (error) {
      if (!isUnsupported(error)) throw error
      unknown.push(aspect)
      return undefined
    }
  }
  const TableName = name
  const ttl = (await ask('ttl', 'DescribeTimeToLive', { TableName }))?.TimeToLiveDescription
  const backups = await ask('backups', 'DescribeContinuousBackups', { TableName })
  const tags = await ask('tags', 'ListTagsOfResource', { ResourceArn: description.TableArn })
  // DynamoDB shows it of every table, and local services of none.
  if (!description.WarmThroughput) unknown.push('warmth')
  const recovery = backups?.ContinuousBackupsDescription.PointInTimeRecoveryDescription
  return {
    unknown,
    assumed: new Map(),
    shape: describedShape(description, {
      ttl: /^ENABL/.test(ttl?.TimeToLiveStatus ?? '') ? ttl?.AttributeName : undefined,
      pointInTimeRecovery: recovery?.PointInTimeRecoveryStatus === 'ENABLED',
      recoveryDays: recovery?.RecoveryPeriodInDays,
      tags: new Map(tags?.Tags.map(({ Key, Value }) => [Key, Value])),
    }),
  }
}

function describedShape(
  table: TableDescription,
  settings: Pick<TableShape, 'ttl' | 'pointInTimeRecovery' | 'recoveryDays' | 'tags'>,
): TableShape {
  const isOnDemand = table.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST'
  const capacityOf = (throughput: {
    readonly ReadCapacityUnits?: number
    readonly WriteCapacityUnits?: number
  }): Capacity | undefined =>
    isOnDemand
      ? undefined
      : { read: throughput.ReadCapacityUnits ?? 0, write: throughput.WriteCapacityUnits ?? 0 }
  const primary = indexShape({ IndexName: 'primary', KeySchema: table.KeySchema ?? [] })
  const { StreamSpecification: stream } = table
  const global: readonly IndexShape[] = (table.GlobalSecondaryIndexes ?? [])
    .filter(({ IndexStatus }) => IndexStatus !== 'DELETING')
    .map((index) => ({
      ...indexShape(index),
      capacity: capacityOf(index.ProvisionedThroughput ?? {}),
      maximum: isOnDemand ? maximumOf(index.OnDemandThroughput) : undefined,
      warm: warmthOf(index.WarmThroughput),
    }))
  const local = (table.LocalSecondaryIndexes ?? []).map(indexShape)
  const shape = {
    name: table.TableName,
    hash: primary.hash[0] ?? '',
    sort: primary.sort[0],
    global,
    local,
    stream: stream?.StreamEnabled ? stream.StreamViewType : undefined,
    capacity: capacityOf(table.ProvisionedThroughput ?? {}),
    maximum: isOnDemand ? maximumOf(table.OnDemandThroughput) : undefined,
    warm: warmthOf(table.WarmThroughput),
    encryptionKey: table.SSEDescription && (table.SSEDescription.KMSMasterKeyArn ?? AWS_MANAGED),
    replicas: (table.Replicas ?? [])
      .map(({ RegionName }) => RegionName)
      .filter(
        (region) => !table.TableArn.startsWith(`arn:aws:dynamodb:${region}:`) || isLocal(table),
      ),
    isStrong: table.MultiRegionConsistency === 'STRONG',
    witness: table.GlobalTableWitnesses?.[0]?.RegionName,
    deletionProtection: table.DeletionProtectionEnabled ?? false,
    infrequentAccess: table.TableClassSummary?.TableClass === 'STANDARD_INFREQUENT_ACCESS',
    ...settings,
  }
  const types = new Map(
    table.AttributeDefinitions?.map(({ AttributeName, AttributeType }) => [
      AttributeName,
      AttributeType,
    ]),
  )
  return { ...shape, keys: orderedKeys(shape, types) }
}

/** The table as it is, or undefined if there is none. */
export async function describeTable(
  transport: Transport,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await transport.send('DescribeTable', { TableName })).Table
  } catch (error) {
    if (error instanceof ServiceError && error.name === 'ResourceNotFoundException')
      return undefined
    throw error
  }
}

/** DynamoDB Local has no backups, and other engines have no tags. */
export function isUnsupported(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    /Unknown|Unsupported|NotImplemented/i.test(`${error.name} ${error.message}`)
  )
}

/** The engine and DynamoDB Local have one region, whatever its name is. */
function isLocal({ TableArn }: TableDescription): boolean {
  return /:(000000000000|ddblocal):/.test(TableArn)
}
