import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lmdbStorage } from '@singletable/kit/storage'
import { createEngine, type Engine, memoryStorage, simulatedEnvironment } from 'singletable/engine'
import { afterAll, describe, expect, test } from 'vitest'

/** A server sends what `sendText` gives: it has to be what `send` gives, for everything that can be
 * asked. */
const folder = mkdtempSync(path.join(tmpdir(), 'singletable-answers-'))
const TableName = 'answers'
const key = (n: number) => ({ pk: { S: 'p' }, sk: { S: `s${n}` } })
const ITEMS = [
  { ...key(0), group: { S: 'g' }, plain: { S: 'a' }, n: { N: '-1.5' }, yes: { BOOL: true } },
  { ...key(1), group: { S: 'g' }, quotes: { S: '"\\/\n\u0000\u007f\u2028' }, no: { BOOL: false } },
  { ...key(2), wide: { S: 'ünï€😀' }, nothing: { NULL: true } },
  { ...key(3), 'na"me\n': { S: '' }, b: { B: 'AAEC' }, '7': { N: '7' }, __proto: { S: 'p' } },
  { ...key(4), ss: { SS: ['a"', 'b'] }, ns: { NS: ['1', '2'] }, bs: { BS: ['AA==', 'AQ=='] } },
  {
    ...key(5),
    l: { L: [{ S: 'a' }, { L: [] }, { M: {} }] },
    m: { M: { 'a"': { M: { b: { N: '1' } } } } },
  },
  { ...key(6), group: { S: 'g' }, long: { S: 'long "text" '.repeat(1000) } },
]
const byKeys = {
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': { S: 'p' } },
}
const byGroup = {
  KeyConditionExpression: '#g = :g',
  ExpressionAttributeNames: { '#g': 'group' },
  ExpressionAttributeValues: { ':g': { S: 'g' } },
}
const REQUESTS: readonly [string, object][] = [
  ...ITEMS.map((_, n) => ['GetItem', { TableName, Key: key(n) }] as [string, object]),
  ['GetItem', { TableName, Key: key(99) }],
  ['GetItem', { TableName, Key: key(5), ProjectionExpression: 'l[0], sk' }],
  ['GetItem', { TableName, Key: key(0), ReturnConsumedCapacity: 'TOTAL' }],
  ['Query', { TableName, ...byKeys }],
  ['Query', { TableName, ...byKeys, Limit: 2, ReturnConsumedCapacity: 'INDEXES' }],
  ['Query', { TableName, ...byKeys, Select: 'COUNT' }],
  ['Query', { TableName, ...byKeys, ScanIndexForward: false, ProjectionExpression: 'n, m' }],
  ['Query', { TableName, ...byKeys, FilterExpression: 'attribute_exists(wide)' }],
  ['Query', { TableName, ...byKeys, FilterExpression: 'attribute_exists(nowhere)' }],
  ['Query', { TableName, IndexName: 'global', ...byGroup }],
  ['Query', { TableName, IndexName: 'global', ...byGroup, Limit: 1 }],
  [
    'Query',
    {
      TableName,
      IndexName: 'local',
      KeyConditionExpression: 'pk = :p AND #g = :g',
      ExpressionAttributeNames: { '#g': 'group' },
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':g': { S: 'g' } },
      Select: 'ALL_ATTRIBUTES',
    },
  ],
  ['Scan', { TableName }],
  ['Scan', { TableName, Limit: 3 }],
  ['Scan', { TableName, AttributesToGet: ['sk'] }],
  ['BatchGetItem', { RequestItems: { [TableName]: { Keys: [5, 1, 99, 6].map(key) } } }],
  [
    'BatchGetItem',
    { RequestItems: { [TableName]: { Keys: [key(1)], ProjectionExpression: 'sk' } } },
  ],
  [
    'TransactGetItems',
    { TransactItems: [2, 99].map((n) => ({ Get: { TableName, Key: key(n) } })) },
  ],
  ['ExecuteStatement', { Statement: `SELECT * FROM ${TableName}` }],
  ['ExecuteStatement', { Statement: `SELECT sk, n, m FROM ${TableName} WHERE pk = 'p'` }],
  [
    'BatchExecuteStatement',
    { Statements: [{ Statement: `SELECT * FROM ${TableName} WHERE pk = 'p' AND sk = 's2'` }] },
  ],
  ['UpdateItem', { TableName, Key: key(9), ReturnValues: 'ALL_NEW' }],
  ['PutItem', { TableName, Item: key(9), ReturnValues: 'ALL_OLD' }],
  ['ListTables', {}],
  ['DescribeTable', { TableName }],
]

describe.each([
  ['memory', () => memoryStorage()],
  ['LMDB', () => lmdbStorage(path.join(folder, 'data'))],
])('answers from %s', (_, storage) => {
  let engine: Engine | undefined
  afterAll(async () => {
    await engine?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function filled(): Promise<Engine> {
    if (engine !== undefined) return engine
    const made = createEngine({ storage: storage(), environment: simulatedEnvironment() })
    const attribute = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const })
    const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' as const })
    const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' as const })
    await made.send('CreateTable', {
      TableName,
      AttributeDefinitions: ['pk', 'sk', 'group'].map(attribute),
      KeySchema: [hash('pk'), range('sk')],
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: [
        { IndexName: 'global', KeySchema: [hash('group')], Projection: { ProjectionType: 'ALL' } },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'local',
          KeySchema: [hash('pk'), range('group')],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    })
    for (const Item of ITEMS) await made.send('PutItem', { TableName, Item })
    engine = made
    return made
  }

  test.each(REQUESTS)('%s %j', async (operation, request) => {
    const made = await filled()
    const object = await made.send(operation as 'Query', request as never)
    // The second time items are answered from what the first answer has left.
    for (const time of ['first', 'second']) {
      const text = await made.sendText(operation, request)
      expect(text, time).toBe(JSON.stringify(object))
    }
    expect(await made.send(operation as 'Query', request as never)).toEqual(object)
  })

  test('a refusal is the same', async () => {
    const made = await filled()
    await expect(made.sendText('GetItem', { TableName: 'missing', Key: key(1) })).rejects.toThrow(
      'Requested resource not found',
    )
    await expect(made.sendText('Nothing', {})).rejects.toThrow()
  })
})
