import { expect } from 'vitest'
import { type Conformance, conformance } from '../conformance.ts'
import { definitions, HASH_ONLY, INDEXED, putAll, schema } from '../read-tables.ts'

const BATCH_GET_KEYS_MAX = 100
const BATCH_GET_MAX_BYTES = 16 * 1024 * 1024
const BATCH_GET_PARTITION_MAX_BYTES = 1024 * 1024
const NUMBERED = { AttributeDefinitions: definitions({ pk: 'N' }), KeySchema: schema(['pk']) }

function key(name: string | number) {
  return { pk: { S: 'a' }, sk: { S: String(name) } }
}

function keys(count: number) {
  return Array.from({ length: count }, (_, position) => key(position))
}

/** An item whose size in bytes is exactly this. */
function sized(pk: string, bytes: number) {
  return { pk: { S: pk }, f: { S: 'x'.repeat(bytes - pk.length - 3) } }
}

function refused(
  request: (TableName: string) => unknown,
  message: string,
  error = 'ValidationException',
  members: object = {},
) {
  return async (t: Conformance): Promise<void> => {
    const TableName = await t.table({ ...members })
    await t.fails('BatchGetItem', { RequestItems: request(TableName) }, error, message)
  }
}

conformance('BatchGetItem', (test) => {
  test('items come back, missing ones do not', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, [key(1), key(2)])
    const answer = await t.send('BatchGetItem', {
      RequestItems: { [TableName]: { Keys: [key(1), key(2), key(3)] } },
    })
    expect(answer.UnprocessedKeys).toEqual({})
    expect(answer.Responses[TableName]).toHaveLength(2)
    expect(answer.Responses[TableName]).toEqual(expect.arrayContaining([key(1), key(2)]))
  })

  test('a table of which nothing is found has an empty list', async (t) => {
    const TableName = await t.table()
    expect(
      await t.send('BatchGetItem', { RequestItems: { [TableName]: { Keys: [key(1)] } } }),
    ).toEqual({ Responses: { [TableName]: [] }, UnprocessedKeys: {} })
  })

  test('several tables are read at once', async (t) => {
    const one = await t.table()
    const two = await t.table(HASH_ONLY)
    await t.send('PutItem', { TableName: one, Item: key(1) })
    await t.send('PutItem', { TableName: two, Item: { pk: { S: 'x' } } })
    const answer = await t.send('BatchGetItem', {
      RequestItems: { [one]: { Keys: [key(1)] }, [two]: { Keys: [{ pk: { S: 'x' } }] } },
    })
    expect(answer.Responses).toEqual({ [one]: [key(1)], [two]: [{ pk: { S: 'x' } }] })
  })

  test('each table has a projection of its own', async (t) => {
    const one = await t.table(HASH_ONLY)
    const two = await t.table(HASH_ONLY)
    const Item = { pk: { S: 'x' }, a: { N: '1' }, b: { N: '2' } }
    for (const TableName of [one, two]) await t.send('PutItem', { TableName, Item })
    const Keys = [{ pk: { S: 'x' } }]
    const answer = await t.send('BatchGetItem', {
      RequestItems: {
        [one]: { Keys, ProjectionExpression: '#n', ExpressionAttributeNames: { '#n': 'a' } },
        [two]: { Keys, ProjectionExpression: 'b' },
      },
    })
    expect(answer.Responses).toEqual({ [one]: [{ a: { N: '1' } }], [two]: [{ b: { N: '2' } }] })
  })

  test('an item without any projected attribute is an empty item', async (t) => {
    const TableName = await t.table(HASH_ONLY)
    await t.send('PutItem', { TableName, Item: { pk: { S: 'x' } } })
    const answer = await t.send('BatchGetItem', {
      RequestItems: { [TableName]: { Keys: [{ pk: { S: 'x' } }], ProjectionExpression: 'a' } },
    })
    expect(answer.Responses[TableName]).toEqual([{}])
  })

  for (const count of [BATCH_GET_KEYS_MAX - 1, BATCH_GET_KEYS_MAX]) {
    test(`${count} keys are read`, async (t) => {
      const TableName = await t.table()
      await putAll(t, TableName, keys(count))
      const answer = await t.send('BatchGetItem', {
        RequestItems: { [TableName]: { Keys: keys(count) } },
      })
      expect(answer.Responses[TableName]).toHaveLength(count)
      expect(answer.UnprocessedKeys).toEqual({})
    })
  }

  test('101 keys are refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'BatchGetItem',
      { RequestItems: { [TableName]: { Keys: keys(BATCH_GET_KEYS_MAX + 1) } } },
      'ValidationException',
      `1 validation error detected: Value at 'RequestItems.${TableName}.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100`,
    )
  })

  test('101 keys in two tables together are refused', async (t) => {
    const one = await t.table()
    const two = await t.table()
    await t.fails(
      'BatchGetItem',
      { RequestItems: { [one]: { Keys: keys(60) }, [two]: { Keys: keys(41) } } },
      'ValidationException',
    )
  })

  test('no more than 16 MB are read: the rest is unprocessed, with its settings', async (t) => {
    const TableName = await t.table(HASH_ONLY)
    const itemBytes = 400_000
    const items = Array.from({ length: 45 }, (_, position) => sized(`p${position}`, itemBytes))
    for (let start = 0; start < 45; start += 5) {
      await putAll(t, TableName, items.slice(start, start + 5))
    }
    const settings = {
      ConsistentRead: true,
      ProjectionExpression: '#p',
      ExpressionAttributeNames: { '#p': 'pk' },
    }
    const answer = await t.send('BatchGetItem', {
      RequestItems: { [TableName]: { Keys: items.map(({ pk }) => ({ pk })), ...settings } },
    })
    const read = Math.floor(BATCH_GET_MAX_BYTES / itemBytes)
    expect(answer.Responses[TableName]).toHaveLength(read)
    const { Keys, ...rest } = answer.UnprocessedKeys[TableName]
    expect(Keys).toHaveLength(45 - read)
    expect(rest).toEqual(settings)
    const found = [...answer.Responses[TableName], ...Keys].map(({ pk }) => pk.S)
    expect(new Set(found).size).toBe(45)
  })

  for (const [bytes, unprocessed] of [
    [BATCH_GET_PARTITION_MAX_BYTES - 1, 0],
    [BATCH_GET_PARTITION_MAX_BYTES, 0],
    [BATCH_GET_PARTITION_MAX_BYTES + 1, 1],
  ] as const) {
    test(`of ${bytes} bytes in one item collection ${unprocessed} of four items is left unprocessed`, async (t) => {
      const TableName = await t.table()
      const own = 'pkask1f'.length
      const parts = [262_144, 262_144, 262_144, bytes - 3 * 262_144]
      const items = parts.map((part, position) => ({
        ...key(position),
        f: { S: 'x'.repeat(part - own) },
      }))
      await putAll(t, TableName, items)
      const answer = await t.send('BatchGetItem', {
        RequestItems: { [TableName]: { Keys: keys(4) } },
      })
      expect(answer.Responses[TableName]).toHaveLength(4 - unprocessed)
      expect(answer.UnprocessedKeys).toEqual(
        unprocessed === 0 ? {} : { [TableName]: { Keys: [key(3)] } },
      )
    })
  }

  test(
    'the same key twice is refused',
    refused(
      (name) => ({ [name]: { Keys: [key(1), key(1)] } }),
      'Provided list of item keys contains duplicates',
    ),
  )
  test(
    'the same key twice is refused before the table is looked for',
    refused(
      () => ({ 'no-such-table': { Keys: [key(1), { sk: { S: '1' }, pk: { S: 'a' } }] } }),
      'Provided list of item keys contains duplicates',
    ),
  )
  test(
    'the same number written in two ways is the same key',
    refused(
      (name) => ({ [name]: { Keys: [{ pk: { N: '1' } }, { pk: { N: '1.0' } }] } }),
      'Provided list of item keys contains duplicates',
      'ValidationException',
      NUMBERED,
    ),
  )
  test(
    'a table that does not exist is not found',
    refused(
      (name) => ({ [name]: { Keys: [key(1)] }, 'no-such-table': { Keys: [key(1)] } }),
      'Requested resource not found',
      'ResourceNotFoundException',
    ),
  )
  test(
    'a key without the sort key is refused',
    refused(
      (name) => ({ [name]: { Keys: [{ pk: { S: 'a' } }] } }),
      'The provided key element does not match the schema',
    ),
  )
  test(
    'a key of the wrong type is refused',
    refused(
      (name) => ({ [name]: { Keys: [{ pk: { S: 'a' }, sk: { N: '1' } }] } }),
      'The provided key element does not match the schema',
    ),
  )
  test(
    'an empty key value is refused',
    refused(
      (name) => ({ [name]: { Keys: [{ pk: { S: 'a' }, sk: { S: '' } }] } }),
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
    ),
  )
  test(
    'a projection that is not well formed is refused',
    refused(
      (name) => ({ [name]: { Keys: [key(1)], ProjectionExpression: 'a,,' } }),
      'Invalid ProjectionExpression: Syntax error; token: ",", near: ",,"',
    ),
  )
  test(
    'names without an expression are refused',
    refused(
      (name) => ({ [name]: { Keys: [key(1)], ExpressionAttributeNames: { '#a': 'a' } } }),
      'ExpressionAttributeNames can only be specified when using expressions',
    ),
  )
  test(
    'AttributesToGet together with a projection is refused',
    refused(
      (name) => ({
        [name]: { Keys: [key(1)], ProjectionExpression: 'a', AttributesToGet: ['a'] },
      }),
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}',
    ),
  )
  test(
    'projecting into a key attribute is refused',
    refused(
      (name) => ({ [name]: { Keys: [key(1)], ProjectionExpression: 'pk.x' } }),
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk",
    ),
  )
  for (const [what, items] of [
    ['no table', {}],
    ['nothing', undefined],
  ] as const) {
    test(
      `a request for ${what} is refused`,
      refused(() => items, 'The requestItems parameter is required for BatchGetItem'),
    )
  }
  test('an empty list of keys is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'BatchGetItem',
      { RequestItems: { [TableName]: { Keys: [] } } },
      'ValidationException',
    )
  })

  test('capacity is reported per table, half for eventual and full for consistent reads', async (t) => {
    const one = await t.table(INDEXED)
    const two = await t.table(HASH_ONLY)
    await putAll(t, one, [key(1), { ...key(2), f: { S: 'x'.repeat(5000) } }])
    await putAll(t, two, [{ pk: { S: 'x' } }])
    const answer = await t.send('BatchGetItem', {
      RequestItems: {
        [one]: { Keys: [key(1), key(2)] },
        [two]: { Keys: [{ pk: { S: 'x' } }], ConsistentRead: true },
      },
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(answer.ConsumedCapacity).toEqual(
      expect.arrayContaining([
        { TableName: one, CapacityUnits: 1.5 },
        { TableName: two, CapacityUnits: 1 },
      ]),
    )
    expect(answer.ConsumedCapacity).toHaveLength(2)
  })

  test('INDEXES reports the table’s part separately', async (t) => {
    const TableName = await t.table()
    await putAll(t, TableName, [key(1)])
    const answer = await t.send('BatchGetItem', {
      RequestItems: { [TableName]: { Keys: [key(1)] } },
      ReturnConsumedCapacity: 'INDEXES',
    })
    expect(answer.ConsumedCapacity).toEqual([
      { TableName, CapacityUnits: 0.5, Table: { CapacityUnits: 0.5 } },
    ])
  })

  test('a missing item costs as much as a small one', async (t) => {
    const TableName = await t.table()
    const answer = await t.send('BatchGetItem', {
      RequestItems: { [TableName]: { Keys: [key(1), key(2)] } },
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(answer.ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 1 }])
  })

  test('NONE reports no capacity', async (t) => {
    const TableName = await t.table()
    const answer = await t.send('BatchGetItem', {
      RequestItems: { [TableName]: { Keys: [key(1)] } },
      ReturnConsumedCapacity: 'NONE',
    })
    expect(answer).not.toHaveProperty('ConsumedCapacity')
  })
})
