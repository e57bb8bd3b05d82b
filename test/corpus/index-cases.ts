import { expect } from 'vitest'
import {
  type CorpusCase,
  globalIndex,
  invalid,
  KEY,
  keySchema,
  type Refusal,
  refused,
  row,
  tableDefinition,
  wrongValues,
} from './corpus-case.ts'

const TYPES = { pk: 'S', sk: 'S' }
const PRIMARY = keySchema(['pk'], ['sk'])
const create = (
  id: string,
  name: string,
  types: Readonly<Record<string, string>>,
  members: object,
  refusal: Refusal,
  primary: unknown = PRIMARY,
): CorpusCase =>
  refused(id, name, 'CreateTable', tableDefinition('new', types, primary, members), refusal)
const putIndexKeys = (id: string, name: string, keys: object, refusal: Refusal): CorpusCase =>
  refused(id, name, 'PutItem', { TableName: 'table', Item: { ...KEY, ...keys } }, refusal)
const wideQuery = (id: string, name: string, expression: string, refusal: Refusal): CorpusCase => {
  const values: Record<string, object> = { ':s': { S: 'x' }, ':n': { N: '1' } }
  const used = Object.entries(values).filter(([placeholder]) => expression.includes(placeholder))
  return refused(
    id,
    name,
    'Query',
    {
      TableName: 'wide',
      IndexName: 'wide-index',
      KeyConditionExpression: expression,
      ExpressionAttributeValues: Object.fromEntries(used),
    },
    refusal,
  )
}
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const change = (...updates: object[]) => ({
  TableName: 'hash',
  AttributeDefinitions: [
    { AttributeName: 'x', AttributeType: 'S' },
    { AttributeName: 'y', AttributeType: 'S' },
  ],
  GlobalSecondaryIndexUpdates: updates,
})

/** Indexes: what may be in them, and how they may be defined. */
export const indexCases: readonly CorpusCase[] = [
  putIndexKeys(
    'G1',
    'an index key has its type',
    { g: { N: '1' } },
    wrongValues('Type mismatch for Index Key g Expected: S Actual: N IndexName: global'),
  ),
  putIndexKeys(
    'G2',
    'an index key is not null',
    { g: { NULL: true } },
    wrongValues('Type mismatch for Index Key g Expected: S Actual: NULL IndexName: global'),
  ),
  putIndexKeys(
    'G3',
    'an index key has its size',
    { g: { S: 'x'.repeat(2049) }, h: { N: '1' } },
    wrongValues('Size of hashkey has exceeded the maximum size limit of2048 bytes'),
  ),
  row('G4', 'an item without index key is not in the index', async ({ send }) => {
    await send('PutItem', { TableName: 'table', Item: { ...KEY, g: { S: 'x' } } })
    expect((await send('Scan', { TableName: 'table', IndexName: 'global' })).Count).toBe(0)
    expect((await send('Scan', { TableName: 'table', IndexName: 'keys-only' })).Count).toBe(1)
  }),
  row('G5', 'an item that loses its index key leaves the index', async ({ send }) => {
    await send('PutItem', { TableName: 'table', Item: { ...KEY, g: { S: 'x' } } })
    await send('UpdateItem', { TableName: 'table', Key: KEY, UpdateExpression: 'REMOVE g' })
    expect((await send('Scan', { TableName: 'table', IndexName: 'keys-only' })).Count).toBe(0)
  }),
  create(
    'G6',
    'a table has 20 global indexes and no more',
    TYPES,
    {
      GlobalSecondaryIndexes: range(21).map((index) =>
        globalIndex(`index-${index}`, keySchema(['sk'])),
      ),
    },
    wrongValues('GlobalSecondaryIndex count exceeds the per-table limit of 20'),
  ),
  create(
    'G7',
    'a table has 5 local indexes and no more',
    TYPES,
    { LocalSecondaryIndexes: range(6).map((index) => globalIndex(`index-${index}`, PRIMARY)) },
    wrongValues('Number of LocalSecondaryIndexes exceeds per-table limit of 5'),
  ),
  create(
    'G8',
    'a table without sort key has no local index',
    TYPES,
    { LocalSecondaryIndexes: [globalIndex('index', PRIMARY)] },
    wrongValues(
      'Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
    ),
    keySchema(['pk']),
  ),
  create(
    'G9',
    "a local index has the table's partition key",
    TYPES,
    { LocalSecondaryIndexes: [globalIndex('index', keySchema(['sk'], ['pk']))] },
    wrongValues(
      'Index KeySchema does not have the same leading hash key as table KeySchema for index: index. index hash key: sk, table hash key: pk',
    ),
  ),
  create(
    'G10',
    'two indexes have two names',
    TYPES,
    {
      GlobalSecondaryIndexes: [
        globalIndex('index', keySchema(['sk'])),
        globalIndex('index', keySchema(['pk'])),
      ],
    },
    wrongValues('Duplicate index name: index'),
  ),
  create(
    'G10',
    'a local and a global index have two names',
    TYPES,
    {
      LocalSecondaryIndexes: [globalIndex('index', PRIMARY)],
      GlobalSecondaryIndexes: [globalIndex('index', keySchema(['sk']))],
    },
    wrongValues('Duplicate index name: index'),
  ),
  refused(
    'G11',
    'indexes are created one at a time',
    'UpdateTable',
    change(
      { Create: globalIndex('by-x', keySchema(['x'])) },
      { Create: globalIndex('by-y', keySchema(['y'])) },
    ),
    [
      'LimitExceededException',
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    ],
  ),
  refused(
    'G12',
    'an index nobody made is not deleted',
    'UpdateTable',
    { TableName: 'hash', GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'nowhere' } }] },
    ['ResourceNotFoundException', 'Requested resource not found'],
  ),
  row('G13', 'a new index passes over items that do not fit', async ({ send }) => {
    const values = [{ S: 'x' }, { N: '1' }, { NULL: true }, { S: '' }, { S: 'x'.repeat(2049) }]
    for (const [index, x] of values.entries()) {
      await send('PutItem', { TableName: 'hash', Item: { pk: { S: `${index}` }, x } })
    }
    await send('UpdateTable', change({ Create: globalIndex('by-x', keySchema(['x'])) }))
    const { Items } = await send('Scan', { TableName: 'hash', IndexName: 'by-x' })
    expect(Items).toEqual([{ pk: { S: '0' }, x: { S: 'x' } }])
  }),
  create(
    'G14',
    'an index has four partition key attributes and no more',
    { ...TYPES, a: 'S', b: 'S', c: 'S', d: 'S', e: 'S' },
    { GlobalSecondaryIndexes: [globalIndex('index', keySchema(['a', 'b', 'c', 'd', 'e']))] },
    wrongValues('The KeySchema exceeds the maximum allowed number of HASH key attributes'),
  ),
  create(
    'G15',
    'partition keys come before sort keys',
    { ...TYPES, a: 'S', b: 'S', c: 'S' },
    {
      GlobalSecondaryIndexes: [
        globalIndex('index', [
          { AttributeName: 'a', KeyType: 'HASH' },
          { AttributeName: 'b', KeyType: 'RANGE' },
          { AttributeName: 'c', KeyType: 'HASH' },
        ]),
      ],
    },
    wrongValues('All HASH key attributes must precede RANGE key attributes in the KeySchema'),
  ),
  create(
    'G15',
    'the first key is the partition key',
    TYPES,
    {},
    invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type'),
    [...keySchema([], ['sk']), ...keySchema(['pk'])],
  ),
  wideQuery(
    'G16',
    'every partition key attribute is asked for',
    'a = :s',
    invalid('HASH key attributes b must have equality conditions specified in the query'),
  ),
  wideQuery(
    'G17',
    'sort key attributes are asked for without gaps',
    'a = :s AND b = :s AND d = :n',
    invalid(
      'RANGE key attributes c must have equality conditions specified in the query because a condition is present on key attribute d',
    ),
  ),
  wideQuery(
    'G18',
    'only the last sort key attribute has a range',
    'a = :s AND b = :s AND c > :s AND d = :n',
    invalid(
      'RANGE key attributes c must have equality conditions specified in the query because a condition is present on key attribute d',
    ),
  ),
  create(
    'G19',
    'a key does not name an attribute twice',
    { ...TYPES, a: 'S', b: 'S' },
    { GlobalSecondaryIndexes: [globalIndex('index', keySchema(['a', 'b'], ['a']))] },
    invalid('The KeySchema contains multiple key attributes with the same name'),
  ),
  create(
    'G20',
    'an index that includes attributes names them',
    TYPES,
    {
      GlobalSecondaryIndexes: [
        globalIndex('index', keySchema(['sk']), { ProjectionType: 'INCLUDE' }),
      ],
    },
    wrongValues('ProjectionType is INCLUDE, but NonKeyAttributes is not specified'),
  ),
]
