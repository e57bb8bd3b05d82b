import { expect } from 'vitest'
import { conformance } from './conformance.ts'

conformance('DeleteTable', (test) => {
  test('a deleted table is gone', async (t) => {
    const TableName = await t.table()
    await t.send('DeleteTable', { TableName })
    await t.eventually(() => t.fails('DescribeTable', { TableName }, 'ResourceNotFoundException'))
    const { TableNames } = await t.send('ListTables', {})
    expect(TableNames).not.toContain(TableName)
  })

  test('the answer announces a table that is being deleted', async (t) => {
    const TableName = await t.table()
    const { TableDescription } = await t.send('DeleteTable', { TableName })
    expect(TableDescription.TableName).toBe(TableName)
    expect(TableDescription.TableStatus).toBe('DELETING')
  })

  test('the answer leaves out keys, definitions and indexes', async (t) => {
    const TableName = await t.table({
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byS',
          KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    })
    const { TableDescription } = await t.send('DeleteTable', { TableName })
    expect(TableDescription).not.toHaveProperty('KeySchema')
    expect(TableDescription).not.toHaveProperty('AttributeDefinitions')
    expect(TableDescription).not.toHaveProperty('GlobalSecondaryIndexes')
    expect(TableDescription).toHaveProperty('ProvisionedThroughput')
  })

  test('a table that is not there is not found', async (t) => {
    const TableName = t.tableName()
    await t.fails(
      'DeleteTable',
      { TableName },
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  })

  test('items of a deleted table do not come back with a new one of its name', async (t) => {
    const TableName = await t.table()
    const Key = { pk: { S: 'a' }, sk: { S: '1' } }
    await t.send('PutItem', { TableName, Item: Key })
    await t.send('DeleteTable', { TableName })
    await t.eventually(() => t.table({ TableName }))
    expect(await t.send('GetItem', { TableName, Key })).toEqual({})
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table).toMatchObject({ ItemCount: 0, TableSizeBytes: 0 })
  })

  test('a table that is created again has another id', async (t) => {
    const TableName = await t.table()
    const { Table } = await t.send('DescribeTable', { TableName })
    await t.send('DeleteTable', { TableName })
    await t.eventually(() => t.table({ TableName }))
    const { Table: recreated } = await t.send('DescribeTable', { TableName })
    expect(recreated.TableId).not.toBe(Table.TableId)
  })

  test('items of a deleted table are not found', async (t) => {
    const TableName = await t.table()
    const request = { TableName, Key: { pk: { S: 'a' }, sk: { S: '1' } } }
    await t.send('DeleteTable', { TableName })
    await t.eventually(() => t.fails('GetItem', request, 'ResourceNotFoundException'))
    await t.fails('GetItem', request, 'ResourceNotFoundException', 'Requested resource not found')
  })

  test('a protected table is not deleted', async (t) => {
    const TableName = await t.table({ DeletionProtectionEnabled: true })
    await t.fails(
      'DeleteTable',
      { TableName },
      'ValidationException',
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    )
    expect((await t.send('DescribeTable', { TableName })).Table.TableStatus).toBe('ACTIVE')
    await t.send('UpdateTable', { TableName, DeletionProtectionEnabled: false })
    await t.send('DeleteTable', { TableName })
  })

  test("a table's ARN stands for its name", async (t) => {
    const TableName = await t.table()
    const { Table } = await t.send('DescribeTable', { TableName })
    const { TableDescription } = await t.send('DeleteTable', { TableName: Table.TableArn })
    expect(TableDescription.TableName).toBe(TableName)
  })

  test('a request without a table name is refused', async (t) => {
    await t.fails(
      'DeleteTable',
      {},
      'ValidationException',
      "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
    )
  })

  test('a table name with a space is refused', async (t) => {
    await t.fails(
      'DeleteTable',
      { TableName: 'a bc' },
      'ValidationException',
      "1 validation error detected: Value 'a bc' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
    )
  })
})
