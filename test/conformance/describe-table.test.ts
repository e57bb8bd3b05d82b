import { expect } from 'vitest'
import { type Conformance, conformance } from './conformance.ts'

// biome-ignore lint/suspicious/noExplicitAny: conformance tests look at answers without types.
async function describe(t: Conformance, TableName: string): Promise<any> {
  return (await t.send('DescribeTable', { TableName })).Table
}

conformance('DescribeTable', (test) => {
  test('a table that is not there is not found', async (t) => {
    const TableName = t.tableName()
    await t.fails(
      'DescribeTable',
      { TableName },
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  })

  test('a name that differs in case is another table', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'DescribeTable',
      { TableName: TableName.toUpperCase() },
      'ResourceNotFoundException',
    )
  })

  test('items and their bytes are counted as they come and go', async (t) => {
    const TableName = await t.table()
    const Item = { pk: { S: 'a' }, sk: { S: '1' }, text: { S: 'four' } }
    await t.send('PutItem', { TableName, Item })
    expect(await describe(t, TableName)).toMatchObject({ ItemCount: 1, TableSizeBytes: 14 })
    await t.send('PutItem', { TableName, Item: { ...Item, text: { S: 'longer' } } })
    expect(await describe(t, TableName)).toMatchObject({ ItemCount: 1, TableSizeBytes: 16 })
    await t.send('DeleteItem', { TableName, Key: { pk: { S: 'a' }, sk: { S: '1' } } })
    expect(await describe(t, TableName)).toMatchObject({ ItemCount: 0, TableSizeBytes: 0 })
  })

  test('entries of an index are counted by what they project', async (t) => {
    const TableName = await t.table({
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byS',
          KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    })
    await t.send('PutItem', {
      TableName,
      Item: { pk: { S: 'a' }, sk: { S: '1' }, text: { S: 'four' } },
    })
    const Table = await describe(t, TableName)
    expect(Table.GlobalSecondaryIndexes[0]).toMatchObject({ ItemCount: 1, IndexSizeBytes: 6 })
  })

  test('the id of a table stays the same', async (t) => {
    const TableName = await t.table()
    const { TableId } = await describe(t, TableName)
    expect(TableId).toMatch(/^[0-9a-f-]{36}$/)
    await t.send('UpdateTable', { TableName, DeletionProtectionEnabled: false })
    expect((await describe(t, TableName)).TableId).toBe(TableId)
  })

  test("a table's ARN stands for its name", async (t) => {
    const TableName = await t.table()
    const { TableArn } = await describe(t, TableName)
    expect((await describe(t, TableArn)).TableName).toBe(TableName)
  })

  test('deletion protection is off unless it was asked for', async (t) => {
    const TableName = await t.table()
    expect((await describe(t, TableName)).DeletionProtectionEnabled).toBe(false)
  })

  test('an on-demand table shows its mode and what it can serve at once', async (t) => {
    const TableName = await t.table()
    const Table = await describe(t, TableName)
    expect(Table.TableThroughputModeSummary.TableThroughputMode).toBe('PAY_PER_REQUEST')
    expect(Table.WarmThroughput).toEqual({
      ReadUnitsPerSecond: 12_000,
      WriteUnitsPerSecond: 4_000,
      Status: 'ACTIVE',
    })
  })

  test('a table without streams, tags or keys of the account shows none', async (t) => {
    const TableName = await t.table()
    const Table = await describe(t, TableName)
    for (const member of [
      'StreamSpecification',
      'LatestStreamArn',
      'SSEDescription',
      'TableClassSummary',
      'LocalSecondaryIndexes',
      'GlobalSecondaryIndexes',
      'RestoreSummary',
    ]) {
      expect(Table).not.toHaveProperty(member)
    }
  })

  test('a request without a table name is refused', async (t) => {
    await t.fails(
      'DescribeTable',
      {},
      'ValidationException',
      "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
    )
  })

  test('an empty table name is refused', async (t) => {
    await t.fails(
      'DescribeTable',
      { TableName: '' },
      'ValidationException',
      "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1",
    )
  })

  test('a table name of 256 characters is refused', async (t) => {
    const TableName = 'a'.repeat(256)
    await t.fails(
      'DescribeTable',
      { TableName },
      'ValidationException',
      `1 validation error detected: Value '${TableName}' at 'tableName' failed to satisfy constraint: Member must have length less than or equal to 255`,
    )
  })

  test('a table name that is an array is not a valid request', async (t) => {
    await t.fails(
      'DescribeTable',
      { TableName: ['a'] },
      'SerializationException',
      'Unrecognized collection type class java.lang.String',
    )
  })
})
