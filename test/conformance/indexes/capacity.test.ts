import { expect } from 'vitest'
import { type Conformance, conformance } from '../conformance.ts'
import { INDEXED, putAll } from '../read-tables.ts'

const KEY = { pk: { S: 'a' }, sk: { S: '1' } }
const GLOBAL = { g: { S: 'G' }, h: { S: 'H' } }
const byKey = {
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': { S: 'a' } },
}
const byGlobal = {
  KeyConditionExpression: 'g = :p',
  ExpressionAttributeValues: { ':p': { S: 'G' } },
}

function units(count: number) {
  return { CapacityUnits: count }
}

async function consumed(t: Conformance, operation: string, request: object): Promise<object> {
  const answer = await t.send(operation, { ReturnConsumedCapacity: 'INDEXES', ...request })
  const { TableName: _, ...rest } = answer.ConsumedCapacity
  return rest
}

/** Items of exactly 1000 bytes. */
function kilos(count: number) {
  return Array.from({ length: count }, (_, position) => {
    const sk = String(position).padStart(2, '0')
    return { pk: { S: 'a' }, sk: { S: sk }, f: { S: 'x'.repeat(1000 - 'pkask'.length - 3) } }
  })
}

conformance('Capacity of reads', (test) => {
  for (const [operation, request] of [
    ['Query', byKey],
    ['Scan', {}],
  ] as const) {
    test(`a ${operation} that finds nothing costs half a unit`, async (t) => {
      const TableName = await t.table()
      expect(await consumed(t, operation, { TableName, ...request })).toEqual({
        ...units(0.5),
        Table: units(0.5),
      })
    })

    test(`a consistent ${operation} that finds nothing costs a unit`, async (t) => {
      const TableName = await t.table()
      expect(await consumed(t, operation, { TableName, ...request, ConsistentRead: true })).toEqual(
        { ...units(1), Table: units(1) },
      )
    })

    test(`a ${operation} adds sizes up before it counts steps of 4 KB`, async (t) => {
      const TableName = await t.table()
      await putAll(t, TableName, kilos(9))
      // 9000 bytes are three steps.
      expect(await consumed(t, operation, { TableName, ...request })).toEqual({
        ...units(1.5),
        Table: units(1.5),
      })
      expect(await consumed(t, operation, { TableName, ...request, ConsistentRead: true })).toEqual(
        { ...units(3), Table: units(3) },
      )
    })

    test(`a ${operation} pays for items that filter and projection leave out`, async (t) => {
      const TableName = await t.table()
      await putAll(t, TableName, kilos(9))
      expect(
        await consumed(t, operation, {
          TableName,
          ...request,
          FilterExpression: 'attribute_exists(nothing)',
          ProjectionExpression: 'sk',
        }),
      ).toEqual({ ...units(1.5), Table: units(1.5) })
    })

    test(`a ${operation} of a count pays like one of items`, async (t) => {
      const TableName = await t.table()
      await putAll(t, TableName, kilos(9))
      expect(await consumed(t, operation, { TableName, ...request, Select: 'COUNT' })).toEqual({
        ...units(1.5),
        Table: units(1.5),
      })
    })

    test(`a ${operation} pays for its page alone`, async (t) => {
      const TableName = await t.table()
      await putAll(t, TableName, kilos(9))
      expect(await consumed(t, operation, { TableName, ...request, Limit: 5 })).toEqual({
        ...units(1),
        Table: units(1),
      })
    })

    test(`TOTAL of a ${operation} has the sum alone, NONE nothing`, async (t) => {
      const TableName = await t.table()
      await putAll(t, TableName, [KEY])
      const total = await t.send(operation, {
        TableName,
        ...request,
        ReturnConsumedCapacity: 'TOTAL',
      })
      expect(total.ConsumedCapacity).toEqual({ TableName, CapacityUnits: 0.5 })
      const none = await t.send(operation, {
        TableName,
        ...request,
        ReturnConsumedCapacity: 'NONE',
      })
      expect(none).not.toHaveProperty('ConsumedCapacity')
    })
  }

  test('a Query of a global index costs the index alone', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, [{ ...KEY, ...GLOBAL }])
    expect(
      await consumed(t, 'Query', { TableName, ...byGlobal, IndexName: 'global-keys' }),
    ).toEqual({
      ...units(0.5),
      Table: units(0),
      GlobalSecondaryIndexes: { 'global-keys': units(0.5) },
    })
  })

  test('a Query of a local index costs the index alone', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, [{ ...KEY, l: { N: '1' } }])
    expect(
      await consumed(t, 'Query', {
        TableName,
        ...byKey,
        IndexName: 'local-keys',
        ConsistentRead: true,
      }),
    ).toEqual({ ...units(1), Table: units(0), LocalSecondaryIndexes: { 'local-keys': units(1) } })
  })

  test('items that a local index fetches are paid one by one on the table', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(
      t,
      TableName,
      ['1', '2', '3'].map((sk) => ({ ...KEY, sk: { S: sk }, l: { N: sk } })),
    )
    for (const request of [{ Select: 'ALL_ATTRIBUTES' }, { ProjectionExpression: 'covert' }]) {
      expect(
        await consumed(t, 'Query', { TableName, ...byKey, IndexName: 'local-keys', ...request }),
      ).toEqual({
        ...units(2),
        Table: units(1.5),
        LocalSecondaryIndexes: { 'local-keys': units(0.5) },
      })
    }
  })

  test('an index is paid by the size of its entries', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(
      t,
      TableName,
      kilos(9).map((item) => ({ ...item, ...GLOBAL })),
    )
    const request = { TableName, ...byGlobal }
    expect(await consumed(t, 'Query', { ...request, IndexName: 'global-keys' })).toMatchObject(
      units(0.5),
    )
    expect(await consumed(t, 'Query', { ...request, IndexName: 'global-all' })).toMatchObject(
      units(1.5),
    )
  })
})

conformance('Capacity of index writes', (test) => {
  const put = (t: Conformance, TableName: string, Item: object) =>
    consumed(t, 'PutItem', { TableName, Item })
  const ONE = { 'global-keys': units(1), 'global-some': units(1), 'global-all': units(1) }

  test('a new entry costs its index a unit', async (t) => {
    const TableName = await t.table(INDEXED)
    expect(await put(t, TableName, { ...KEY, ...GLOBAL })).toEqual({
      ...units(4),
      Table: units(1),
      GlobalSecondaryIndexes: ONE,
    })
  })

  test('an item that is in no index costs the table alone', async (t) => {
    const TableName = await t.table(INDEXED)
    expect(await put(t, TableName, KEY)).toEqual({ ...units(1), Table: units(1) })
  })

  test('a moved entry costs its index twice', async (t) => {
    const TableName = await t.table(INDEXED)
    await put(t, TableName, { ...KEY, ...GLOBAL })
    expect(await put(t, TableName, { ...KEY, ...GLOBAL, g: { S: 'moved' } })).toEqual({
      ...units(7),
      Table: units(1),
      GlobalSecondaryIndexes: {
        'global-keys': units(2),
        'global-some': units(2),
        'global-all': units(2),
      },
    })
  })

  test('an entry that stays as it was costs nothing and is not named', async (t) => {
    const TableName = await t.table(INDEXED)
    await put(t, TableName, { ...KEY, ...GLOBAL })
    expect(await put(t, TableName, { ...KEY, ...GLOBAL, covert: { S: 'x' } })).toEqual({
      ...units(2),
      Table: units(1),
      GlobalSecondaryIndexes: { 'global-all': units(1) },
    })
  })

  test('an entry that goes costs its index a unit', async (t) => {
    const TableName = await t.table(INDEXED)
    await put(t, TableName, { ...KEY, ...GLOBAL })
    expect(await consumed(t, 'DeleteItem', { TableName, Key: KEY })).toEqual({
      ...units(4),
      Table: units(1),
      GlobalSecondaryIndexes: ONE,
    })
  })

  test('an index pays for the size of its entry', async (t) => {
    const TableName = await t.table(INDEXED)
    expect(await put(t, TableName, { ...KEY, ...GLOBAL, shown: { S: 'x'.repeat(1500) } })).toEqual({
      ...units(7),
      Table: units(2),
      GlobalSecondaryIndexes: {
        'global-keys': units(1),
        'global-some': units(2),
        'global-all': units(2),
      },
    })
  })

  test('local indexes are reported separately from global ones', async (t) => {
    const TableName = await t.table(INDEXED)
    expect(await put(t, TableName, { ...KEY, ...GLOBAL, l: { N: '1' } })).toEqual({
      ...units(7),
      Table: units(1),
      GlobalSecondaryIndexes: ONE,
      LocalSecondaryIndexes: {
        'local-keys': units(1),
        'local-some': units(1),
        'local-all': units(1),
      },
    })
  })
})
