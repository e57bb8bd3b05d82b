import { expect } from 'vitest'
import { type Conformance, conformance } from '../conformance.ts'
import { KEY } from '../item-cases.ts'

/** `pk` + `a`, `sk` + `1`, and the name of the string. */
const OVERHEAD_BYTES = 7
const sized = (bytes: number) => ({ ...KEY, s: { S: 'x'.repeat(bytes - OVERHEAD_BYTES) } })

async function units(t: Conformance, operation: string, request: object): Promise<number> {
  const answer = await t.send(operation, { ...request, ReturnConsumedCapacity: 'TOTAL' })
  return answer.ConsumedCapacity.CapacityUnits
}

conformance('Capacity of reads', (test) => {
  const reads: [bytes: number, eventual: number][] = [
    [100, 0.5],
    [4096, 0.5],
    [4097, 1],
    [8192, 1],
    [8193, 1.5],
  ]
  for (const [bytes, eventual] of reads) {
    test(`an item of ${bytes} bytes costs ${eventual}, or twice that if consistent`, async (t) => {
      const TableName = await t.table()
      await t.send('PutItem', { TableName, Item: sized(bytes) })
      expect(await units(t, 'GetItem', { TableName, Key: KEY })).toBe(eventual)
      const consistent = { TableName, Key: KEY, ConsistentRead: true }
      expect(await units(t, 'GetItem', consistent)).toBe(eventual * 2)
    })
  }

  test('a missing item costs as much as a small one', async (t) => {
    const TableName = await t.table()
    expect(await units(t, 'GetItem', { TableName, Key: KEY })).toBe(0.5)
    expect(await units(t, 'GetItem', { TableName, Key: KEY, ConsistentRead: true })).toBe(1)
  })

  test('a projection makes a read no cheaper', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: sized(5000) })
    expect(await units(t, 'GetItem', { TableName, Key: KEY, ProjectionExpression: 'pk' })).toBe(1)
  })
})

conformance('Capacity of writes', (test) => {
  const writes: [before: number | undefined, after: number, expected: number][] = [
    [undefined, 100, 1],
    [undefined, 1024, 1],
    [undefined, 1025, 2],
    [undefined, 2048, 2],
    [undefined, 2049, 3],
    [3000, 100, 3],
    [100, 3000, 3],
    [3000, 3000, 3],
  ]
  for (const [before, after, expected] of writes) {
    test(`${after} bytes over ${before ?? 'no'} bytes cost ${expected}`, async (t) => {
      const TableName = await t.table()
      if (before !== undefined) await t.send('PutItem', { TableName, Item: sized(before) })
      expect(await units(t, 'PutItem', { TableName, Item: sized(after) })).toBe(expected)
    })
  }

  test('deleting costs by the item that goes', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: sized(2049) })
    expect(await units(t, 'DeleteItem', { TableName, Key: KEY })).toBe(3)
  })

  test('deleting an item that is not there costs one', async (t) => {
    const TableName = await t.table()
    expect(await units(t, 'DeleteItem', { TableName, Key: KEY })).toBe(1)
  })

  test('updating costs by the larger of before and after', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: sized(2049) })
    const request = { TableName, Key: KEY, UpdateExpression: 'REMOVE s' }
    expect(await units(t, 'UpdateItem', request)).toBe(3)
    expect(await units(t, 'UpdateItem', request)).toBe(1)
  })
})

const indexedTable = {
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'g', AttributeType: 'S' },
    { AttributeName: 'l', AttributeType: 'S' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'global',
      KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['p'] },
    },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: 'local',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'l', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
}

conformance('Capacity by index', (test) => {
  const indexes = async (t: Conformance, operation: string, request: object) => {
    const answer = await t.send(operation, { ...request, ReturnConsumedCapacity: 'INDEXES' })
    return answer.ConsumedCapacity
  }
  const keys = { g: { S: 'x' }, l: { S: 'y' } }
  const of = (CapacityUnits: number) => ({ CapacityUnits })

  test('NONE shows nothing', async (t) => {
    const TableName = await t.table()
    const answer = await t.send('PutItem', {
      TableName,
      Item: KEY,
      ReturnConsumedCapacity: 'NONE',
    })
    expect(answer).toEqual({})
  })

  test('TOTAL shows one sum', async (t) => {
    const TableName = await t.table(indexedTable)
    const answer = await t.send('PutItem', {
      TableName,
      Item: { ...KEY, ...keys },
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(answer).toEqual({ ConsumedCapacity: { TableName, CapacityUnits: 3 } })
  })

  test('a new item costs on the table and on each of its indexes', async (t) => {
    const TableName = await t.table(indexedTable)
    expect(await indexes(t, 'PutItem', { TableName, Item: { ...KEY, ...keys } })).toEqual({
      TableName,
      CapacityUnits: 3,
      Table: of(1),
      GlobalSecondaryIndexes: { global: of(1) },
      LocalSecondaryIndexes: { local: of(1) },
    })
  })

  test('an index without the item costs nothing', async (t) => {
    const TableName = await t.table(indexedTable)
    expect(await indexes(t, 'PutItem', { TableName, Item: { ...KEY, g: keys.g } })).toEqual({
      TableName,
      CapacityUnits: 2,
      Table: of(1),
      GlobalSecondaryIndexes: { global: of(1) },
    })
  })

  test('a change that an index does not project costs nothing there', async (t) => {
    const TableName = await t.table(indexedTable)
    await t.send('PutItem', { TableName, Item: { ...KEY, g: keys.g, a: { N: '1' } } })
    const Item = { ...KEY, g: keys.g, a: { N: '2' } }
    expect(await indexes(t, 'PutItem', { TableName, Item })).toEqual({
      TableName,
      CapacityUnits: 1,
      Table: of(1),
    })
  })

  test('a change that an index projects costs one write there', async (t) => {
    const TableName = await t.table(indexedTable)
    await t.send('PutItem', { TableName, Item: { ...KEY, g: keys.g, p: { N: '1' } } })
    const Item = { ...KEY, g: keys.g, p: { N: '2' } }
    expect(await indexes(t, 'PutItem', { TableName, Item })).toEqual({
      TableName,
      CapacityUnits: 2,
      Table: of(1),
      GlobalSecondaryIndexes: { global: of(1) },
    })
  })

  test('a changed index key costs two writes there', async (t) => {
    const TableName = await t.table(indexedTable)
    await t.send('PutItem', { TableName, Item: { ...KEY, g: keys.g } })
    const request = {
      TableName,
      Key: KEY,
      UpdateExpression: 'SET g = :g',
      ExpressionAttributeValues: { ':g': { S: 'z' } },
    }
    expect(await indexes(t, 'UpdateItem', request)).toEqual({
      TableName,
      CapacityUnits: 3,
      Table: of(1),
      GlobalSecondaryIndexes: { global: of(2) },
    })
  })

  test('a deleted item costs a write on each of its indexes', async (t) => {
    const TableName = await t.table(indexedTable)
    await t.send('PutItem', { TableName, Item: { ...KEY, ...keys } })
    expect(await indexes(t, 'DeleteItem', { TableName, Key: KEY })).toEqual({
      TableName,
      CapacityUnits: 3,
      Table: of(1),
      GlobalSecondaryIndexes: { global: of(1) },
      LocalSecondaryIndexes: { local: of(1) },
    })
  })

  test('a read shows the table alone', async (t) => {
    const TableName = await t.table(indexedTable)
    expect(await indexes(t, 'GetItem', { TableName, Key: KEY })).toEqual({
      TableName,
      CapacityUnits: 0.5,
      Table: of(0.5),
    })
  })
})

conformance('Item collection metrics', (test) => {
  const requests: Record<string, object> = {
    PutItem: { Item: KEY },
    UpdateItem: { Key: KEY },
    DeleteItem: { Key: KEY },
  }
  for (const [operation, request] of Object.entries(requests)) {
    test(`${operation} shows the size of the collection on a table with a local index`, async (t) => {
      const TableName = await t.table(indexedTable)
      await t.send('PutItem', { TableName, Item: KEY })
      const answer = await t.send(operation, {
        TableName,
        ...request,
        ReturnItemCollectionMetrics: 'SIZE',
      })
      expect(answer).toEqual({
        ItemCollectionMetrics: { ItemCollectionKey: { pk: KEY.pk }, SizeEstimateRangeGB: [0, 1] },
      })
    })

    test(`${operation} shows no metrics on a table without a local index`, async (t) => {
      const TableName = await t.table()
      const answer = await t.send(operation, {
        TableName,
        ...request,
        ReturnItemCollectionMetrics: 'SIZE',
      })
      expect(answer).toEqual({})
    })

    test(`${operation} shows no metrics with NONE`, async (t) => {
      const TableName = await t.table(indexedTable)
      const answer = await t.send(operation, {
        TableName,
        ...request,
        ReturnItemCollectionMetrics: 'NONE',
      })
      expect(answer).toEqual({})
    })
  }
})
