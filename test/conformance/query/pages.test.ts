import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { allPages, HASH_ONLY, INDEXED, putAll, schema, sortKeys } from '../read-tables.ts'

const asked = {
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': { S: 'a' } },
}
const byGlobal = {
  KeyConditionExpression: 'g = :p',
  ExpressionAttributeValues: { ':p': { S: 'G' } },
}
const PAGE_MAX_BYTES = 1024 * 1024

function numbered(count: number, more: object = {}) {
  return Array.from({ length: count }, (_, position) => ({
    pk: { S: 'a' },
    sk: { S: String(position).padStart(3, '0') },
    ...more,
  }))
}

/** An item whose size in bytes is exactly this. */
function sized(sk: string, bytes: number, pk = 'a') {
  const rest = 'pk'.length + pk.length + 'sk'.length + sk.length + 'fill'.length
  return { pk: { S: pk }, sk: { S: sk }, fill: { S: 'x'.repeat(bytes - rest) } }
}

conformance('Query pages', (test) => {
  test('a page of Limit items ends with the key of its last item', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, numbered(3))
    const page = await t.send('Query', { TableName, ...asked, Limit: 2 })
    expect(sortKeys(page.Items)).toEqual(['000', '001'])
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'a' }, sk: { S: '001' } })
  })

  test('a page that ends by Limit has a key though nothing remains, and the next page is empty', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, numbered(2))
    const page = await t.send('Query', { TableName, ...asked, Limit: 2 })
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'a' }, sk: { S: '001' } })
    const next = await t.send('Query', {
      TableName,
      ...asked,
      Limit: 2,
      ExclusiveStartKey: page.LastEvaluatedKey,
    })
    expect(next).toEqual({ Items: [], Count: 0, ScannedCount: 0 })
  })

  test('a page with fewer items than Limit has no key', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, numbered(2))
    const page = await t.send('Query', { TableName, ...asked, Limit: 3 })
    expect(page.Count).toBe(2)
    expect(page).not.toHaveProperty('LastEvaluatedKey')
  })

  test('a Query that finds nothing has an empty list and no key', async (t) => {
    const TableName = await t.table()
    expect(await t.send('Query', { TableName, ...asked, Limit: 1 })).toEqual({
      Items: [],
      Count: 0,
      ScannedCount: 0,
    })
  })

  test('every size of page gives each item once, in order and in reverse order', async (t) => {
    const TableName = await t.table()
    const items = numbered(11)
    await putAll(t, TableName, items)
    for (let Limit = 1; Limit <= 12; Limit++) {
      for (const ScanIndexForward of [true, false]) {
        const all = await allPages(t, 'Query', { TableName, ...asked, Limit, ScanIndexForward })
        expect(all.items).toEqual(ScanIndexForward ? items : items.toReversed())
        expect(all.pages).toBe(Math.floor(11 / Limit) + 1)
      }
    }
  })

  test('the largest Limit is accepted', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, numbered(2))
    const page = await t.send('Query', { TableName, ...asked, Limit: 2 ** 31 - 1 })
    expect(page.Count).toBe(2)
    expect(page).not.toHaveProperty('LastEvaluatedKey')
  })

  for (const Limit of [0, -1]) {
    test(`a Limit of ${Limit} is refused`, async (t) => {
      const TableName = await t.table()
      await t.fails(
        'Query',
        { TableName, ...asked, Limit },
        'ValidationException',
        "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
      )
    })
  }

  test('a page ends with the item that reaches 1 MB', async (t) => {
    const TableName = await t.table()
    const step = PAGE_MAX_BYTES / 4
    await putAll(
      t,
      TableName,
      ['1', '2', '3', '4', '5'].map((sk) => sized(sk, step)),
    )
    const page = await t.send('Query', { TableName, ...asked, ProjectionExpression: 'sk' })
    expect(sortKeys(page.Items)).toEqual(['1', '2', '3', '4'])
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'a' }, sk: { S: '4' } })
  })

  test('items of 1 MB together end the page with a key, though nothing remains', async (t) => {
    const TableName = await t.table()
    const step = PAGE_MAX_BYTES / 4
    await putAll(
      t,
      TableName,
      ['1', '2', '3', '4'].map((sk) => sized(sk, step)),
    )
    const page = await t.send('Query', { TableName, ...asked, Select: 'COUNT' })
    expect(page.Count).toBe(4)
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'a' }, sk: { S: '4' } })
  })

  test('items of one byte less than 1 MB together are a page without a key', async (t) => {
    const TableName = await t.table()
    const step = PAGE_MAX_BYTES / 4
    await putAll(t, TableName, [
      ...['1', '2', '3'].map((sk) => sized(sk, step)),
      sized('4', step - 1),
    ])
    const page = await t.send('Query', { TableName, ...asked, Select: 'COUNT' })
    expect(page).toEqual({ Count: 4, ScannedCount: 4 })
  })

  test('the item that crosses 1 MB still belongs to the page', async (t) => {
    const TableName = await t.table()
    const step = PAGE_MAX_BYTES / 4
    await putAll(t, TableName, [
      ...['1', '2', '3'].map((sk) => sized(sk, step)),
      sized('4', step - 1),
      sized('5', step),
      sized('6', step),
    ])
    const page = await t.send('Query', { TableName, ...asked, ProjectionExpression: 'sk' })
    expect(sortKeys(page.Items)).toEqual(['1', '2', '3', '4', '5'])
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'a' }, sk: { S: '5' } })
  })

  test('1 MB is counted before the filter, so a page may be empty and still have a key', async (t) => {
    const TableName = await t.table()
    const step = PAGE_MAX_BYTES / 4
    await putAll(
      t,
      TableName,
      ['1', '2', '3', '4', '5'].map((sk) => sized(sk, step)),
    )
    const page = await t.send('Query', {
      TableName,
      ...asked,
      FilterExpression: 'attribute_exists(nothing)',
    })
    expect(page).toEqual({
      Items: [],
      Count: 0,
      ScannedCount: 4,
      LastEvaluatedKey: { pk: { S: 'a' }, sk: { S: '4' } },
    })
  })

  test('on an index 1 MB is counted by its entries, not by the items behind them', async (t) => {
    const TableName = await t.table(INDEXED)
    const step = PAGE_MAX_BYTES / 4
    await putAll(
      t,
      TableName,
      ['1', '2', '3', '4', '5', '6'].map((sk) => ({
        ...sized(sk, step),
        g: { S: 'G' },
        h: { S: sk },
      })),
    )
    const page = await t.send('Query', { TableName, ...byGlobal, IndexName: 'global-keys' })
    expect(page.Count).toBe(6)
    expect(page).not.toHaveProperty('LastEvaluatedKey')
  })

  test('Limit counts items before the filter', async (t) => {
    const TableName = await t.table()
    await putAll(
      t,
      TableName,
      numbered(6).map((item, position) => ({ ...item, n: { N: String(position) } })),
    )
    const page = await t.send('Query', {
      TableName,
      KeyConditionExpression: 'pk = :p',
      FilterExpression: 'n >= :n',
      ExpressionAttributeValues: { ':p': { S: 'a' }, ':n': { N: '3' } },
      Limit: 4,
    })
    expect(page.Count).toBe(1)
    expect(page.ScannedCount).toBe(4)
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'a' }, sk: { S: '003' } })
  })

  test('the key of a page on a global index has the keys of the index and of the table', async (t) => {
    const TableName = await t.table(INDEXED)
    const keys = { pk: { S: 'a' }, sk: { S: '1' }, g: { S: 'G' }, h: { S: 'H' } }
    await t.send('PutItem', { TableName, Item: { ...keys, l: { N: '1' }, x: { S: 'x' } } })
    const page = await t.send('Query', {
      TableName,
      ...byGlobal,
      IndexName: 'global-all',
      Limit: 1,
    })
    expect(page.LastEvaluatedKey).toEqual(keys)
  })

  test('the key of a page on a local index has the table’s keys and the index’s sort key', async (t) => {
    const TableName = await t.table(INDEXED)
    const keys = { pk: { S: 'a' }, sk: { S: '1' }, l: { N: '7' } }
    await t.send('PutItem', { TableName, Item: { ...keys, g: { S: 'G' }, h: { S: 'H' } } })
    const page = await t.send('Query', { TableName, ...asked, IndexName: 'local-all', Limit: 1 })
    expect(page.LastEvaluatedKey).toEqual(keys)
  })

  test('attributes that table and index share are in the key of a page once', async (t) => {
    const TableName = await t.table({
      GlobalSecondaryIndexes: [
        {
          IndexName: 'turned',
          KeySchema: schema(['sk'], ['pk']),
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    })
    await t.send('PutItem', { TableName, Item: { pk: { S: 'x' }, sk: { S: 'a' } } })
    const page = await t.send('Query', {
      TableName,
      IndexName: 'turned',
      KeyConditionExpression: 'sk = :p',
      ExpressionAttributeValues: { ':p': { S: 'a' } },
      Limit: 1,
    })
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'x' }, sk: { S: 'a' } })
  })

  test('pages over a global index full of ties neither lose nor repeat an item', async (t) => {
    const TableName = await t.table(INDEXED)
    const items = Array.from({ length: 13 }, (_, position) => ({
      pk: { S: `p${position % 5}` },
      sk: { S: `s${position}` },
      g: { S: 'G' },
      h: { S: position < 10 ? 'tie' : 'tie2' },
    }))
    await putAll(t, TableName, items)
    const wanted = sortKeys(items).sort()
    for (let Limit = 1; Limit <= 14; Limit++) {
      for (const ScanIndexForward of [true, false]) {
        const { items: found } = await allPages(t, 'Query', {
          TableName,
          ...byGlobal,
          IndexName: 'global-keys',
          ScanIndexForward,
          Limit,
        })
        expect(sortKeys(found).sort()).toEqual(wanted)
      }
    }
  })

  test('pages over a local index full of ties neither lose nor repeat an item', async (t) => {
    const TableName = await t.table(INDEXED)
    const items = numbered(9, { l: { N: '1' } })
    await putAll(t, TableName, items)
    for (let Limit = 1; Limit <= 10; Limit++) {
      const { items: found } = await allPages(t, 'Query', {
        TableName,
        ...asked,
        IndexName: 'local-keys',
        Limit,
      })
      expect(sortKeys(found).sort()).toEqual(sortKeys(items))
    }
  })

  test('a page continues after an item that was deleted meanwhile', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, numbered(4))
    const page = await t.send('Query', { TableName, ...asked, Limit: 2 })
    await t.send('DeleteItem', { TableName, Key: page.LastEvaluatedKey })
    const next = await t.send('Query', {
      TableName,
      ...asked,
      ExclusiveStartKey: page.LastEvaluatedKey,
    })
    expect(sortKeys(next.Items)).toEqual(['002', '003'])
  })

  test('an item put behind the last key is on the next page, one put before it is not', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, numbered(4))
    const page = await t.send('Query', { TableName, ...asked, Limit: 2 })
    await putAll(t, TableName, [
      { pk: { S: 'a' }, sk: { S: '0005' } },
      { pk: { S: 'a' }, sk: { S: '0011' } },
    ])
    const next = await t.send('Query', {
      TableName,
      ...asked,
      ExclusiveStartKey: page.LastEvaluatedKey,
    })
    expect(sortKeys(next.Items)).toEqual(['0011', '002', '003'])
  })

  test('a table without sort key answers a Query with its one item', async (t) => {
    const TableName = await t.table(HASH_ONLY)
    await t.send('PutItem', { TableName, Item: { pk: { S: 'a' } } })
    expect(await t.send('Query', { TableName, ...asked })).toEqual({
      Items: [{ pk: { S: 'a' } }],
      Count: 1,
      ScannedCount: 1,
    })
  })

  test('on a table without sort key a Query has no key to continue from, even with Limit 1', async (t) => {
    const TableName = await t.table(HASH_ONLY)
    await t.send('PutItem', { TableName, Item: { pk: { S: 'a' } } })
    const page = await t.send('Query', { TableName, ...asked, Limit: 1 })
    expect(page).not.toHaveProperty('LastEvaluatedKey')
  })

  test('a Query for one whole key has no key to continue from, even with Limit 1', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, numbered(1))
    const page = await t.send('Query', {
      TableName,
      KeyConditionExpression: 'pk = :p AND sk = :s',
      ExpressionAttributeValues: { ':p': { S: 'a' }, ':s': { S: '000' } },
      Limit: 1,
    })
    expect(page.Count).toBe(1)
    expect(page).not.toHaveProperty('LastEvaluatedKey')
  })
})
