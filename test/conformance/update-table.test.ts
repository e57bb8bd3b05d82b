import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

const INVALID = 'One or more parameter values were invalid: '
const units = (read: number, write: number) => ({
  ReadCapacityUnits: read,
  WriteCapacityUnits: write,
})
const KeySchema = [{ AttributeName: 'g', KeyType: 'HASH' }]
const Projection = { ProjectionType: 'ALL' }
const AttributeDefinitions = [{ AttributeName: 'g', AttributeType: 'S' }]

/** Members of UpdateTable that create the index `byG`. */
function creation(members: object = {}, definitions: unknown = AttributeDefinitions): object {
  return {
    AttributeDefinitions: definitions,
    GlobalSecondaryIndexUpdates: [
      { Create: { IndexName: 'byG', KeySchema, Projection, ...members } },
    ],
  }
}
const deletion = { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byG' } }] }

/** A table with the global index `byG`. */
function indexedTable(t: Conformance, members: object = {}): Promise<string> {
  return t.table({
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
      ...AttributeDefinitions,
    ],
    GlobalSecondaryIndexes: [{ IndexName: 'byG', KeySchema, Projection }],
    ...members,
  })
}

// biome-ignore lint/suspicious/noExplicitAny: conformance tests look at answers without types.
async function settled(t: Conformance, TableName: string): Promise<any> {
  return t.eventually(async () => {
    const { Table } = await t.send('DescribeTable', { TableName })
    const states = [Table.TableStatus]
    for (const index of Table.GlobalSecondaryIndexes ?? []) states.push(index.IndexStatus)
    expect(new Set(states)).toEqual(new Set(['ACTIVE']))
    return Table
  })
}

async function names(t: Conformance, TableName: string, value: string): Promise<string[]> {
  const { Items } = await t.send('Query', {
    TableName,
    IndexName: 'byG',
    KeyConditionExpression: 'g = :g',
    ExpressionAttributeValues: { ':g': { S: value } },
  })
  return Items.map((item: { pk: { S: string } }) => item.pk.S).sort()
}

conformance('UpdateTable', (test) => {
  const refused = (name: string, members: object, message: string | RegExp): void => {
    test(name, async (t) => {
      const TableName = await t.table()
      await t.fails('UpdateTable', { TableName, ...members }, 'ValidationException', message)
    })
  }

  // The request

  test('a table that is not there is not found', async (t) => {
    const TableName = t.tableName()
    await t.fails(
      'UpdateTable',
      { TableName, BillingMode: 'PAY_PER_REQUEST' },
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  })
  test('a request without a table name is refused', async (t) => {
    await t.fails(
      'UpdateTable',
      { BillingMode: 'PAY_PER_REQUEST' },
      'ValidationException',
      "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
    )
  })
  test('a table name of two characters is refused', async (t) => {
    await t.fails(
      'UpdateTable',
      { TableName: 'ab', BillingMode: 'PAY_PER_REQUEST' },
      'ValidationException',
      "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
    )
  })
  refused(
    'a request without a change is refused',
    {},
    'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required',
  )
  refused(
    'an empty list of index updates changes nothing',
    { GlobalSecondaryIndexUpdates: [] },
    /^At least one of /,
  )
  refused(
    'attribute definitions alone change nothing',
    { AttributeDefinitions },
    /^At least one of /,
  )
  test.engineOnly(
    'replicas are remembered and shown, and there is one of each region',
    'Local has no regions; the messages are ours, as those of AWS have not been seen.',
    async (t) => {
      const TableName = await t.table()
      const create = { TableName, ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }] }
      await t.send('UpdateTable', create)
      const shown = async () => (await t.send('DescribeTable', { TableName })).Table
      expect(await shown()).toMatchObject({
        GlobalTableVersion: '2019.11.21',
        Replicas: [{ RegionName: 'eu-west-1', ReplicaStatus: 'ACTIVE' }],
        MultiRegionConsistency: 'EVENTUAL',
      })
      await t.fails(
        'UpdateTable',
        create,
        'ValidationException',
        `${INVALID}The table has a replica in eu-west-1 already`,
      )
      const remove = { TableName, ReplicaUpdates: [{ Delete: { RegionName: 'eu-west-1' } }] }
      await t.send('UpdateTable', remove)
      expect(await shown()).not.toHaveProperty('Replicas')
      await t.fails(
        'UpdateTable',
        remove,
        'ReplicaNotFoundException',
        'Replica not found: eu-west-1',
      )
      await t.fails(
        'UpdateTable',
        { ...create, MultiRegionConsistency: 'STRONG' },
        'ValidationException',
        `${INVALID}A table with MultiRegionConsistency STRONG is in 3 regions, one of which can be a witness`,
      )
    },
  )
  for (const [member, value, text] of [
    ['SSESpecification', { Enabled: true }, 'Server-Side Encryption modification'],
    ['TableClass', 'STANDARD', 'TableClass modification'],
    ['DeletionProtectionEnabled', true, 'DeletionProtection modification'],
  ] as const) {
    refused(
      `${member} goes with no other change`,
      { [member]: value, BillingMode: 'PAY_PER_REQUEST' },
      `${INVALID}${text} must be the only operation in the request`,
    )
  }
  refused(
    'a stream does not change together with units',
    {
      ProvisionedThroughput: units(1, 1),
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    },
    `${INVALID}You cannot modify stream status while updating table IOPS`,
  )
  refused(
    'an index is not created together with a change of units',
    { ProvisionedThroughput: units(1, 1), ...creation() },
    `${INVALID}You cannot create or delete index while updating table IOPS`,
  )
  refused(
    'an index is not created together with a change of the stream',
    {
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      ...creation(),
    },
    `${INVALID}You cannot create or delete index while changing stream status`,
  )

  // Billing

  test('a table changes to on-demand billing', async (t) => {
    const TableName = await t.table({ ProvisionedThroughput: units(5, 5) })
    const { TableDescription } = await t.send('UpdateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
    })
    expect(TableDescription.BillingModeSummary.BillingMode).toBe('PAY_PER_REQUEST')
    const Table = await settled(t, TableName)
    expect(Table.ProvisionedThroughput).toMatchObject(units(0, 0))
    expect(Table.BillingModeSummary.LastUpdateToPayPerRequestDateTime).toBeGreaterThan(0)
  })
  test('the answer announces a table that is being updated', async (t) => {
    const TableName = await t.table({ ProvisionedThroughput: units(5, 5) })
    const { TableDescription } = await t.send('UpdateTable', {
      TableName,
      ProvisionedThroughput: units(6, 5),
    })
    expect(TableDescription.TableStatus).toBe('UPDATING')
  })
  test('an on-demand table that is changed to on-demand stays as it is', async (t) => {
    const TableName = await t.table()
    const before = await settled(t, TableName)
    await t.send('UpdateTable', { TableName, BillingMode: 'PAY_PER_REQUEST' })
    const after = await settled(t, TableName)
    expect(after.BillingModeSummary).toEqual(before.BillingModeSummary)
  })
  test('an on-demand table becomes provisioned', async (t) => {
    const TableName = await t.table()
    await t.send('UpdateTable', {
      TableName,
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: units(3, 4),
    })
    const Table = await settled(t, TableName)
    expect(Table.BillingModeSummary.BillingMode).toBe('PROVISIONED')
    expect(Table.ProvisionedThroughput).toMatchObject(units(3, 4))
  })
  refused(
    'a provisioned table needs units',
    { BillingMode: 'PROVISIONED' },
    `${INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`,
  )
  refused(
    'units of an on-demand table are refused',
    { ProvisionedThroughput: units(1, 1) },
    `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
  )
  refused(
    'a billing mode that does not exist is refused',
    { BillingMode: 'FREE' },
    "1 validation error detected: Value 'FREE' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]",
  )
  test('a table does not become provisioned without units for its indexes', async (t) => {
    const TableName = await indexedTable(t)
    await t.fails(
      'UpdateTable',
      { TableName, BillingMode: 'PROVISIONED', ProvisionedThroughput: units(1, 1) },
      'ValidationException',
      `${INVALID}ProvisionedThroughput must be specified for index: byG`,
    )
  })
  test('a table becomes provisioned with its indexes', async (t) => {
    const TableName = await indexedTable(t)
    await t.send('UpdateTable', {
      TableName,
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: units(1, 1),
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: 'byG', ProvisionedThroughput: units(2, 3) } },
      ],
    })
    const Table = await settled(t, TableName)
    expect(Table.ProvisionedThroughput).toMatchObject(units(1, 1))
    expect(Table.GlobalSecondaryIndexes[0].ProvisionedThroughput).toMatchObject(units(2, 3))
  })

  // Units

  test('more units are shown with the time of the increase', async (t) => {
    const TableName = await t.table({ ProvisionedThroughput: units(5, 5) })
    await t.send('UpdateTable', { TableName, ProvisionedThroughput: units(6, 7) })
    const Table = await settled(t, TableName)
    expect(Table.ProvisionedThroughput).toMatchObject(units(6, 7))
    expect(Table.ProvisionedThroughput.LastIncreaseDateTime).toBeGreaterThan(0)
  })
  test('fewer units count as a decrease of today', async (t) => {
    const TableName = await t.table({ ProvisionedThroughput: units(5, 5) })
    await t.send('UpdateTable', { TableName, ProvisionedThroughput: units(4, 5) })
    const Table = await settled(t, TableName)
    expect(Table.ProvisionedThroughput.NumberOfDecreasesToday).toBe(1)
    expect(Table.ProvisionedThroughput.LastDecreaseDateTime).toBeGreaterThan(0)
  })
  test('the same units are refused', async (t) => {
    const TableName = await t.table({ ProvisionedThroughput: units(5, 6) })
    await t.fails(
      'UpdateTable',
      { TableName, ProvisionedThroughput: units(5, 6) },
      'ValidationException',
      'The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 6. Requested WriteCapacityUnits: 6. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
    )
  })
  test('units of zero are refused', async (t) => {
    const TableName = await t.table({ ProvisionedThroughput: units(5, 5) })
    await t.fails(
      'UpdateTable',
      { TableName, ProvisionedThroughput: units(5, 0) },
      'ValidationException',
      "1 validation error detected: Value '0' at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1",
    )
  })
  test('units of an index change', async (t) => {
    const TableName = await indexedTable(t, {
      ProvisionedThroughput: units(1, 1),
      GlobalSecondaryIndexes: [
        { IndexName: 'byG', KeySchema, Projection, ProvisionedThroughput: units(1, 1) },
      ],
    })
    await t.send('UpdateTable', {
      TableName,
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: 'byG', ProvisionedThroughput: units(2, 1) } },
      ],
    })
    const Table = await settled(t, TableName)
    expect(Table.GlobalSecondaryIndexes[0].ProvisionedThroughput).toMatchObject(units(2, 1))
  })
  test('the same units of an index are refused', async (t) => {
    const TableName = await indexedTable(t, {
      ProvisionedThroughput: units(1, 1),
      GlobalSecondaryIndexes: [
        { IndexName: 'byG', KeySchema, Projection, ProvisionedThroughput: units(1, 1) },
      ],
    })
    await t.fails(
      'UpdateTable',
      {
        TableName,
        GlobalSecondaryIndexUpdates: [
          { Update: { IndexName: 'byG', ProvisionedThroughput: units(1, 1) } },
        ],
      },
      'ValidationException',
      /^The provisioned throughput for the index byG will not change\. /,
    )
  })
  test('units of an index on an on-demand table are refused', async (t) => {
    const TableName = await indexedTable(t)
    await t.fails(
      'UpdateTable',
      {
        TableName,
        GlobalSecondaryIndexUpdates: [
          { Update: { IndexName: 'byG', ProvisionedThroughput: units(1, 1) } },
        ],
      },
      'ValidationException',
      `${INVALID}The only Updates for index: byG when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput`,
    )
  })
  test('an update of an index that is not there is not found', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateTable',
      {
        TableName,
        GlobalSecondaryIndexUpdates: [
          { Update: { IndexName: 'byG', OnDemandThroughput: { MaxReadRequestUnits: 1 } } },
        ],
      },
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  })

  // Bounds of on-demand tables

  test('bounds are set, and -1 takes one away', async (t) => {
    const TableName = await t.table()
    await t.send('UpdateTable', {
      TableName,
      OnDemandThroughput: { MaxReadRequestUnits: 9, MaxWriteRequestUnits: 8 },
    })
    await settled(t, TableName)
    await t.send('UpdateTable', { TableName, OnDemandThroughput: { MaxReadRequestUnits: -1 } })
    const Table = await settled(t, TableName)
    expect(Table.OnDemandThroughput).toEqual({ MaxReadRequestUnits: -1, MaxWriteRequestUnits: 8 })
  })
  refused(
    'a bound of no requests is refused',
    { OnDemandThroughput: { MaxReadRequestUnits: 0 } },
    `${INVALID}Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range`,
  )
  refused(
    'bounds go with no other change than that of the billing mode',
    { OnDemandThroughput: { MaxReadRequestUnits: 1 }, ...deletion },
    `${INVALID}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`,
  )

  // Creating an index

  test('a new index has the items that are there', async (t) => {
    const TableName = await t.table()
    for (const pk of ['a', 'b', 'c']) {
      const g = { S: pk === 'c' ? 'other' : 'same' }
      await t.send('PutItem', { TableName, Item: { pk: { S: pk }, sk: { S: '1' }, g } })
    }
    const { TableDescription } = await t.send('UpdateTable', { TableName, ...creation() })
    expect(TableDescription.GlobalSecondaryIndexes[0].IndexStatus).toBe('CREATING')
    await settled(t, TableName)
    expect(await names(t, TableName, 'same')).toEqual(['a', 'b'])
  })
  test('a new index counts its entries', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', {
      TableName,
      Item: { pk: { S: 'a' }, sk: { S: '1' }, g: { S: 'x' } },
    })
    await t.send('PutItem', { TableName, Item: { pk: { S: 'b' }, sk: { S: '1' } } })
    await t.send('UpdateTable', { TableName, ...creation() })
    const Table = await settled(t, TableName)
    expect(Table.GlobalSecondaryIndexes[0]).toMatchObject({ ItemCount: 1, IndexSizeBytes: 8 })
  })
  test('a new index follows the writes that come after', async (t) => {
    const TableName = await t.table()
    const Key = { pk: { S: 'a' }, sk: { S: '1' } }
    await t.send('PutItem', { TableName, Item: { ...Key, g: { S: 'old' } } })
    await t.send('UpdateTable', { TableName, ...creation() })
    await settled(t, TableName)
    await t.send('PutItem', { TableName, Item: { ...Key, g: { S: 'new' } } })
    expect(await names(t, TableName, 'new')).toEqual(['a'])
    expect(await names(t, TableName, 'old')).toEqual([])
  })
  test.engineOnly(
    'items with a wrong, empty or oversize key value are not in a new index',
    'On DynamoDB Local the index stays CREATING for good.',
    async (t) => {
      const TableName = await t.table()
      const values = [{ N: '1' }, { S: '' }, { NULL: true }, { S: 'x'.repeat(2049) }, { S: 'fine' }]
      for (const [position, g] of values.entries()) {
        const Item = { pk: { S: String(position) }, sk: { S: '1' }, g }
        await t.send('PutItem', { TableName, Item })
      }
      await t.send('UpdateTable', { TableName, ...creation() })
      await settled(t, TableName)
      const { Items } = await t.send('Scan', { TableName, IndexName: 'byG' })
      expect(Items.map((item: { pk: { S: string } }) => item.pk.S)).toEqual(['4'])
    },
  )
  test('items a new index left out can still be changed and deleted', async (t) => {
    const TableName = await t.table()
    const key = (pk: string) => ({ pk: { S: pk }, sk: { S: '1' } })
    await t.send('PutItem', { TableName, Item: { ...key('a'), g: { S: '' } } })
    await t.send('PutItem', { TableName, Item: { ...key('b'), g: { S: 'x'.repeat(2049) } } })
    await t.send('PutItem', { TableName, Item: { ...key('c'), g: { S: '' } } })
    await t.send('UpdateTable', { TableName, ...creation() })
    await settled(t, TableName)
    await t.send('DeleteItem', { TableName, Key: key('a') })
    await t.send('DeleteItem', { TableName, Key: key('b') })
    await t.send('UpdateItem', {
      TableName,
      Key: key('c'),
      UpdateExpression: 'SET note = :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    })
    const { Count } = await t.send('Scan', { TableName, IndexName: 'byG' })
    expect(Count).toBe(0)
    await t.send('UpdateItem', {
      TableName,
      Key: key('c'),
      UpdateExpression: 'SET g = :g',
      ExpressionAttributeValues: { ':g': { S: 'now' } },
    })
    expect(await names(t, TableName, 'now')).toEqual(['c'])
  })
  test('an index of several key attributes is filled from the items that have them all', async (t) => {
    const TableName = await t.table()
    const item = (pk: string, members: object) => ({
      pk: { S: pk },
      sk: { S: '1' },
      ...members,
    })
    await t.send('PutItem', { TableName, Item: item('a', { g: { S: 'x' }, h: { N: '1' } }) })
    await t.send('PutItem', { TableName, Item: item('b', { g: { S: 'x' } }) })
    await t.send('UpdateTable', {
      TableName,
      ...creation(
        {
          KeySchema: [
            { AttributeName: 'g', KeyType: 'HASH' },
            { AttributeName: 'h', KeyType: 'HASH' },
          ],
        },
        [
          { AttributeName: 'g', AttributeType: 'S' },
          { AttributeName: 'h', AttributeType: 'N' },
        ],
      ),
    })
    await settled(t, TableName)
    const { Items } = await t.send('Scan', { TableName, IndexName: 'byG' })
    expect(Items).toEqual([item('a', { g: { S: 'x' }, h: { N: '1' } })])
  })
  test('a projection is kept for a new index', async (t) => {
    const TableName = await t.table()
    const Item = { pk: { S: 'a' }, sk: { S: '1' }, g: { S: 'x' }, more: { S: 'y' } }
    await t.send('PutItem', { TableName, Item })
    await t.send('UpdateTable', {
      TableName,
      ...creation({ Projection: { ProjectionType: 'KEYS_ONLY' } }),
    })
    await settled(t, TableName)
    const { Items } = await t.send('Scan', { TableName, IndexName: 'byG' })
    const { more: _more, ...keys } = Item
    expect(Items).toEqual([keys])
  })
  test('definitions that no key uses are left out', async (t) => {
    const TableName = await t.table()
    await t.send('UpdateTable', {
      TableName,
      ...creation({}, [...AttributeDefinitions, { AttributeName: 'unused', AttributeType: 'N' }]),
    })
    const Table = await settled(t, TableName)
    const defined = Table.AttributeDefinitions.map(
      (definition: { AttributeName: string }) => definition.AttributeName,
    )
    expect(defined.sort()).toEqual(['g', 'pk', 'sk'])
  })
  refused(
    'an index without attribute definitions is refused',
    creation({}, null),
    `${INVALID}AttributeDefinitions is not specified for index: byG`,
  )
  refused(
    'an index on an undefined attribute is refused',
    creation({}, [{ AttributeName: 'pk', AttributeType: 'S' }]),
    `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [g], AttributeDefinitions: [pk]`,
  )
  refused(
    'a key attribute of the table keeps its type',
    creation({}, [...AttributeDefinitions, { AttributeName: 'pk', AttributeType: 'N' }]),
    `${INVALID}Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: Schema:[SchemaElement: key{pk:S:HASH}] New schema: Schema:[SchemaElement: key{pk:N:HASH}]`,
  )
  refused(
    'an index with units on an on-demand table is refused',
    creation({ ProvisionedThroughput: units(1, 1) }),
    `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: byG when BillingMode is PAY_PER_REQUEST`,
  )
  refused(
    'an index without a type of projection is refused',
    creation({ Projection: {} }),
    `${INVALID}Unknown ProjectionType: null`,
  )
  test('an index without units on a provisioned table is refused', async (t) => {
    const TableName = await t.table({ ProvisionedThroughput: units(1, 1) })
    await t.fails(
      'UpdateTable',
      { TableName, ...creation() },
      'ValidationException',
      `${INVALID}ProvisionedThroughput must be specified for index: byG`,
    )
  })
  test('an index of a name in use is refused', async (t) => {
    const TableName = await indexedTable(t)
    await t.fails(
      'UpdateTable',
      { TableName, ...creation() },
      'ValidationException',
      `${INVALID}Index already exists: byG`,
    )
  })
  test('a 21st global index exceeds the limit', async (t) => {
    const TableName = await t.table({
      GlobalSecondaryIndexes: Array.from({ length: 20 }, (_, position) => ({
        IndexName: `index${position}`,
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        Projection,
      })),
    })
    await t.fails(
      'UpdateTable',
      { TableName, ...creation() },
      'LimitExceededException',
      'Subscriber limit exceeded: GlobalSecondaryIndex count exceeds the per-table limit of 20',
    )
  })

  // Shape of index updates

  refused(
    'an index update without an action is refused',
    { GlobalSecondaryIndexUpdates: [{}] },
    `${INVALID}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null`,
  )
  refused(
    'an index update with two actions is refused',
    {
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byG' }, Update: { IndexName: 'byG' } }],
    },
    `${INVALID}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object`,
  )
  refused(
    'two updates of one index are refused',
    {
      GlobalSecondaryIndexUpdates: [
        { Delete: { IndexName: 'byG' } },
        { Delete: { IndexName: 'byG' } },
      ],
    },
    `${INVALID}Only one global secondary index update per index is allowed simultaneously. Index: byG`,
  )
  test('two indexes created in one request exceed the limit', async (t) => {
    const TableName = await t.table()
    const create = (IndexName: string) => ({ Create: { IndexName, KeySchema, Projection } })
    await t.fails(
      'UpdateTable',
      {
        TableName,
        AttributeDefinitions,
        GlobalSecondaryIndexUpdates: [create('one'), create('two')],
      },
      'LimitExceededException',
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    )
  })

  // Deleting an index

  test('a deleted index is gone, with definitions only it used', async (t) => {
    const TableName = await indexedTable(t)
    const { TableDescription } = await t.send('UpdateTable', { TableName, ...deletion })
    expect(TableDescription.GlobalSecondaryIndexes[0].IndexStatus).toBe('DELETING')
    await t.eventually(async () => {
      const { Table } = await t.send('DescribeTable', { TableName })
      expect(Table).not.toHaveProperty('GlobalSecondaryIndexes')
      expect(Table.AttributeDefinitions).toHaveLength(2)
    })
  })
  test('after an index was deleted its attribute may have any type', async (t) => {
    const TableName = await indexedTable(t)
    const Item = { pk: { S: 'a' }, sk: { S: '1' }, g: { N: '1' } }
    await t.fails('PutItem', { TableName, Item }, 'ValidationException')
    await t.send('UpdateTable', { TableName, ...deletion })
    await t.eventually(() => t.send('PutItem', { TableName, Item }))
  })
  test('an index of the same name can be created again over another attribute type', async (t) => {
    const TableName = await indexedTable(t)
    await t.send('PutItem', {
      TableName,
      Item: { pk: { S: 'a' }, sk: { S: '1' }, g: { S: 'old' } },
    })
    await t.send('UpdateTable', { TableName, ...deletion })
    await t.eventually(() =>
      t.send('UpdateTable', {
        TableName,
        ...creation({}, [{ AttributeName: 'g', AttributeType: 'N' }]),
      }),
    )
    await settled(t, TableName)
    const { Count } = await t.send('Scan', { TableName, IndexName: 'byG' })
    expect(Count).toBe(0)
  })
  test('a deletion of an index that is not there is not found', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateTable',
      { TableName, ...deletion },
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  })
  test('a local index is not deleted', async (t) => {
    const TableName = await t.table({
      LocalSecondaryIndexes: [
        {
          IndexName: 'byG',
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
          Projection,
        },
      ],
    })
    await t.fails(
      'UpdateTable',
      { TableName, ...deletion },
      'ValidationException',
      'Cannot delete an index that is not a GlobalSecondaryIndex: byG',
    )
  })

  // Streams

  const enabled = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' }

  test('a stream is enabled, disabled and enabled again under another ARN', async (t) => {
    const TableName = await t.table()
    await t.send('UpdateTable', { TableName, StreamSpecification: enabled })
    const first = await settled(t, TableName)
    expect(first.StreamSpecification).toEqual(enabled)
    await t.send('UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } })
    const without = await settled(t, TableName)
    expect(without).not.toHaveProperty('StreamSpecification')
    expect(without.LatestStreamArn).toBe(first.LatestStreamArn)
    await new Promise((resolve) => setTimeout(resolve, 2))
    await t.send('UpdateTable', { TableName, StreamSpecification: enabled })
    const second = await settled(t, TableName)
    expect(second.LatestStreamArn).not.toBe(first.LatestStreamArn)
  })
  test('a stream that is on is not enabled again, nor given another view type', async (t) => {
    const TableName = await t.table({ StreamSpecification: enabled })
    await t.fails(
      'UpdateTable',
      { TableName, StreamSpecification: { ...enabled, StreamViewType: 'NEW_IMAGE' } },
      'ValidationException',
      `Table already has an enabled stream: TableName: ${TableName}`,
    )
  })
  test('a table without a stream has none to disable', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'UpdateTable',
      { TableName, StreamSpecification: { StreamEnabled: false } },
      'ValidationException',
      `Table has no stream to disable: TableName: ${TableName}`,
    )
  })
  refused(
    'a stream without a view type is refused',
    { StreamSpecification: { StreamEnabled: true } },
    `${INVALID}If stream is being enabled then UpdateViewType is required`,
  )
  refused(
    'a view type for a stream that is turned off is refused',
    { StreamSpecification: { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' } },
    `${INVALID}If stream is being disabled, then UpdateViewType must not be specified`,
  )

  // Other features

  test('deletion protection is turned on and off', async (t) => {
    const TableName = await t.table()
    await t.send('UpdateTable', { TableName, DeletionProtectionEnabled: true })
    expect((await settled(t, TableName)).DeletionProtectionEnabled).toBe(true)
    await t.send('UpdateTable', { TableName, DeletionProtectionEnabled: false })
    expect((await settled(t, TableName)).DeletionProtectionEnabled).toBe(false)
  })
  test('the table class changes', async (t) => {
    const TableName = await t.table()
    await t.send('UpdateTable', { TableName, TableClass: 'STANDARD_INFREQUENT_ACCESS' })
    const Table = await settled(t, TableName)
    expect(Table.TableClassSummary.TableClass).toBe('STANDARD_INFREQUENT_ACCESS')
  })
  test('encryption under a key of the account is turned on and off', async (t) => {
    const TableName = await t.table()
    await t.send('UpdateTable', { TableName, SSESpecification: { Enabled: true } })
    expect((await settled(t, TableName)).SSEDescription.SSEType).toBe('KMS')
    await t.send('UpdateTable', { TableName, SSESpecification: { Enabled: false } })
    expect(await settled(t, TableName)).not.toHaveProperty('SSEDescription')
  })
  refused(
    'encryption that is off is not turned off',
    { SSESpecification: { Enabled: false } },
    `${INVALID}Table is already encrypted by default`,
  )
  test('items stay as they are through changes of the table', async (t) => {
    const TableName = await t.table()
    const Item = { pk: { S: 'a' }, sk: { S: '1' }, g: { S: 'x' } }
    await t.send('PutItem', { TableName, Item })
    await t.send('UpdateTable', { TableName, ...creation() })
    await settled(t, TableName)
    await t.send('UpdateTable', { TableName, ...deletion })
    await settled(t, TableName)
    expect((await t.send('Scan', { TableName })).Items).toEqual([Item])
  })
  test("a table's ARN stands for its name", async (t) => {
    const TableName = await t.table()
    const { Table } = await t.send('DescribeTable', { TableName })
    const { TableDescription } = await t.send('UpdateTable', {
      TableName: Table.TableArn,
      DeletionProtectionEnabled: false,
    })
    expect(TableDescription.TableName).toBe(TableName)
  })
})
