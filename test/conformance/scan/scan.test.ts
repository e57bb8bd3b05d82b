import { expect } from 'vitest'
import { conformance } from '../conformance.ts'
import { refuses } from '../item-cases.ts'
import { allPages, HASH_ONLY, INDEXED, putAll } from '../read-tables.ts'

const PAGE_MAX_BYTES = 1024 * 1024
const TOTAL_SEGMENTS_MAX = 1_000_000
const IN_OPERANDS_MAX = 100
const SCHEMA =
  'The provided starting key is invalid: The provided key element does not match the schema'

/** Items in several item collections. */
const ITEMS = Array.from({ length: 40 }, (_, position) => ({
  pk: { S: `p${position % 13}` },
  sk: { S: `s${position}` },
  g: { S: `g${position % 3}` },
  h: { S: 'tie' },
  n: { N: String(position) },
}))

function names(items: readonly { sk?: { S?: unknown } }[]): unknown[] {
  return items.map((item) => item.sk?.S).sort()
}

const ALL_NAMES = names(ITEMS)

conformance('Scan', (test) => {
  test('a table is read whole', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, ITEMS)
    const answer = await t.send('Scan', { TableName })
    expect(names(answer.Items)).toEqual(ALL_NAMES)
    expect([answer.Count, answer.ScannedCount]).toEqual([40, 40])
    expect(answer).not.toHaveProperty('LastEvaluatedKey')
  })

  test('an empty table gives an empty list', async (t) => {
    const TableName = await t.table()
    expect(await t.send('Scan', { TableName })).toEqual({ Items: [], Count: 0, ScannedCount: 0 })
  })

  test('items of one item collection come together, in the order of their sort key', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, ITEMS)
    const { Items } = await t.send('Scan', { TableName })
    const seen = new Set<string>()
    let current = ''
    let last = ''
    for (const { pk, sk } of Items) {
      if (pk.S === current) expect(sk.S > last).toBe(true)
      else expect(seen.has(pk.S)).toBe(false)
      current = pk.S
      last = sk.S
      seen.add(current)
    }
    expect(seen.size).toBe(13)
  })

  test('every size of page gives each item once', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, ITEMS)
    for (const Limit of [1, 2, 3, 7, 13, 39, 40, 41]) {
      const all = await allPages(t, 'Scan', { TableName, Limit })
      expect(names(all.items)).toEqual(ALL_NAMES)
      expect(all.pages).toBe(Math.floor(40 / Limit) + 1)
    }
  })

  test('every size of page over a global index of ties gives each entry once', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, ITEMS)
    for (const Limit of [1, 2, 3, 7, 13, 39, 40, 41]) {
      const all = await allPages(t, 'Scan', { TableName, IndexName: 'global-keys', Limit })
      expect(names(all.items)).toEqual(ALL_NAMES)
    }
  })

  test('the key of a page has the table’s key alone', async (t) => {
    const TableName = await t.table()
    await t.send('PutItem', { TableName, Item: ITEMS[0] })
    const page = await t.send('Scan', { TableName, Limit: 1 })
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'p0' }, sk: { S: 's0' } })
  })

  test('the key of a page over a global index has the keys of index and table', async (t) => {
    const TableName = await t.table(INDEXED)
    await t.send('PutItem', { TableName, Item: ITEMS[0] })
    const page = await t.send('Scan', { TableName, IndexName: 'global-all', Limit: 1 })
    expect(page.LastEvaluatedKey).toEqual({
      pk: { S: 'p0' },
      sk: { S: 's0' },
      g: { S: 'g0' },
      h: { S: 'tie' },
    })
  })

  test('a table without sort key continues from page to page', async (t) => {
    const TableName = await t.table(HASH_ONLY)
    const items = ['a', 'b', 'c', 'd', 'e'].map((pk) => ({ pk: { S: pk } }))
    await putAll(t, TableName, items)
    const all = await allPages(t, 'Scan', { TableName, Limit: 2 })
    expect(all.items.map(({ pk }) => pk?.S).sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(all.pages).toBe(3)
  })

  test('a start key need not be an item', async (t) => {
    const TableName = await t.table()
    await putAll(
      t,
      TableName,
      ['1', '3'].map((sk) => ({ pk: { S: 'a' }, sk: { S: sk } })),
    )
    const { Items } = await t.send('Scan', {
      TableName,
      ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '2' } },
    })
    expect(Items).toEqual([{ pk: { S: 'a' }, sk: { S: '3' } }])
  })

  test('a page ends with the item that reaches 1 MB', async (t) => {
    const TableName = await t.table()
    const fill = { S: 'x'.repeat(PAGE_MAX_BYTES / 4 - 10) }
    await putAll(
      t,
      TableName,
      ['1', '2', '3', '4', '5'].map((sk) => ({ pk: { S: 'a' }, sk: { S: sk }, fill })),
    )
    const page = await t.send('Scan', { TableName, ProjectionExpression: 'sk' })
    expect(names(page.Items)).toEqual(['1', '2', '3', '4'])
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'a' }, sk: { S: '4' } })
  })

  test('a filter may speak of key attributes', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, ITEMS)
    const answer = await t.send('Scan', {
      TableName,
      FilterExpression: 'pk = :p AND begins_with(sk, :s)',
      ExpressionAttributeValues: { ':p': { S: 'p1' }, ':s': { S: 's1' } },
    })
    expect(names(answer.Items)).toEqual(['s1', 's14'])
    expect(answer.ScannedCount).toBe(40)
  })

  test('Limit counts items before the filter', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, ITEMS)
    const page = await t.send('Scan', {
      TableName,
      FilterExpression: 'attribute_exists(nothing)',
      Limit: 10,
    })
    expect([page.Count, page.ScannedCount, page.Items]).toEqual([0, 10, []])
    expect(page).toHaveProperty('LastEvaluatedKey')
  })

  test('COUNT with a filter gives the two counts', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, ITEMS)
    const answer = await t.send('Scan', {
      TableName,
      Select: 'COUNT',
      FilterExpression: 'n < :n',
      ExpressionAttributeValues: { ':n': { N: '5' } },
    })
    expect(answer).toEqual({ Count: 5, ScannedCount: 40 })
  })

  test('a filter on what an index does not hold takes it as missing', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, ITEMS)
    const answer = await t.send('Scan', {
      TableName,
      IndexName: 'global-keys',
      FilterExpression: 'n >= :n',
      ExpressionAttributeValues: { ':n': { N: '0' } },
    })
    expect([answer.Count, answer.ScannedCount]).toEqual([0, 40])
  })

  for (const count of [IN_OPERANDS_MAX - 1, IN_OPERANDS_MAX]) {
    test(`IN with ${count} operands is answered`, async (t) => {
      const TableName = await t.table()
      await putAll(t, TableName, ITEMS)
      const answer = await t.send('Scan', { TableName, ...inList(count) })
      expect(answer.Count).toBe(40)
    })
  }

  test('a scan of an index is of those items that are in it', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, [
      { pk: { S: 'a' }, sk: { S: 'in' }, l: { N: '1' } },
      { pk: { S: 'a' }, sk: { S: 'out' } },
    ])
    const { Items } = await t.send('Scan', { TableName, IndexName: 'local-keys' })
    expect(names(Items)).toEqual(['in'])
  })

  refuses(
    test,
    'Scan',
    [
      {
        name: 'IN with 101 operands is refused',
        request: inList(IN_OPERANDS_MAX + 1),
        message:
          'Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: 101',
      },
      {
        name: 'a Limit of 0 is refused',
        request: { Limit: 0 },
        message:
          "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
      },
      {
        name: 'an unknown Select is refused',
        request: { Select: 'SOME' },
        message:
          "1 validation error detected: Value 'SOME' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
      },
      {
        name: 'SPECIFIC_ATTRIBUTES without a projection is refused',
        request: { Select: 'SPECIFIC_ATTRIBUTES' },
        message:
          'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
      },
      {
        name: 'ALL_PROJECTED_ATTRIBUTES without an index is refused',
        request: { Select: 'ALL_PROJECTED_ATTRIBUTES' },
        message: 'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
      },
      {
        name: 'COUNT with AttributesToGet is refused',
        request: { Select: 'COUNT', AttributesToGet: ['x'] },
        message: 'Cannot specify the AttributesToGet when choosing to get only the Count',
      },
      {
        name: 'ALL_ATTRIBUTES on a global index of keys is refused',
        request: { IndexName: 'global-keys', Select: 'ALL_ATTRIBUTES' },
        message:
          'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index global-keys because its projection type is not ALL',
      },
      {
        name: 'projecting what a global index does not hold is refused',
        request: { IndexName: 'global-keys', ProjectionExpression: 'n' },
        message:
          'One or more parameter values were invalid: Global secondary index global-keys does not project [n]',
      },
      {
        name: 'a consistent read of a global index is refused',
        request: { IndexName: 'global-all', ConsistentRead: true },
        message: 'Consistent reads are not supported on global secondary indexes',
      },
      {
        name: 'an index that the table does not have is refused',
        request: { IndexName: 'nowhere' },
        message: 'The table does not have the specified index: nowhere',
      },
      {
        name: 'a table that does not exist is not found',
        request: { TableName: 'no-such-table' },
        error: 'ResourceNotFoundException',
        message: 'Requested resource not found',
      },
      {
        name: 'a start key without the sort key is refused',
        request: { ExclusiveStartKey: { pk: { S: 'a' } } },
        message: SCHEMA,
      },
      {
        name: 'a start key with one attribute too many is refused',
        request: { ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '1' }, x: { S: 'x' } } },
        message: SCHEMA,
      },
      {
        name: 'a start key of the wrong type is refused',
        request: { ExclusiveStartKey: { pk: { S: 'a' }, sk: { N: '1' } } },
        message: SCHEMA,
      },
      {
        name: 'a start key with an empty value is refused',
        request: { ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '' } } },
        message:
          'The provided starting key is invalid: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
      },
      {
        name: 'a start key of the table is refused on a global index',
        request: {
          IndexName: 'global-keys',
          ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: '1' } },
        },
        message: 'The provided starting key is invalid',
      },
      {
        name: 'a filter into a key attribute is refused',
        request: { FilterExpression: 'attribute_exists(pk.x)' },
        message:
          "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk",
      },
      {
        name: 'projecting into a key attribute is refused',
        request: { ProjectionExpression: 'sk[1]' },
        message:
          "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: sk",
      },
    ],
    INDEXED,
  )
})

conformance('Scan segments', (test) => {
  for (const TotalSegments of [1, 2, 3, 7, 16, 100]) {
    test(`${TotalSegments} segments together are the table, and none overlap`, async (t) => {
      const TableName = await t.table()
      await putAll(t, TableName, ITEMS)
      const found: unknown[] = []
      for (let Segment = 0; Segment < TotalSegments; Segment++) {
        const { items } = await allPages(t, 'Scan', { TableName, Segment, TotalSegments, Limit: 5 })
        found.push(...names(items))
      }
      expect(found.sort()).toEqual(ALL_NAMES)
    })
  }

  test('segments of a global index together are the index, and none overlap', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, ITEMS)
    const found: unknown[] = []
    for (let Segment = 0; Segment < 4; Segment++) {
      const { items } = await allPages(t, 'Scan', {
        TableName,
        IndexName: 'global-keys',
        Segment,
        TotalSegments: 4,
        Limit: 3,
      })
      found.push(...names(items))
    }
    expect(found.sort()).toEqual(ALL_NAMES)
  })

  test('an item collection is never cut by segments', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, ITEMS)
    const segmentOf = new Map<string, number>()
    for (let Segment = 0; Segment < 8; Segment++) {
      const { items } = await allPages(t, 'Scan', { TableName, Segment, TotalSegments: 8 })
      for (const { pk } of items) {
        expect(segmentOf.get(String(pk?.S)) ?? Segment).toBe(Segment)
        segmentOf.set(String(pk?.S), Segment)
      }
    }
    expect(segmentOf.size).toBe(13)
  })

  for (const TotalSegments of [TOTAL_SEGMENTS_MAX - 1, TOTAL_SEGMENTS_MAX]) {
    test(`the last of ${TotalSegments} segments is answered`, async (t) => {
      const TableName = await t.table()
      const answer = await t.send('Scan', { TableName, TotalSegments, Segment: TotalSegments - 1 })
      expect(answer.Count).toBe(0)
    })
  }

  refuses(test, 'Scan', [
    {
      name: '1000001 segments are refused',
      request: { TotalSegments: TOTAL_SEGMENTS_MAX + 1, Segment: 0 },
      message:
        "1 validation error detected: Value '1000001' at 'totalSegments' failed to satisfy constraint: Member must have value less than or equal to 1000000",
    },
    {
      name: 'no segments are refused',
      request: { TotalSegments: 0, Segment: 0 },
      message:
        "1 validation error detected: Value '0' at 'totalSegments' failed to satisfy constraint: Member must have value greater than or equal to 1",
    },
    {
      name: 'the segment 1000000 is refused',
      request: { TotalSegments: TOTAL_SEGMENTS_MAX, Segment: TOTAL_SEGMENTS_MAX },
      message:
        "1 validation error detected: Value '1000000' at 'segment' failed to satisfy constraint: Member must have value less than or equal to 999999",
    },
    {
      name: 'a negative segment is refused',
      request: { TotalSegments: 2, Segment: -1 },
      message:
        "1 validation error detected: Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0",
    },
    {
      name: 'a segment without their number is refused',
      request: { Segment: 0 },
      message:
        'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    },
    {
      name: 'a number of segments without a segment is refused',
      request: { TotalSegments: 2 },
      message:
        'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    },
    {
      name: 'a segment that is not among them is refused',
      request: { TotalSegments: 5, Segment: 5 },
      message:
        'The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not less than TotalSegments: 5',
    },
  ])

  test('a start key of another segment is refused', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, ITEMS)
    for (let Segment = 0; Segment < 4; Segment++) {
      const page = await t.send('Scan', { TableName, Segment, TotalSegments: 4, Limit: 1 })
      if (page.LastEvaluatedKey === undefined) continue
      const other = (Segment + 1) % 4
      await t.fails(
        'Scan',
        { TableName, Segment: other, TotalSegments: 4, ExclusiveStartKey: page.LastEvaluatedKey },
        'ValidationException',
        `The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 4 Segment: ${other}`,
      )
    }
  })
})

/** This many operands in all: the one before IN and those behind it. */
function inList(count: number) {
  const operands = Array.from({ length: count - 1 }, () => ':h')
  return {
    FilterExpression: `h IN (${operands.join(', ')})`,
    ExpressionAttributeValues: { ':h': { S: 'tie' } },
  }
}
