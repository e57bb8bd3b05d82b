import { expect } from 'vitest'
import { type Conformance, conformance } from '../conformance.ts'
import { itemOf, KEY } from '../item-cases.ts'

/** A table with a global index on g (S) and h (N), and a local one on l (B). */
const indexed = {
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'g', AttributeType: 'S' },
    { AttributeName: 'h', AttributeType: 'S' },
    { AttributeName: 'l', AttributeType: 'B' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'global',
      KeySchema: [
        { AttributeName: 'g', KeyType: 'HASH' },
        { AttributeName: 'h', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: 'local',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'l', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
}

async function countOf(t: Conformance, TableName: string, IndexName: string): Promise<number> {
  const { Count } = await t.send('Scan', { TableName, IndexName })
  return Count
}

const INVALID = 'One or more parameter values were invalid: '
const NOT_SUPPORTED =
  'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty'
const UPDATE_NOT_SUPPORTED =
  'One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty'
const UPDATE_TYPE =
  'The update expression attempted to update the secondary index key to unsupported type'
const UPDATE_SIZE =
  'The update expression attempted to update the secondary index key beyond allowed size limits'

const large = (bytes: number) => Buffer.alloc(bytes, 1).toString('base64')

conformance('Index keys of put items', (test) => {
  const partial: Record<string, [attributes: object, global: number, local: number]> = {
    'an item without index keys is in no index': [{}, 0, 0],
    'an item with one of two index keys is not in the index': [{ g: { S: 'x' } }, 0, 0],
    'an item with the other of two index keys is not in the index': [{ h: { S: 'x' } }, 0, 0],
    'an item with all index keys is in the index': [{ g: { S: 'x' }, h: { S: 'y' } }, 1, 0],
    'an item with the key of the local index is in it': [{ l: { B: 'AA==' } }, 0, 1],
  }
  for (const [name, [attributes, global, local]] of Object.entries(partial)) {
    test(name, async (t) => {
      const TableName = await t.table(indexed)
      const Item = { ...KEY, ...attributes }
      await t.send('PutItem', { TableName, Item })
      expect(await itemOf(t, TableName)).toEqual(Item)
      await t.eventually(async () => {
        expect(await countOf(t, TableName, 'global')).toBe(global)
        expect(await countOf(t, TableName, 'local')).toBe(local)
      })
    })
  }

  test('a put without the index keys takes the item out of the index', async (t) => {
    const TableName = await t.table(indexed)
    await t.send('PutItem', { TableName, Item: { ...KEY, g: { S: 'x' }, h: { S: 'y' } } })
    await t.send('PutItem', { TableName, Item: { ...KEY, g: { S: 'x' } } })
    await t.eventually(async () => expect(await countOf(t, TableName, 'global')).toBe(0))
  })

  const refused: Record<string, [attributes: object, message: string]> = {
    'an index partition key of the wrong type is refused': [
      { g: { N: '1' } },
      `${INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: global`,
    ],
    'an index sort key of the wrong type is refused': [
      { h: { BOOL: true } },
      `${INVALID}Type mismatch for Index Key h Expected: S Actual: BOOL IndexName: global`,
    ],
    'a local index key of the wrong type is refused': [
      { l: { S: 'x' } },
      `${INVALID}Type mismatch for Index Key l Expected: B Actual: S IndexName: local`,
    ],
    'an index key that is null is refused': [
      { g: { NULL: true } },
      `${INVALID}Type mismatch for Index Key g Expected: S Actual: NULL IndexName: global`,
    ],
    'an index key that is a list is refused': [
      { g: { L: [] } },
      `${INVALID}Type mismatch for Index Key g Expected: S Actual: L IndexName: global`,
    ],
    'an empty index key is refused': [
      { g: { S: '' } },
      `${NOT_SUPPORTED} string value. IndexName: global, IndexKey: g`,
    ],
    'an empty index sort key is refused': [
      { h: { S: '' } },
      `${NOT_SUPPORTED} string value. IndexName: global, IndexKey: h`,
    ],
    'an empty binary index key is refused': [
      { l: { B: '' } },
      `${NOT_SUPPORTED} binary value. IndexName: local, IndexKey: l`,
    ],
    'an index partition key of 2049 bytes is refused': [
      { g: { S: 'x'.repeat(2049) } },
      `${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
    ],
    'an index sort key of 1025 bytes is refused': [
      { h: { S: 'x'.repeat(1025) } },
      `${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
    ],
    'a local index key of 1025 bytes is refused': [
      { l: { B: large(1025) } },
      `${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
    ],
  }
  for (const [name, [attributes, message]] of Object.entries(refused)) {
    test(name, async (t) => {
      const TableName = await t.table(indexed)
      await t.fails(
        'PutItem',
        { TableName, Item: { ...KEY, ...attributes } },
        'ValidationException',
        message,
      )
      expect(await itemOf(t, TableName)).toBeUndefined()
    })
  }

  test('index keys of 2048 and 1024 bytes are stored', async (t) => {
    const TableName = await t.table(indexed)
    const attributes = { g: { S: 'x'.repeat(2048) }, h: { S: 'y'.repeat(1024) } }
    await t.send('PutItem', { TableName, Item: { ...KEY, ...attributes, l: { B: large(1024) } } })
    await t.eventually(async () => expect(await countOf(t, TableName, 'global')).toBe(1))
  })

  test('a wrong index key is reported before a condition that fails', async (t) => {
    const TableName = await t.table(indexed)
    await t.fails(
      'PutItem',
      { TableName, Item: { ...KEY, g: { N: '1' } }, ConditionExpression: 'attribute_exists(pk)' },
      'ValidationException',
      `${INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: global`,
    )
  })
})

conformance('Index keys of updated items', (test) => {
  const refused: Record<string, [value: object, message: string, name?: string]> = {
    'an update to the wrong type is refused': [
      { N: '1' },
      `${INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: global`,
    ],
    'an update to null is refused': [
      { NULL: true },
      `${INVALID}Type mismatch for Index Key g Expected: S Actual: NULL IndexName: global`,
    ],
    'an update of a local key to a map is refused': [
      { M: {} },
      `${INVALID}Type mismatch for Index Key l Expected: B Actual: M IndexName: local`,
      'l',
    ],
    'an update to an empty string is refused': [{ S: '' }, `${UPDATE_NOT_SUPPORTED} string value.`],
    'an update to an empty binary is refused': [
      { B: '' },
      `${UPDATE_NOT_SUPPORTED} binary value.`,
      'l',
    ],
    'an update to 2049 bytes is refused': [{ S: 'x'.repeat(2049) }, UPDATE_SIZE],
    'an update of a sort key to 1025 bytes is refused': [{ S: 'x'.repeat(1025) }, UPDATE_SIZE, 'h'],
    'an update of a local key to 1025 bytes is refused': [{ B: large(1025) }, UPDATE_SIZE, 'l'],
  }
  for (const [name, [value, message, attribute = 'g']] of Object.entries(refused)) {
    test(name, async (t) => {
      const TableName = await t.table(indexed)
      await t.fails(
        'UpdateItem',
        {
          TableName,
          Key: KEY,
          UpdateExpression: `SET ${attribute} = :v`,
          ExpressionAttributeValues: { ':v': value },
        },
        'ValidationException',
        message,
      )
      expect(await itemOf(t, TableName)).toBeUndefined()
    })
  }

  test('an update that sets the last missing key brings the item into the index', async (t) => {
    const TableName = await t.table(indexed)
    await t.send('PutItem', { TableName, Item: { ...KEY, g: { S: 'x' } } })
    await t.send('UpdateItem', {
      TableName,
      Key: KEY,
      UpdateExpression: 'SET h = :v',
      ExpressionAttributeValues: { ':v': { S: 'y' } },
    })
    await t.eventually(async () => expect(await countOf(t, TableName, 'global')).toBe(1))
  })

  test('an update that removes a key takes the item out of the index', async (t) => {
    const TableName = await t.table(indexed)
    await t.send('PutItem', { TableName, Item: { ...KEY, g: { S: 'x' }, h: { S: 'y' } } })
    await t.send('UpdateItem', { TableName, Key: KEY, UpdateExpression: 'REMOVE g' })
    await t.eventually(async () => expect(await countOf(t, TableName, 'global')).toBe(0))
    expect(await itemOf(t, TableName)).toEqual({ ...KEY, h: { S: 'y' } })
  })

  for (const path of ['g.a', 'g[0]']) {
    test(`an update may not reach into an index key by ${path}`, async (t) => {
      const TableName = await t.table(indexed)
      await t.fails(
        'UpdateItem',
        {
          TableName,
          Key: KEY,
          UpdateExpression: `SET ${path} = :v`,
          ExpressionAttributeValues: { ':v': { S: 'x' } },
        },
        'ValidationException',
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: g",
      )
    })
  }

  test('ADD of a number to a key that is a string is refused', async (t) => {
    const TableName = await t.table(indexed)
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'ADD g :v',
        ExpressionAttributeValues: { ':v': { N: '1' } },
      },
      'ValidationException',
      `${INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: global`,
    )
  })

  test('a sum for a key that is a string is refused before a condition that fails', async (t) => {
    const TableName = await t.table(indexed)
    await t.fails(
      'UpdateItem',
      {
        TableName,
        Key: KEY,
        UpdateExpression: 'SET g = n + :v',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':v': { N: '1' } },
      },
      'ValidationException',
      `${INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: global`,
    )
  })

  test('an update to the wrong type that the item has elsewhere is refused', async (t) => {
    const TableName = await t.table(indexed)
    const Item = { ...KEY, n: { N: '1' } }
    await t.send('PutItem', { TableName, Item })
    await t.fails(
      'UpdateItem',
      { TableName, Key: KEY, UpdateExpression: 'SET g = n' },
      'ValidationException',
      UPDATE_TYPE,
    )
    expect(await itemOf(t, TableName)).toEqual(Item)
  })
})

conformance('Item size with local indexes', (test) => {
  /** A table with two local indexes: one on l that holds everything, one on k that holds keys. */
  const local = (name: string, attribute: string, ProjectionType: string): object => ({
    IndexName: name,
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: attribute, KeyType: 'RANGE' },
    ],
    Projection: { ProjectionType },
  })
  const withLocal = {
    AttributeDefinitions: ['pk', 'sk', 'k', 'l'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    LocalSecondaryIndexes: [local('all', 'l', 'ALL'), local('keys', 'k', 'KEYS_ONLY')],
  }
  const TOO_LARGE = 'Item size has exceeded the maximum allowed size'
  const LIMIT = 409_600
  const KEY_BYTES = 6
  const L = { l: { S: 'x' } }
  const K = { k: { S: 'x' } }
  /** An item of this many bytes. */
  const sized = (bytes: number, attributes: object = {}): object => ({
    pk: { S: 'a' },
    sk: { S: 'b' },
    ...attributes,
    x: { S: 'x'.repeat(bytes - KEY_BYTES - 1 - 2 * Object.keys(attributes).length) },
  })

  for (const bytes of [LIMIT / 2 - 1, LIMIT / 2]) {
    test(`an item of ${bytes} bytes that is in an index as a whole is stored`, async (t) => {
      const TableName = await t.table(withLocal)
      await t.send('PutItem', { TableName, Item: sized(bytes, L) })
    })
  }
  test('an item that is too large with its entry in an index is refused', async (t) => {
    const TableName = await t.table(withLocal)
    const Item = sized(LIMIT / 2 + 1, L)
    await t.fails('PutItem', { TableName, Item }, 'ValidationException', TOO_LARGE)
    await t.fails(
      'BatchWriteItem',
      { RequestItems: { [TableName]: [{ PutRequest: { Item } }] } },
      'ValidationException',
      TOO_LARGE,
    )
    await t.fails(
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName, Item } }] },
      'ValidationException',
      TOO_LARGE,
    )
  })
  test('entries in all local indexes count', async (t) => {
    const TableName = await t.table(withLocal)
    await t.fails(
      'PutItem',
      { TableName, Item: sized(LIMIT / 2, { ...L, ...K }) },
      'ValidationException',
      TOO_LARGE,
    )
  })
  test('an item that is in no index may be as large as any', async (t) => {
    const TableName = await t.table(withLocal)
    await t.send('PutItem', { TableName, Item: sized(LIMIT) })
  })
  test('an entry of keys alone counts little', async (t) => {
    const TableName = await t.table(withLocal)
    await t.send('PutItem', { TableName, Item: sized(LIMIT - 8, K) })
    await t.fails('PutItem', { TableName, Item: sized(LIMIT, K) }, 'ValidationException', TOO_LARGE)
  })
  test('an update that makes the item too large with its entry is refused', async (t) => {
    const TableName = await t.table(withLocal)
    await t.send('PutItem', { TableName, Item: sized(LIMIT / 2) })
    const update = {
      TableName,
      Key: { pk: { S: 'a' }, sk: { S: 'b' } },
      UpdateExpression: 'SET l = :l',
      ExpressionAttributeValues: { ':l': { S: 'x' } },
    }
    await t.fails(
      'UpdateItem',
      update,
      'ValidationException',
      'Item size to update has exceeded the maximum allowed size',
    )
  })
})
