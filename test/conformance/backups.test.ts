import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

const NO_BACKUPS = 'DynamoDB Local has no backups at all: it answers UnknownOperationException.'
const MISSING_ARN =
  'arn:aws:dynamodb:us-east-1:000000000000:table/missing/backup/01489602797149-73d8d5bc'

const byG = {
  IndexName: 'byG',
  KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'ALL' },
}
const bySize = {
  IndexName: 'bySize',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'g', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'KEYS_ONLY' },
}
const indexed = {
  AttributeDefinitions: ['pk', 'sk', 'g'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  LocalSecondaryIndexes: [bySize],
  GlobalSecondaryIndexes: [byG],
}
const units = { ReadCapacityUnits: 3, WriteCapacityUnits: 4 }

function item(pk: string, g: string): object {
  return { pk: { S: pk }, sk: { S: '1' }, g: { S: g }, list: { L: [{ N: '1' }] } }
}

/** A table of three items, and a backup of it. */
async function backedUp(
  t: Conformance,
  members: object = indexed,
): Promise<{ TableName: string; BackupArn: string; Items: object[] }> {
  const TableName = await t.table({ ...members })
  const Items = [item('a', 'x'), item('b', 'x'), item('c', 'y')]
  for (const Item of Items) await t.send('PutItem', { TableName, Item })
  const { BackupDetails } = await t.send('CreateBackup', { TableName, BackupName: 'backup' })
  return { TableName, BackupArn: BackupDetails.BackupArn, Items }
}

async function scan(t: Conformance, TableName: string, IndexName?: string): Promise<object[]> {
  const { Items } = await t.send('Scan', { TableName, ...(IndexName && { IndexName }) })
  return Items.sort((left: { pk: { S: string } }, right: { pk: { S: string } }) =>
    left.pk.S < right.pk.S ? -1 : 1,
  )
}

conformance('Backups', (define) => {
  const test = (name: string, body: (t: Conformance) => Promise<void>): void =>
    define.engineOnly(name, NO_BACKUPS, body)

  // Making and looking at backups

  test('the answer to a new backup has its name, size and time', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: { pk: { S: 'a' }, sk: { S: '1' } } })
    const { BackupDetails } = await t.send('CreateBackup', { TableName, BackupName: 'nightly' })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(BackupDetails).toMatchObject({
      BackupName: 'nightly',
      BackupStatus: 'CREATING',
      BackupType: 'USER',
      BackupSizeBytes: 6,
    })
    expect(BackupDetails.BackupArn).toMatch(
      new RegExp(`^${Table.TableArn}/backup/\\d{14}-[0-9a-f]{8}$`),
    )
  })
  test('a backup describes the table it was made of', async (t) => {
    const { TableName, BackupArn } = await backedUp(t)
    const { BackupDescription } = await t.send('DescribeBackup', { BackupArn })
    expect(BackupDescription.BackupDetails.BackupStatus).toBe('AVAILABLE')
    expect(BackupDescription.SourceTableDetails).toMatchObject({
      TableName,
      ItemCount: 3,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    })
    expect(BackupDescription.SourceTableFeatureDetails).toMatchObject({
      LocalSecondaryIndexes: [bySize],
      GlobalSecondaryIndexes: [byG],
      TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' },
    })
  })
  test('a backup of a table that is not there is refused', async (t) => {
    await t.fails(
      'CreateBackup',
      { TableName: 'missing', BackupName: 'nightly' },
      'TableNotFoundException',
      'Table not found: missing',
    )
  })
  test('a backup name of two characters is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'CreateBackup',
      { TableName, BackupName: 'ab' },
      'ValidationException',
      "1 validation error detected: Value 'ab' at 'backupName' failed to satisfy constraint: Member must have length greater than or equal to 3",
    )
  })
  test('a backup name of 256 characters is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'CreateBackup',
      { TableName, BackupName: 'b'.repeat(256) },
      'ValidationException',
      /Member must have length less than or equal to 255$/,
    )
    await t.send('CreateBackup', { TableName, BackupName: 'b'.repeat(255) })
  })
  test('a backup that is not there is not found', async (t) => {
    for (const operation of ['DescribeBackup', 'DeleteBackup']) {
      await t.fails(
        operation,
        { BackupArn: MISSING_ARN },
        'BackupNotFoundException',
        `Backup not found: ${MISSING_ARN}`,
      )
    }
  })
  test('an ARN of no backup is refused', async (t) => {
    await t.fails(
      'DescribeBackup',
      { BackupArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/missing' },
      'ValidationException',
      'Invalid Backup ARN',
    )
  })
  test('an ARN of 36 characters is too short', async (t) => {
    await t.fails(
      'DescribeBackup',
      { BackupArn: 'a'.repeat(36) },
      'ValidationException',
      /Member must have length greater than or equal to 37$/,
    )
  })
  test('a deleted backup is described once more and gone', async (t) => {
    const { BackupArn } = await backedUp(t)
    const { BackupDescription } = await t.send('DeleteBackup', { BackupArn })
    expect(BackupDescription.BackupDetails).toMatchObject({ BackupArn, BackupStatus: 'DELETED' })
    await t.fails('DescribeBackup', { BackupArn }, 'BackupNotFoundException')
    expect((await t.send('ListBackups', {})).BackupSummaries).toEqual([])
  })

  // Lists of backups

  test('backups are listed in the order of their making, page by page', async (t) => {
    const TableName = await t.table()
    const arns: string[] = []
    for (const BackupName of ['one', 'two', 'three']) {
      const { BackupDetails } = await t.send('CreateBackup', { TableName, BackupName })
      arns.push(BackupDetails.BackupArn)
    }
    const first = await t.send('ListBackups', { Limit: 2 })
    expect(
      first.BackupSummaries.map((summary: { BackupName: string }) => summary.BackupName),
    ).toEqual(['one', 'two'])
    expect(first.LastEvaluatedBackupArn).toBe(arns[1])
    const second = await t.send('ListBackups', {
      Limit: 2,
      ExclusiveStartBackupArn: first.LastEvaluatedBackupArn,
    })
    expect(second.BackupSummaries).toMatchObject([{ BackupName: 'three', TableName }])
    expect(second).not.toHaveProperty('LastEvaluatedBackupArn')
  })
  test('backups are listed by table, type and time', async (t) => {
    const { TableName } = await backedUp(t)
    const other = await t.table()
    const count = async (request: object): Promise<number> =>
      (await t.send('ListBackups', request)).BackupSummaries.length
    const now = Date.now() / 1000
    expect(await count({ TableName })).toBe(1)
    expect(await count({ TableName: other })).toBe(0)
    expect(await count({ BackupType: 'ALL' })).toBe(1)
    expect(await count({ BackupType: 'SYSTEM' })).toBe(0)
    expect(await count({ TimeRangeLowerBound: now - 60 })).toBe(1)
    expect(await count({ TimeRangeLowerBound: now + 60 })).toBe(0)
    expect(await count({ TimeRangeUpperBound: now - 60 })).toBe(0)
  })
  test('a time range that ends before it begins is refused', async (t) => {
    await t.fails(
      'ListBackups',
      { TimeRangeLowerBound: 2, TimeRangeUpperBound: 1 },
      'ValidationException',
      'One or more parameter values were invalid: Time range lower bound must be less than or equal to upper bound',
    )
  })
  for (const Limit of [1, 99, 100]) {
    test(`a limit of ${Limit} is accepted`, async (t) => {
      await t.send('ListBackups', { Limit })
    })
  }
  test('a limit of 101 is refused', async (t) => {
    await t.fails(
      'ListBackups',
      { Limit: 101 },
      'ValidationException',
      "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100",
    )
  })

  // Restoring

  test('a restored table has the items and indexes of the backup', async (t) => {
    const { BackupArn, Items } = await backedUp(t)
    await t.send('RestoreTableFromBackup', { TargetTableName: 'restored', BackupArn })
    expect(await scan(t, 'restored')).toEqual(Items)
    expect(await scan(t, 'restored', 'byG')).toEqual(Items)
    expect(await scan(t, 'restored', 'bySize')).toHaveLength(3)
  })
  test('a restored table counts its items', async (t) => {
    const { TableName, BackupArn } = await backedUp(t)
    await t.send('RestoreTableFromBackup', { TargetTableName: 'restored', BackupArn })
    const { Table: source } = await t.send('DescribeTable', { TableName })
    const { Table: restored } = await t.send('DescribeTable', { TableName: 'restored' })
    expect(restored.ItemCount).toBe(3)
    expect(restored.TableSizeBytes).toBe(source.TableSizeBytes)
    expect(restored.GlobalSecondaryIndexes[0].ItemCount).toBe(3)
    expect(restored.LocalSecondaryIndexes[0].IndexSizeBytes).toBe(
      source.LocalSecondaryIndexes[0].IndexSizeBytes,
    )
  })
  test('a restored table says what it was made from', async (t) => {
    const { TableName, BackupArn } = await backedUp(t)
    const { TableDescription } = await t.send('RestoreTableFromBackup', {
      TargetTableName: 'restored',
      BackupArn,
    })
    const { Table: source } = await t.send('DescribeTable', { TableName })
    expect(TableDescription.TableStatus).toBe('CREATING')
    expect(TableDescription.RestoreSummary).toMatchObject({
      SourceBackupArn: BackupArn,
      SourceTableArn: source.TableArn,
      RestoreInProgress: true,
    })
    expect(TableDescription.TableId).not.toBe(source.TableId)
  })
  test('writes after the backup are not in it', async (t) => {
    const { TableName, BackupArn, Items } = await backedUp(t)
    await t.send('PutItem', { TableName, Item: item('d', 'z') })
    await t.send('DeleteItem', { TableName, Key: { pk: { S: 'a' }, sk: { S: '1' } } })
    await t.send('PutItem', { TableName, Item: item('b', 'changed') })
    await t.send('RestoreTableFromBackup', { TargetTableName: 'restored', BackupArn })
    expect(await scan(t, 'restored')).toEqual(Items)
  })
  test('writes to the restored table do not change backup and source', async (t) => {
    const { TableName, BackupArn, Items } = await backedUp(t)
    await t.send('RestoreTableFromBackup', { TargetTableName: 'restored', BackupArn })
    await t.send('DeleteItem', {
      TableName: 'restored',
      Key: { pk: { S: 'a' }, sk: { S: '1' } },
    })
    await t.send('PutItem', { TableName: 'restored', Item: item('b', 'changed') })
    expect(await scan(t, 'restored', 'byG')).toEqual([item('b', 'changed'), Items[2]])
    await t.send('RestoreTableFromBackup', { TargetTableName: 'again', BackupArn })
    expect(await scan(t, 'again')).toEqual(Items)
    expect(await scan(t, TableName)).toEqual(Items)
  })
  test('a backup outlives its table', async (t) => {
    const { TableName, BackupArn, Items } = await backedUp(t)
    await t.send('DeleteTable', { TableName })
    await t.send('RestoreTableFromBackup', { TargetTableName: TableName, BackupArn })
    expect(await scan(t, TableName)).toEqual(Items)
  })
  test('an item collection of a restored table has its size', async (t) => {
    const { TableName, BackupArn } = await backedUp(t)
    await t.send('RestoreTableFromBackup', { TargetTableName: 'restored', BackupArn })
    const Key = { pk: { S: 'a' }, sk: { S: '1' } }
    const request = { Key, ReturnItemCollectionMetrics: 'SIZE' }
    const source = await t.send('DeleteItem', { TableName, ...request })
    const restored = await t.send('DeleteItem', { TableName: 'restored', ...request })
    expect(restored.ItemCollectionMetrics).toEqual(source.ItemCollectionMetrics)
  })
  test('tags, stream and deletion protection are not restored', async (t) => {
    const { TableName, BackupArn } = await backedUp(t, {
      Tags: [{ Key: 'a', Value: 'b' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      DeletionProtectionEnabled: true,
    })
    await t.send('RestoreTableFromBackup', { TargetTableName: 'restored', BackupArn })
    const { Table } = await t.send('DescribeTable', { TableName: 'restored' })
    expect(Table).not.toHaveProperty('LatestStreamArn')
    expect(Table.DeletionProtectionEnabled).toBe(false)
    const { Tags } = await t.send('ListTagsOfResource', { ResourceArn: Table.TableArn })
    expect(Tags).toEqual([])
    await t.send('UpdateTable', { TableName, DeletionProtectionEnabled: false })
  })
  test('a restore over a table that is there is refused', async (t) => {
    const { TableName, BackupArn } = await backedUp(t)
    await t.fails(
      'RestoreTableFromBackup',
      { TargetTableName: TableName, BackupArn },
      'TableAlreadyExistsException',
      `Table already exists: ${TableName}`,
    )
  })
  test('a restore from a backup that is not there is refused', async (t) => {
    await t.fails(
      'RestoreTableFromBackup',
      { TargetTableName: 'restored', BackupArn: MISSING_ARN },
      'BackupNotFoundException',
    )
  })
  test('a restore to a name of two characters is refused', async (t) => {
    await t.fails(
      'RestoreTableFromBackup',
      { TargetTableName: 'ab', BackupArn: MISSING_ARN },
      'ValidationException',
      "1 validation error detected: Value 'ab' at 'targetTableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
    )
  })

  // Overrides

  test('indexes can be left out of a restore', async (t) => {
    const { BackupArn } = await backedUp(t)
    const { TableDescription } = await t.send('RestoreTableFromBackup', {
      TargetTableName: 'restored',
      BackupArn,
      GlobalSecondaryIndexOverride: [],
      LocalSecondaryIndexOverride: [],
    })
    expect(TableDescription).not.toHaveProperty('GlobalSecondaryIndexes')
    expect(TableDescription).not.toHaveProperty('LocalSecondaryIndexes')
    expect(TableDescription.AttributeDefinitions).toHaveLength(2)
  })
  test('an index that the source did not have is refused', async (t) => {
    const { BackupArn } = await backedUp(t)
    await t.fails(
      'RestoreTableFromBackup',
      {
        TargetTableName: 'restored',
        BackupArn,
        GlobalSecondaryIndexOverride: [{ ...byG, IndexName: 'other' }],
      },
      'ValidationException',
      'Invalid Request: Index other does not match a secondary index that existed in the source table and cannot be created during the restore operation',
    )
  })
  test('a restored table can be provisioned', async (t) => {
    const { BackupArn } = await backedUp(t)
    const { TableDescription } = await t.send('RestoreTableFromBackup', {
      TargetTableName: 'restored',
      BackupArn,
      BillingModeOverride: 'PROVISIONED',
      ProvisionedThroughputOverride: units,
      GlobalSecondaryIndexOverride: [{ ...byG, ProvisionedThroughput: units }],
    })
    expect(TableDescription.ProvisionedThroughput).toMatchObject(units)
    expect(TableDescription.GlobalSecondaryIndexes[0].ProvisionedThroughput).toMatchObject(units)
  })
  test('a restored table can be on demand', async (t) => {
    const { BackupArn } = await backedUp(t, { ProvisionedThroughput: units })
    const { TableDescription } = await t.send('RestoreTableFromBackup', {
      TargetTableName: 'restored',
      BackupArn,
      BillingModeOverride: 'PAY_PER_REQUEST',
    })
    expect(TableDescription.BillingModeSummary.BillingMode).toBe('PAY_PER_REQUEST')
  })
  for (const [name, override, message] of [
    [
      'a mode of PROVISIONED without units is refused',
      { BillingModeOverride: 'PROVISIONED' },
      'Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED',
    ],
    [
      'units with a mode of PAY_PER_REQUEST are refused',
      { BillingModeOverride: 'PAY_PER_REQUEST', ProvisionedThroughputOverride: units },
      'Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST',
    ],
    [
      'units for an on-demand source are refused',
      { ProvisionedThroughputOverride: units },
      'Invalid Request: Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED',
    ],
    [
      'units for an index with a mode of PAY_PER_REQUEST are refused',
      {
        BillingModeOverride: 'PAY_PER_REQUEST',
        GlobalSecondaryIndexOverride: [{ ...byG, ProvisionedThroughput: units }],
      },
      'Invalid Request: Cannot override ProvisionedThroughput for index byG if BillingMode is overridden to PAY_PER_REQUEST',
    ],
    [
      'a mode of PROVISIONED without units for an index is refused',
      { BillingModeOverride: 'PROVISIONED', ProvisionedThroughputOverride: units },
      'Invalid Request: Must specify provisioned throughput for index byG',
    ],
  ] as const) {
    test(name, async (t) => {
      const { BackupArn } = await backedUp(t)
      await t.fails(
        'RestoreTableFromBackup',
        { TargetTableName: 'restored', BackupArn, ...override },
        'ValidationException',
        message,
      )
      await t.fails('DescribeTable', { TableName: 'restored' }, 'ResourceNotFoundException')
    })
  }
  test('encryption can be overridden', async (t) => {
    const { BackupArn } = await backedUp(t)
    const { TableDescription } = await t.send('RestoreTableFromBackup', {
      TargetTableName: 'restored',
      BackupArn,
      SSESpecificationOverride: { Enabled: true, SSEType: 'KMS' },
    })
    expect(TableDescription.SSEDescription.SSEType).toBe('KMS')
  })

  // Continuous backups

  test('continuous backups are on and point-in-time recovery is off at first', async (t) => {
    const TableName = await t.table()
    const { ContinuousBackupsDescription } = await t.send('DescribeContinuousBackups', {
      TableName,
    })
    expect(ContinuousBackupsDescription).toEqual({
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
    })
  })
  test('point-in-time recovery is turned on and off', async (t) => {
    const TableName = await t.table()
    const set = async (PointInTimeRecoverySpecification: object): Promise<object> =>
      (await t.send('UpdateContinuousBackups', { TableName, PointInTimeRecoverySpecification }))
        .ContinuousBackupsDescription.PointInTimeRecoveryDescription
    expect(await set({ PointInTimeRecoveryEnabled: true })).toMatchObject({
      PointInTimeRecoveryStatus: 'ENABLED',
      RecoveryPeriodInDays: 35,
    })
    expect(await set({ PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7 })).toMatchObject({
      RecoveryPeriodInDays: 7,
    })
    expect(await set({ PointInTimeRecoveryEnabled: false })).toEqual({
      PointInTimeRecoveryStatus: 'DISABLED',
    })
  })
  for (const days of [0, 36]) {
    test(`a recovery period of ${days} days is refused`, async (t) => {
      const TableName = await t.table()
      await t.fails(
        'UpdateContinuousBackups',
        {
          TableName,
          PointInTimeRecoverySpecification: {
            PointInTimeRecoveryEnabled: true,
            RecoveryPeriodInDays: days,
          },
        },
        'ValidationException',
        /at 'pointInTimeRecoverySpecification.recoveryPeriodInDays' failed/,
      )
    })
  }
  test('a recovery period while recovery is turned off is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateContinuousBackups',
      {
        TableName,
        PointInTimeRecoverySpecification: {
          PointInTimeRecoveryEnabled: false,
          RecoveryPeriodInDays: 7,
        },
      },
      'ValidationException',
      'Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.',
    )
  })
  test('continuous backups of a table that is not there are not found', async (t) => {
    await t.fails(
      'DescribeContinuousBackups',
      { TableName: 'missing' },
      'TableNotFoundException',
      'Table not found: missing',
    )
  })
})
