import { describe, expect, test } from 'vitest'
import type { Item } from '../values/attribute-value.ts'
import { createEngine, type Engine, type EngineOptions } from './engine.ts'
import { simulatedEnvironment } from './simulated-environment.ts'
import { memoryStorage } from './storage/memory-storage.ts'
import type { Storage } from './storage/storage.ts'
import { TOKEN_LIFETIME_MS } from './transactions/idempotency.ts'

const KEY = { pk: { S: 'a' }, sk: { S: '1' } }

async function engineWithTable(options: EngineOptions = {}): Promise<Engine> {
  const engine = createEngine(options)
  await engine.send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: ['pk', 'sk', 'l'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: 'by-l',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'l', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  return engine
}

function counting(token: string | undefined, by = '1') {
  return {
    ...(token === undefined ? {} : { ClientRequestToken: token }),
    TransactItems: [
      {
        Update: {
          TableName: 'table',
          Key: KEY,
          UpdateExpression: 'ADD n :by',
          ExpressionAttributeValues: { ':by': { N: by } },
        },
      },
    ],
  }
}

async function count(engine: Engine): Promise<string | undefined> {
  const { Item } = await engine.send('GetItem', { TableName: 'table', Key: KEY })
  return Item?.n?.N
}

test('a filter with 10,000 values is answered, one with more is refused', async () => {
  const engine = await engineWithTable()
  const Item = { ...KEY, n: { N: '9999' } }
  await engine.send('PutItem', { TableName: 'table', Item })
  const AttributeValueList = Array.from({ length: 10_000 }, (_, n) => ({ N: String(n) }))
  const ScanFilter = { n: { ComparisonOperator: 'IN', AttributeValueList } } as const
  expect((await engine.send('Scan', { TableName: 'table', ScanFilter })).Items).toEqual([Item])
  const Expected = ScanFilter
  await engine.send('PutItem', { TableName: 'table', Item: KEY, Expected })
  await expect(
    engine.send('PutItem', { TableName: 'table', Item: KEY, Expected }),
  ).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
  const more = { ...ScanFilter.n, AttributeValueList: [...AttributeValueList, { N: '-1' }] }
  await expect(
    engine.send('Scan', { TableName: 'table', ScanFilter: { n: more } }),
  ).rejects.toMatchObject({ name: 'ValidationException', message: /for the IN Comparison/ })
  await engine.close()
})

describe('idempotency tokens', () => {
  test('two calls with one token at the same time are carried out once', async () => {
    const environment = simulatedEnvironment()
    const engine = await engineWithTable({ environment })
    engine.faults.add({ kind: 'latency', ms: 100, operation: 'TransactWriteItems' })
    const calls = Promise.allSettled([
      engine.send('TransactWriteItems', counting('one')),
      engine.send('TransactWriteItems', counting('one')),
    ])
    await environment.advance(100)
    const results = await calls
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(await count(engine)).toBe('1')
  })

  test('while a token’s first call is being stored, another one gets the error that it is in progress', async () => {
    const held = heldStorage()
    const engine = await engineWithTable({ storage: held.storage })
    held.hold()
    const first = engine.send('TransactWriteItems', counting('one'))
    const second = engine.send('TransactWriteItems', counting('one'))
    await expect(second).rejects.toMatchObject({
      name: 'TransactionInProgressException',
      message: 'Another transaction with the same ClientRequestToken is in progress',
    })
    const other = engine.send('TransactWriteItems', counting('two'))
    held.release()
    await first
    await other
    expect(await count(engine)).toBe('2')
    await expect(engine.send('TransactWriteItems', counting('one'))).resolves.toEqual({})
    expect(await count(engine)).toBe('2')
  })

  test('what is kept of a request does not grow with it, and another request is still refused', async () => {
    const storage = memoryStorage()
    const engine = await engineWithTable({ storage })
    const request = (text: string) => ({
      TransactItems: [{ Put: { TableName: 'table', Item: { ...KEY, text: { S: text } } } }],
      ClientRequestToken: 'large',
    })
    const text = 'x'.repeat(300_000)
    await engine.send('TransactWriteItems', request(text))
    await engine.send('TransactWriteItems', request(text))
    let keptCharacters = 0
    storage.visit({ start: '\x07', end: '\x08' }, (_key, value) => {
      keptCharacters += JSON.stringify(value).length
      return true
    })
    expect(keptCharacters).toBeGreaterThan(64)
    expect(keptCharacters).toBeLessThan(300)
    await expect(engine.send('TransactWriteItems', request(`${text.slice(1)}y`))).rejects.toThrow(
      'The request uses the same client token',
    )
    await engine.close()
  })

  test('a token whose first call failed may be used again', async () => {
    const engine = await engineWithTable()
    const failing = {
      ClientRequestToken: 'one',
      TransactItems: [
        { Delete: { TableName: 'table', Key: KEY, ConditionExpression: 'attribute_exists(pk)' } },
      ],
    }
    await expect(engine.send('TransactWriteItems', failing)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
    })
    await engine.send('TransactWriteItems', counting('one'))
    expect(await count(engine)).toBe('1')
  })

  test.each([
    [TOKEN_LIFETIME_MS - 1, '1'],
    [TOKEN_LIFETIME_MS, '2'],
    [TOKEN_LIFETIME_MS + 1, '2'],
  ])('after %d milliseconds the repeated call makes the count %s', async (ms, expected) => {
    const environment = simulatedEnvironment()
    const engine = await engineWithTable({ environment })
    await engine.send('TransactWriteItems', counting('one'))
    await environment.advance(ms)
    await engine.send('TransactWriteItems', counting('one'))
    expect(await count(engine)).toBe(expected)
  })

  test('a token is kept for ten minutes', () => {
    expect(TOKEN_LIFETIME_MS).toBe(10 * 60 * 1000)
  })

  test('an expired token may come with another request', async () => {
    const environment = simulatedEnvironment()
    const engine = await engineWithTable({ environment })
    await engine.send('TransactWriteItems', counting('one'))
    await expect(engine.send('TransactWriteItems', counting('one', '5'))).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
      message:
        'The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical',
    })
    await environment.advance(TOKEN_LIFETIME_MS)
    await engine.send('TransactWriteItems', counting('one', '5'))
    expect(await count(engine)).toBe('6')
  })

  test.each([
    ['growing', (position: number) => String(position).padStart(6, '0')],
    ['falling', (position: number) => String(999_999 - position)],
    ['scattered', (position: number) => String((position * 7_919) % 10_007).padStart(6, '0')],
  ])('expired tokens do not pile up when new ones are %s', async (_order, tokenOf) => {
    const environment = simulatedEnvironment()
    const storage = memoryStorage()
    const engine = await engineWithTable({ environment, storage })
    const stepMs = TOKEN_LIFETIME_MS / 50
    for (let position = 0; position < 1000; position++) {
      await engine.send('TransactWriteItems', counting(tokenOf(position)))
      environment.jump(environment.now() + stepMs)
    }
    let kept = 0
    storage.visit({ start: '\x07', end: '\x08' }, () => {
      kept++
      return true
    })
    expect(kept).toBeLessThan(200)
    expect(await count(engine)).toBe('1000')
  })

  test('tokens of any characters are distinguished', async () => {
    const engine = await engineWithTable()
    for (const token of ['é', 'Ã©', '\u{1F600}', '\u{1F601}', '\0']) {
      await engine.send('TransactWriteItems', counting(token))
      await engine.send('TransactWriteItems', counting(token))
    }
    expect(await count(engine)).toBe('5')
  })
})

describe('item collections', () => {
  // pk, sk and l of one letter, and an entry of the same attributes in the local index.
  const fill = (bytes: number) => ({
    ...KEY,
    l: { S: 'l' },
    f: { S: 'x'.repeat(bytes - 'pkask1ll'.length * 2 - 1) },
  })
  const LIMIT = 10_000

  test.each([
    [LIMIT - 1, true],
    [LIMIT, true],
    [LIMIT + 1, false],
  ])(
    'a collection of %d bytes, index entries included, is accepted: %s',
    async (bytes, accepted) => {
      const engine = await engineWithTable({ itemCollectionMaxBytes: LIMIT })
      const call = engine.send('PutItem', { TableName: 'table', Item: fill(bytes) })
      if (accepted) await call
      else {
        await expect(call).rejects.toMatchObject({
          name: 'ItemCollectionSizeLimitExceededException',
          message: 'Collection size exceeded.',
        })
        expect(await engine.send('Scan', { TableName: 'table' })).toMatchObject({ Count: 0 })
      }
    },
  )

  test('another partition key has a collection of its own, and a delete makes room', async () => {
    const engine = await engineWithTable({ itemCollectionMaxBytes: LIMIT })
    await engine.send('PutItem', { TableName: 'table', Item: fill(LIMIT) })
    await engine.send('PutItem', { TableName: 'table', Item: { ...fill(LIMIT), pk: { S: 'b' } } })
    const more = { ...KEY, sk: { S: '2' } }
    await expect(engine.send('PutItem', { TableName: 'table', Item: more })).rejects.toThrow(
      'Collection size exceeded.',
    )
    await engine.send('DeleteItem', { TableName: 'table', Key: KEY })
    await engine.send('PutItem', { TableName: 'table', Item: more })
  })

  test('in a transaction it is the reason of its action, and nothing is written', async () => {
    const engine = await engineWithTable({ itemCollectionMaxBytes: LIMIT })
    const call = engine.send('TransactWriteItems', {
      TransactItems: [
        { Put: { TableName: 'table', Item: { ...KEY, sk: { S: '0' } } } },
        { Put: { TableName: 'table', Item: fill(LIMIT) } },
      ],
    })
    await expect(call).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ItemCollectionSizeLimitExceeded', Message: 'Collection size exceeded.' },
      ],
    })
    expect(await engine.send('Scan', { TableName: 'table' })).toMatchObject({ Count: 0 })
  })
})

describe('snapshots', () => {
  test('restore puts tables and items back, any number of times', async () => {
    const engine = await engineWithTable()
    await engine.send('TransactWriteItems', counting(undefined))
    const snapshot = await engine.snapshot()
    for (let round = 0; round < 3; round++) {
      await engine.send('TransactWriteItems', counting(undefined, '10'))
      await engine.send('CreateTable', {
        TableName: 'later',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      })
      await engine.restore(snapshot)
      expect(await count(engine)).toBe('1')
      expect((await engine.send('ListTables', {})).TableNames).toEqual(['table'])
    }
  })

  test('a table deleted since the snapshot comes back with its items', async () => {
    const engine = await engineWithTable()
    await engine.send('TransactWriteItems', counting(undefined))
    const snapshot = await engine.snapshot()
    await engine.send('DeleteTable', { TableName: 'table' })
    await engine.restore(snapshot)
    expect(await count(engine)).toBe('1')
  })

  test('tokens used since the snapshot are forgotten, older ones are not', async () => {
    const engine = await engineWithTable()
    await engine.send('TransactWriteItems', counting('before'))
    const snapshot = await engine.snapshot()
    await engine.send('TransactWriteItems', counting('since'))
    await engine.restore(snapshot)
    await engine.send('TransactWriteItems', counting('before'))
    expect(await count(engine)).toBe('1')
    await engine.send('TransactWriteItems', counting('since'))
    expect(await count(engine)).toBe('2')
  })

  test('a snapshot of another engine is refused', async () => {
    const engine = await engineWithTable()
    const other = await engineWithTable()
    await expect(engine.restore(await other.snapshot())).rejects.toThrow()
    expect((await engine.send('ListTables', {})).TableNames).toEqual(['table'])
  })
})

describe('close', () => {
  const CLOSED = { code: 'ENGINE_CLOSED' }

  test('every later call is refused and names itself', async () => {
    const engine = await engineWithTable()
    const snapshot = await engine.snapshot()
    await engine.close()
    await expect(engine.send('ListTables', {})).rejects.toMatchObject({
      ...CLOSED,
      message: expect.stringContaining("engine.send('ListTables')"),
    })
    await expect(engine.snapshot()).rejects.toMatchObject(CLOSED)
    await expect(engine.restore(snapshot)).rejects.toMatchObject(CLOSED)
    await expect(engine.sweepExpired()).rejects.toMatchObject(CLOSED)
    await expect(engine.rotateShards('any')).rejects.toMatchObject(CLOSED)
  })

  test('closing again does nothing', async () => {
    const engine = await engineWithTable()
    await engine.close()
    await expect(engine.close()).resolves.toBeUndefined()
  })

  test('two calls of close at the same time both end', async () => {
    const engine = await engineWithTable()
    await expect(Promise.all([engine.close(), engine.close()])).resolves.toBeDefined()
  })

  test('a call that still waits when the engine is closed is refused', async () => {
    const environment = simulatedEnvironment()
    const engine = await engineWithTable({ environment })
    engine.faults.add({ kind: 'latency', ms: 100 })
    const call = engine.send('TransactWriteItems', counting(undefined))
    const refused = expect(call).rejects.toMatchObject(CLOSED)
    await engine.close()
    await environment.advance(100)
    await refused
  })

  test('after close nothing runs on the clock any more', async () => {
    const environment = simulatedEnvironment()
    const engine = await engineWithTable({ environment })
    engine.faults.add({ kind: 'indexLag', ms: 1000 })
    await engine.send('TransactWriteItems', counting(undefined))
    await engine.close()
    await expect(environment.advance(60_000)).resolves.toBeUndefined()
  })
})

describe('calls', () => {
  test('a signal that is aborted already stops the call', async () => {
    const engine = await engineWithTable()
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(
      engine.send('TransactWriteItems', counting(undefined), { signal }),
    ).rejects.toThrow('too late')
    expect(await count(engine)).toBeUndefined()
  })

  test('an operation that does not exist is refused as AWS does it', async () => {
    const engine = createEngine()
    await expect(engine.send('Meditate' as never, {} as never)).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: '',
    })
  })

  test('rotateShards gives an open shard a child', async () => {
    const engine = await engineWithTable()
    const { TableDescription } = await engine.send('UpdateTable', {
      TableName: 'table',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    const StreamArn = TableDescription.LatestStreamArn ?? ''
    await engine.rotateShards(StreamArn)
    const { StreamDescription } = await engine.send('DescribeStream', { StreamArn })
    const [parent, child] = StreamDescription.Shards
    expect(child?.ParentShardId).toBe(parent?.ShardId)
    expect(StreamDescription.Shards).toHaveLength(2)
  })

  test('an answer belongs to the caller: changing it changes nothing that is stored', async () => {
    const engine = await engineWithTable()
    const TableName = 'table'
    await engine.send('UpdateTable', {
      TableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
    const Item = { ...KEY, m: { M: { x: { N: '1' }, l: { L: [{ SS: ['a'] }] } } } }
    const update = {
      TableName,
      Key: KEY,
      UpdateExpression: 'SET m.y = :y',
      ExpressionAttributeValues: { ':y': { M: { z: { S: 'a' } } } },
    }
    const query = {
      TableName,
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { S: 'a' } },
    }
    const [stream] = (await engine.send('ListStreams', { TableName })).Streams
    const StreamArn = stream?.StreamArn ?? ''
    const { StreamDescription } = await engine.send('DescribeStream', { StreamArn })
    const records = async () => {
      const { ShardIterator } = await engine.send('GetShardIterator', {
        StreamArn,
        ShardId: StreamDescription.Shards[0]?.ShardId ?? '',
        ShardIteratorType: 'TRIM_HORIZON',
      })
      return engine.send('GetRecords', { ShardIterator: ShardIterator ?? '' })
    }
    const reads = async (): Promise<object[]> => [
      await engine.send('GetItem', { TableName, Key: KEY }),
      await engine.send('GetItem', { TableName, Key: KEY, ProjectionExpression: 'm.l' }),
      await engine.send('Query', query),
      await engine.send('Query', { ...query, FilterExpression: 'attribute_exists(m)' }),
      await engine.send('Query', { ...query, Limit: 1 }),
      await engine.send('Scan', { TableName }),
      await engine.send('BatchGetItem', { RequestItems: { [TableName]: { Keys: [KEY] } } }),
      await engine.send('TransactGetItems', { TransactItems: [{ Get: { TableName, Key: KEY } }] }),
      await engine.send('ExecuteStatement', {
        Statement: `SELECT * FROM "${TableName}" WHERE pk = 'a'`,
      }),
      (await records()).Records,
    ]
    await engine.send('PutItem', { TableName, Item })
    const writes: object[] = [
      await engine.send('UpdateItem', { ...update, ReturnValues: 'ALL_NEW' }),
      await engine.send('UpdateItem', { ...update, ReturnValues: 'ALL_OLD' }),
      await engine.send('UpdateItem', { ...update, ReturnValues: 'UPDATED_NEW' }),
      await engine.send('UpdateItem', { ...update, ReturnValues: 'UPDATED_OLD' }),
      await engine.send('PutItem', { TableName, Item, ReturnValues: 'ALL_OLD' }),
      await itemOfRefusedPut(engine, Item),
    ]
    const before = JSON.stringify(await reads())
    for (const answer of [...writes, ...(await reads())]) {
      expect(JSON.stringify(answer)).toContain('"a"')
      overwrite(answer)
      expect(JSON.stringify(answer)).not.toContain('"a"')
    }
    expect(JSON.stringify(await reads())).toBe(before)
  })
  test('neither does changing the other members of an answer or an error', async () => {
    const engine = await engineWithTable()
    const TableName = 'table'
    const Item = { ...KEY, l: { S: 'x' } }
    await engine.send('PutItem', { TableName, Item })
    await engine.send('UpdateTable', {
      TableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    const { BackupDetails } = await engine.send('CreateBackup', { TableName, BackupName: 'saved' })
    const { Streams } = await engine.send('ListStreams', {})
    const answers = async (): Promise<object[]> => [
      await engine.send('DescribeTable', { TableName }),
      await engine.send('DescribeBackup', { BackupArn: BackupDetails.BackupArn }),
      await engine.send('DescribeStream', { StreamArn: Streams[0]?.StreamArn ?? '' }),
      await engine.send('PutItem', {
        TableName,
        Item,
        ReturnItemCollectionMetrics: 'SIZE',
      }),
      await itemOfRefusedPut(engine, Item),
      await engine.send('Scan', { TableName, IndexName: 'by-l' }),
    ]
    const before = structuredClone(await answers())
    for (const answer of await answers()) overwrite(answer)
    expect(await answers()).toEqual(before)
  })
})

/** The item that the error of a put has, which is refused because there is an item already. */
async function itemOfRefusedPut(engine: Engine, item: Item): Promise<object> {
  const put = engine.send('PutItem', {
    TableName: 'table',
    Item: item,
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  return put.then(
    () => expect.unreachable('the put was not refused'),
    (error) => error.Item,
  )
}

/** Puts something else in the place of every text and number. */
function overwrite(value: object): void {
  const members = value as Record<string, unknown>
  for (const [name, member] of Object.entries(members)) {
    if (typeof member === 'object' && member !== null) overwrite(member)
    else Reflect.set(members, name, 'overwritten')
  }
}

/** A storage that can hold transactions back, as one on disk does while it writes. */
function heldStorage(): { storage: Storage; hold(): void; release(): void } {
  const memory = memoryStorage()
  let gate: Promise<void> = Promise.resolve()
  let open: () => void = () => {}
  return {
    storage: {
      get: (key) => memory.get(key),
      visit: (range, visitor) => memory.visit(range, visitor),
      async transaction(callback) {
        await gate
        return memory.transaction(callback)
      },
      snapshot: () => memory.snapshot(),
      restore: (snapshot) => memory.restore(snapshot),
      close: () => memory.close(),
    },
    hold() {
      gate = new Promise((resolve) => {
        open = resolve
      })
    },
    release: () => open(),
  }
}
