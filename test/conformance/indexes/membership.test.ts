import { expect } from 'vitest'
import { type Conformance, conformance } from '../conformance.ts'
import { refuses } from '../item-cases.ts'
import { definitions, INDEXED, putAll, schema, sortKeys } from '../read-tables.ts'

const KEY = { pk: { S: 'a' }, sk: { S: '1' } }
const GLOBAL = { g: { S: 'G' }, h: { S: 'H' } }

/** The entries of an index, by a Scan. */
async function entries(t: Conformance, TableName: string, IndexName: string): Promise<object[]> {
  const { Items } = await t.send('Scan', { TableName, IndexName })
  return Items
}

async function update(
  t: Conformance,
  TableName: string,
  UpdateExpression: string,
  ExpressionAttributeValues?: object,
): Promise<void> {
  await t.send('UpdateItem', {
    TableName,
    Key: KEY,
    UpdateExpression,
    ...(ExpressionAttributeValues === undefined ? {} : { ExpressionAttributeValues }),
  })
}

conformance('Index membership', (test) => {
  for (const [what, attributes, isIn] of [
    ['both key attributes', GLOBAL, true],
    ['only the partition key', { g: { S: 'G' } }, false],
    ['only the sort key', { h: { S: 'H' } }, false],
    ['none of the key attributes', { x: { S: 'x' } }, false],
  ] as const) {
    test(`an item with ${what} is ${isIn ? '' : 'not '}in the global index`, async (t) => {
      const TableName = await t.table(INDEXED)
      await t.send('PutItem', { TableName, Item: { ...KEY, ...attributes } })
      expect(await entries(t, TableName, 'global-keys')).toEqual(
        isIn ? [{ ...KEY, ...GLOBAL }] : [],
      )
    })
  }

  test('an item without the sort key of a local index is not in it', async (t) => {
    const TableName = await t.table(INDEXED)
    await t.send('PutItem', { TableName, Item: KEY })
    expect(await entries(t, TableName, 'local-all')).toEqual([])
    const { Items } = await t.send('Scan', { TableName })
    expect(Items).toEqual([KEY])
  })

  test('an update that adds the missing attribute puts the item into the index', async (t) => {
    const TableName = await t.table(INDEXED)
    await t.send('PutItem', { TableName, Item: { ...KEY, g: { S: 'G' } } })
    await update(t, TableName, 'SET h = :h', { ':h': { S: 'H' } })
    expect(await entries(t, TableName, 'global-keys')).toEqual([{ ...KEY, ...GLOBAL }])
  })

  test('an update that removes a key attribute takes the item out of the index', async (t) => {
    const TableName = await t.table(INDEXED)
    await t.send('PutItem', { TableName, Item: { ...KEY, ...GLOBAL, l: { N: '1' } } })
    await update(t, TableName, 'REMOVE h, l')
    for (const IndexName of ['global-keys', 'global-all', 'local-keys', 'local-all']) {
      expect(await entries(t, TableName, IndexName)).toEqual([])
    }
  })

  test('an update of a key attribute moves the entry', async (t) => {
    const TableName = await t.table(INDEXED)
    await t.send('PutItem', { TableName, Item: { ...KEY, ...GLOBAL } })
    await update(t, TableName, 'SET g = :g', { ':g': { S: 'other' } })
    expect(await entries(t, TableName, 'global-keys')).toEqual([
      { ...KEY, ...GLOBAL, g: { S: 'other' } },
    ])
    const { Count } = await t.send('Query', {
      TableName,
      IndexName: 'global-keys',
      KeyConditionExpression: 'g = :g',
      ExpressionAttributeValues: { ':g': { S: 'G' } },
    })
    expect(Count).toBe(0)
  })

  test('an update of a projected attribute changes the entry, another one does not show', async (t) => {
    const TableName = await t.table(INDEXED)
    await t.send('PutItem', { TableName, Item: { ...KEY, ...GLOBAL, l: { N: '1' } } })
    await update(t, TableName, 'SET shown = :v, covert = :v', { ':v': { S: 'new' } })
    const shown = { shown: { S: 'new' } }
    const covert = { covert: { S: 'new' } }
    expect(await entries(t, TableName, 'global-keys')).toEqual([{ ...KEY, ...GLOBAL }])
    expect(await entries(t, TableName, 'global-some')).toEqual([{ ...KEY, ...GLOBAL, ...shown }])
    expect(await entries(t, TableName, 'global-all')).toEqual([
      { ...KEY, ...GLOBAL, l: { N: '1' }, ...shown, ...covert },
    ])
    expect(await entries(t, TableName, 'local-some')).toEqual([{ ...KEY, l: { N: '1' }, ...shown }])
  })

  test('a put that leaves a key attribute out takes the item out of the index', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, [{ ...KEY, ...GLOBAL }])
    await putAll(t, TableName, [KEY])
    expect(await entries(t, TableName, 'global-keys')).toEqual([])
  })

  test('deleting an item takes it out of every index', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, [{ ...KEY, ...GLOBAL, l: { N: '1' } }])
    await t.send('DeleteItem', { TableName, Key: KEY })
    for (const IndexName of ['global-keys', 'global-some', 'global-all', 'local-keys']) {
      expect(await entries(t, TableName, IndexName)).toEqual([])
    }
  })

  test('a cancelled transaction leaves the indexes as they were', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, [{ ...KEY, ...GLOBAL }])
    await t.fails(
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName, Item: { ...KEY, g: { S: 'moved' }, h: { S: 'H' } } } },
          {
            ConditionCheck: {
              TableName,
              Key: { ...KEY, sk: { S: '2' } },
              ConditionExpression: 'attribute_exists(pk)',
            },
          },
        ],
      },
      'TransactionCanceledException',
    )
    expect(await entries(t, TableName, 'global-keys')).toEqual([{ ...KEY, ...GLOBAL }])
  })

  test('items of many partition keys meet in one item collection of a global index, in its order', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(
      t,
      TableName,
      ['d', 'b', 'a', 'c'].map((h, position) => ({
        pk: { S: `p${position}` },
        sk: { S: h },
        g: { S: 'G' },
        h: { S: h },
      })),
    )
    const { Items } = await t.send('Query', {
      TableName,
      IndexName: 'global-keys',
      KeyConditionExpression: 'g = :g AND h > :a',
      ExpressionAttributeValues: { ':g': { S: 'G' }, ':a': { S: 'a' } },
    })
    expect(sortKeys(Items)).toEqual(['b', 'c', 'd'])
  })

  test('a local index orders its items by its own sort key', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(
      t,
      TableName,
      ['10', '9', '-1', '2.5'].map((l, position) => ({
        pk: { S: 'a' },
        sk: { S: String(position) },
        l: { N: l },
      })),
    )
    const { Items } = await t.send('Query', {
      TableName,
      IndexName: 'local-keys',
      KeyConditionExpression: 'pk = :p AND l > :l',
      ExpressionAttributeValues: { ':p': { S: 'a' }, ':l': { N: '0' } },
    })
    expect(Items.map(({ l }: { l: { N: string } }) => l.N)).toEqual(['2.5', '9', '10'])
  })

  test('a global index without a sort key holds many items of one partition key', async (t) => {
    const TableName = await t.table({
      AttributeDefinitions: definitions({ pk: 'S', sk: 'S', g: 'S' }),
      GlobalSecondaryIndexes: [
        { IndexName: 'by-g', KeySchema: schema(['g']), Projection: { ProjectionType: 'ALL' } },
      ],
    })
    await putAll(
      t,
      TableName,
      ['1', '2', '3'].map((sk) => ({ ...KEY, sk: { S: sk }, g: { S: 'G' } })),
    )
    const { Items } = await t.send('Query', {
      TableName,
      IndexName: 'by-g',
      KeyConditionExpression: 'g = :g',
      ExpressionAttributeValues: { ':g': { S: 'G' } },
    })
    expect(sortKeys(Items).sort()).toEqual(['1', '2', '3'])
  })

  refuses(
    test,
    'PutItem',
    [
      {
        name: 'a key of a local index of the wrong type is refused',
        request: { Item: { ...KEY, l: { S: 'x' } } },
        message:
          'One or more parameter values were invalid: Type mismatch for Index Key l Expected: N Actual: S IndexName: local-keys',
      },
      {
        name: 'NULL for an index key is refused',
        request: { Item: { ...KEY, g: { NULL: true } } },
        message:
          'One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: NULL IndexName: global-keys',
      },
      {
        name: 'an index partition key of 2049 bytes is refused',
        request: { Item: { ...KEY, g: { S: 'x'.repeat(2049) }, h: { S: 'H' } } },
        message:
          'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes',
      },
      {
        name: 'an index sort key of 1025 bytes is refused',
        request: { Item: { ...KEY, g: { S: 'G' }, h: { S: 'x'.repeat(1025) } } },
        message:
          'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
      },
    ],
    INDEXED,
  )

  test('index keys of exactly the largest sizes are written', async (t) => {
    const TableName = await t.table(INDEXED)
    const Item = { ...KEY, g: { S: 'x'.repeat(2048) }, h: { S: 'x'.repeat(1024) } }
    await t.send('PutItem', { TableName, Item })
    expect(await entries(t, TableName, 'global-keys')).toEqual([Item])
  })

  test('an update that leaves an index key alone is not refused for the other attributes', async (t) => {
    const TableName = await t.table(INDEXED)
    await putAll(t, TableName, [{ ...KEY, ...GLOBAL }])
    await update(t, TableName, 'SET x = :x', { ':x': { S: 'x' } })
    expect(await entries(t, TableName, 'global-keys')).toEqual([{ ...KEY, ...GLOBAL }])
  })
})
