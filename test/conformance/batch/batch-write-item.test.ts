import { expect } from 'vitest'
import { type Conformance, conformance } from '../conformance.ts'
import { definitions, HASH_ONLY, INDEXED, putAll, schema } from '../read-tables.ts'

const BATCH_WRITE_MAX = 25
const ITEM_SIZE_MAX_BYTES = 400 * 1024
const NUMBERED = { AttributeDefinitions: definitions({ pk: 'N' }), KeySchema: schema(['pk']) }
const NOT_ONE =
  'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes'

function key(name: string | number) {
  return { pk: { S: 'a' }, sk: { S: String(name) } }
}
function put(name: string | number, more: object = {}) {
  return { PutRequest: { Item: { ...key(name), ...more } } }
}
function remove(name: string | number) {
  return { DeleteRequest: { Key: key(name) } }
}
function removals(count: number) {
  return Array.from({ length: count }, (_, position) => remove(position))
}

/** Refused, and nothing written. */
function refused(
  request: (TableName: string) => unknown,
  message: string | RegExp,
  error = 'ValidationException',
  members: object = {},
) {
  return async (t: Conformance): Promise<void> => {
    const TableName = await t.table({ ...members })
    await t.fails('BatchWriteItem', { RequestItems: request(TableName) }, error, message)
    const { Count } = await t.send('Scan', { TableName, Select: 'COUNT' })
    expect(Count).toBe(0)
  }
}

conformance('BatchWriteItem', (test) => {
  test('puts and deletes in several tables are carried out', async (t) => {
    const one = await t.table()
    const two = await t.table(HASH_ONLY)
    await putAll(t, one, [key('old')])
    const answer = await t.send('BatchWriteItem', {
      RequestItems: {
        [one]: [put('new', { x: { N: '1' } }), remove('old'), remove('never')],
        [two]: [{ PutRequest: { Item: { pk: { S: 'x' } } } }],
      },
    })
    expect(answer).toEqual({ UnprocessedItems: {} })
    expect((await t.send('Scan', { TableName: one })).Items).toEqual([
      { ...key('new'), x: { N: '1' } },
    ])
    expect((await t.send('Scan', { TableName: two })).Items).toEqual([{ pk: { S: 'x' } }])
  })

  test('a put replaces the whole item', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, [{ ...key(1), x: { N: '1' } }])
    await putAll(t, TableName, [{ ...key(1), y: { N: '2' } }])
    const { Item } = await t.send('GetItem', { TableName, Key: key(1) })
    expect(Item).toEqual({ ...key(1), y: { N: '2' } })
  })

  test('the same key in two tables is not a duplicate', async (t) => {
    const one = await t.table()
    const two = await t.table()
    const answer = await t.send('BatchWriteItem', {
      RequestItems: { [one]: [put(1)], [two]: [put(1)] },
    })
    expect(answer.UnprocessedItems).toEqual({})
  })

  for (const count of [BATCH_WRITE_MAX - 1, BATCH_WRITE_MAX]) {
    test(`${count} writes are carried out`, async (t) => {
      const TableName = await t.table()
      await t.send('BatchWriteItem', {
        RequestItems: { [TableName]: Array.from({ length: count }, (_, n) => put(n)) },
      })
      expect((await t.send('Scan', { TableName, Select: 'COUNT' })).Count).toBe(count)
    })
  }

  test('26 writes are refused with the whole request in the text', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'BatchWriteItem',
      { RequestItems: { [TableName]: removals(BATCH_WRITE_MAX + 1) } },
      'ValidationException',
      /^1 validation error detected: Value '\{.+=\[.*' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: \[Member must have length less than or equal to 25, Member must have length greater than or equal to 1\]$/,
    )
  })

  test('26 writes in two tables together are refused', async (t) => {
    const one = await t.table()
    const two = await t.table()
    await t.fails(
      'BatchWriteItem',
      { RequestItems: { [one]: removals(20), [two]: removals(6) } },
      'ValidationException',
    )
  })

  test('an empty list of writes is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'BatchWriteItem',
      { RequestItems: { [TableName]: [] } },
      'ValidationException',
      `1 validation error detected: Value '{${TableName}=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]`,
    )
  })

  for (const [what, items] of [
    ['no table', {}],
    ['nothing', undefined],
  ] as const) {
    test(
      `a request for ${what} is refused`,
      refused(() => items, 'The requestItems parameter is required for BatchWriteItem'),
    )
  }
  test(
    'a member without a request is refused',
    refused((name) => ({ [name]: [put(1), {}] }), NOT_ONE),
  )
  test(
    'a member with two requests is refused',
    refused((name) => ({ [name]: [{ ...put(1), ...remove(2) }] }), NOT_ONE),
  )
  test(
    'a put and a delete of one key are refused',
    refused(
      (name) => ({ [name]: [put(1), put(2), remove(1)] }),
      'Provided list of item keys contains duplicates',
    ),
  )
  test(
    'the same number written in two ways is the same key',
    refused(
      (name) => ({
        [name]: [
          { PutRequest: { Item: { pk: { N: '1' } } } },
          { DeleteRequest: { Key: { pk: { N: '1e0' } } } },
        ],
      }),
      'Provided list of item keys contains duplicates',
      'ValidationException',
      NUMBERED,
    ),
  )
  test(
    'one missing table keeps all writes from being made',
    refused(
      (name) => ({ [name]: [put(1)], 'no-such-table': [put(1)] }),
      'Requested resource not found',
      'ResourceNotFoundException',
    ),
  )
  test(
    'a put without the sort key is refused with the whole batch',
    refused(
      (name) => ({ [name]: [put(1), { PutRequest: { Item: { pk: { S: 'a' } } } }] }),
      'The provided key element does not match the schema',
    ),
  )
  test(
    'a put with a key of the wrong type is refused with the whole batch',
    refused(
      (name) => ({ [name]: [put(1), { PutRequest: { Item: { ...key(1), sk: { N: '1' } } } }] }),
      'The provided key element does not match the schema',
    ),
  )
  test(
    'a delete with one attribute too many is refused',
    refused(
      (name) => ({ [name]: [put(1), { DeleteRequest: { Key: { ...key(2), x: { S: 'x' } } } }] }),
      'The provided key element does not match the schema',
    ),
  )
  test(
    'an empty key value is refused',
    refused(
      (name) => ({ [name]: [put(1), put('')] }),
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
    ),
  )
  test(
    'a value without a type is refused',
    refused(
      (name) => ({ [name]: [put(1), put(2, { x: {} })] }),
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    ),
  )
  test(
    'an index key of the wrong type is refused with the whole batch',
    refused(
      (name) => ({ [name]: [put(1), put(2, { l: { S: 'x' } })] }),
      'One or more parameter values were invalid: Type mismatch for Index Key l Expected: N Actual: S IndexName: local-keys',
      'ValidationException',
      INDEXED,
    ),
  )
  test(
    'an empty index key is refused with the whole batch',
    refused(
      (name) => ({ [name]: [put(1), put(2, { g: { S: '' } })] }),
      /^One or more parameter values are not valid\. A value specified for a secondary index key is not supported\. The AttributeValue for a key attribute cannot contain an empty string value\. IndexName: global-\w+, IndexKey: g$/,
      'ValidationException',
      INDEXED,
    ),
  )
  test(
    'an item of one byte more than 400 KB is refused',
    refused(
      (name) => ({ [name]: [put(1), large(ITEM_SIZE_MAX_BYTES + 1)] }),
      'Item size has exceeded the maximum allowed size',
    ),
  )
  test(
    'an item that is too large is refused before the table is looked for',
    refused(
      () => ({ 'no-such-table': [large(ITEM_SIZE_MAX_BYTES + 1)] }),
      'Item size has exceeded the maximum allowed size',
    ),
  )

  for (const bytes of [ITEM_SIZE_MAX_BYTES - 1, ITEM_SIZE_MAX_BYTES]) {
    test(`an item of ${bytes} bytes is written`, async (t) => {
      const TableName = await t.table()
      const answer = await t.send('BatchWriteItem', {
        RequestItems: { [TableName]: [large(bytes)] },
      })
      expect(answer.UnprocessedItems).toEqual({})
    })
  }

  test('25 items of 400 KB are written at once', async (t) => {
    const TableName = await t.table()
    const answer = await t.send('BatchWriteItem', {
      RequestItems: {
        [TableName]: Array.from({ length: BATCH_WRITE_MAX }, (_, position) =>
          large(ITEM_SIZE_MAX_BYTES, String.fromCharCode(97 + position)),
        ),
      },
    })
    expect(answer.UnprocessedItems).toEqual({})
  })

  test('capacity is reported per table and index', async (t) => {
    const one = await t.table(INDEXED)
    const two = await t.table(HASH_ONLY)
    await putAll(t, one, [key('old')])
    const answer = await t.send('BatchWriteItem', {
      RequestItems: {
        [one]: [put(1, { l: { N: '1' }, f: { S: 'x'.repeat(1500) } }), remove('old')],
        [two]: [{ PutRequest: { Item: { pk: { S: 'x' } } } }],
      },
      ReturnConsumedCapacity: 'INDEXES',
    })
    expect(answer.ConsumedCapacity).toHaveLength(2)
    expect(answer.ConsumedCapacity).toEqual(
      expect.arrayContaining([
        {
          TableName: one,
          CapacityUnits: 7,
          Table: { CapacityUnits: 3 },
          LocalSecondaryIndexes: {
            'local-keys': { CapacityUnits: 1 },
            'local-some': { CapacityUnits: 1 },
            'local-all': { CapacityUnits: 2 },
          },
        },
        { TableName: two, CapacityUnits: 1, Table: { CapacityUnits: 1 } },
      ]),
    )
  })

  test('TOTAL adds table and indexes up', async (t) => {
    const TableName = await t.table(INDEXED)
    const answer = await t.send('BatchWriteItem', {
      RequestItems: { [TableName]: [put(1, { l: { N: '1' } })] },
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(answer.ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 4 }])
  })

  test('item collection metrics are reported for each write to a table with local indexes', async (t) => {
    const one = await t.table(INDEXED)
    const two = await t.table(HASH_ONLY)
    const answer = await t.send('BatchWriteItem', {
      RequestItems: {
        [one]: [put(1), put(2)],
        [two]: [{ PutRequest: { Item: { pk: { S: 'x' } } } }],
      },
      ReturnItemCollectionMetrics: 'SIZE',
    })
    const metrics = { ItemCollectionKey: { pk: { S: 'a' } }, SizeEstimateRangeGB: [0, 1] }
    expect(answer.ItemCollectionMetrics).toEqual({ [one]: [metrics, metrics] })
  })

  test('a bad ReturnItemCollectionMetrics is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'BatchWriteItem',
      { RequestItems: { [TableName]: [put(1)] }, ReturnItemCollectionMetrics: 'ALL' },
      'ValidationException',
      "1 validation error detected: Value 'ALL' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]",
    )
  })
})

/** A put of an item whose size in bytes is exactly this. */
function large(bytes: number, sk = 'a') {
  return put(sk, { f: { S: 'x'.repeat(bytes - 'pkask'.length - sk.length - 1) } })
}
