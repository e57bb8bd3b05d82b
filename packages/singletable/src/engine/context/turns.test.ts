import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  LEGACY_ATTRIBUTES_MAX_COUNT,
  LEGACY_CONDITIONS_MAX_COUNT,
  LEGACY_VALUES_MAX_COUNT,
  PLACEHOLDERS_MAX_COUNT,
} from '../limits/count-limits.ts'
import { after, allInTurns, inTurns } from './turns.ts'

const KEY = { pk: { S: 'small' } }
/** Large enough that work on it takes steps. */
const LARGE = { L: Array.from({ length: 20_000 }, () => ({ N: '1' })) }

/** Every step counts as a long one, so that turns do not depend on the speed of the machine. */
beforeEach(() => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 20
    return now
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

function item(n: number) {
  return { pk: { S: `item ${n}` }, a: LARGE }
}

function each<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n))
}

async function engineWithTable(): Promise<Engine> {
  const engine = createEngine()
  await engine.send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await engine.send('PutItem', { TableName: 'table', Item: KEY })
  return engine
}

/** How many small requests, one after another, are answered while the large one is being worked
 * on. */
async function answeredMeanwhile(
  engine: Engine,
  operation: string,
  request: object,
): Promise<number> {
  let isAnswered = false
  const large = engine.sendText(operation, request, { isLarge: true }).finally(() => {
    isAnswered = true
  })
  let count = 0
  while (!isAnswered) {
    // A server's requests come with turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    await engine.sendText('GetItem', { TableName: 'table', Key: KEY })
    if (!isAnswered) count++
  }
  await large
  return count
}

describe('small requests are answered', () => {
  test('while a large batch is written, and read', async () => {
    const engine = await engineWithTable()
    const puts = each(12, (n) => ({ PutRequest: { Item: item(n) } }))
    const write = { RequestItems: { table: puts } }
    expect(await answeredMeanwhile(engine, 'BatchWriteItem', write)).toBeGreaterThan(3)
    const Keys = each(12, (n) => ({ pk: { S: `item ${n}` } }))
    const read = { RequestItems: { table: { Keys } } }
    expect(await answeredMeanwhile(engine, 'BatchGetItem', read)).toBeGreaterThan(2)
    const { Responses } = await engine.send('BatchGetItem', read)
    expect(Responses?.table?.map(({ a }) => a)).toEqual(each(12, () => LARGE))
    await engine.close()
  })

  test('while a large transaction is checked', async () => {
    const engine = await engineWithTable()
    const TransactItems = each(10, (n) => ({ Put: { TableName: 'table', Item: item(n) } }))
    const transaction = { TransactItems, ClientRequestToken: 'token' }
    expect(await answeredMeanwhile(engine, 'TransactWriteItems', transaction)).toBeGreaterThan(3)
    expect(await engine.send('TransactWriteItems', transaction)).toEqual({})
    await engine.close()
  })

  test('while large statements are carried out, in a batch and in a transaction', async () => {
    const engine = await engineWithTable()
    const statements = (name: string) =>
      each(8, (n) => ({
        Statement: `INSERT INTO "table" VALUE {'pk': '${name} ${n}', 'a': ?}`,
        Parameters: [LARGE],
      }))
    const batch = { Statements: statements('batch') }
    expect(await answeredMeanwhile(engine, 'BatchExecuteStatement', batch)).toBeGreaterThan(2)
    const transaction = { TransactStatements: statements('transaction') }
    expect(await answeredMeanwhile(engine, 'ExecuteTransaction', transaction)).toBeGreaterThan(2)
    const Keys = ['batch', 'transaction'].flatMap((name) =>
      each(8, (n) => ({ pk: { S: `${name} ${n}` } })),
    )
    const read = { RequestItems: { table: { Keys, ProjectionExpression: 'pk' } } }
    const { Responses } = await engine.send('BatchGetItem', read)
    expect(Responses?.table).toEqual(Keys)
    await engine.close()
  })

  test('while parts of large items are read in a batch', async () => {
    const engine = await engineWithTable()
    for (const n of each(12, (number) => number)) {
      await engine.send('PutItem', { TableName: 'table', Item: item(n) })
    }
    const Keys = each(12, (n) => ({ pk: { S: `item ${n}` } }))
    const read = { RequestItems: { table: { Keys, ProjectionExpression: 'a[7], pk' } } }
    expect(await answeredMeanwhile(engine, 'BatchGetItem', read)).toBeGreaterThan(2)
    const { Responses } = await engine.send('BatchGetItem', read)
    expect(Responses?.table).toEqual(each(12, (n) => ({ ...item(n), a: { L: [{ N: '1' }] } })))
    await engine.close()
  })

  test('while a page of many items is filtered, which is the same page', async () => {
    const engine = await engineWithTable()
    for (let start = 0; start < 1000; start += 25) {
      const puts = each(25, (n) => ({ PutRequest: { Item: { pk: { N: String(start + n) } } } }))
      const table = puts.map(({ PutRequest }) => ({
        PutRequest: { Item: { pk: { S: PutRequest.Item.pk.N }, n: PutRequest.Item.pk } },
      }))
      await engine.send('BatchWriteItem', { RequestItems: { table } })
    }
    const scan = {
      TableName: 'table',
      FilterExpression: each(100, () => 'n = :n').join(' OR '),
      ExpressionAttributeValues: { ':n': { N: '7' } },
    }
    expect(await answeredMeanwhile(engine, 'Scan', scan)).toBeGreaterThan(1)
    expect(JSON.parse(await engine.sendText('Scan', scan))).toEqual(await engine.send('Scan', scan))
    await engine.close()
  })
})

describe('small requests are answered while one large item', () => {
  const Key = { pk: { S: 'large' } }
  const contains = (count: number) => each(count, (n) => `contains(a, :v${n % 9})`).join(' OR ')
  const values = Object.fromEntries(each(9, (n) => [`:v${n}`, { N: `2${n}` }]))

  test.each([
    ['is put', 'PutItem', { Item: { ...Key, a: LARGE } }],
    [
      'is updated and returned',
      'UpdateItem',
      {
        Key,
        UpdateExpression: 'SET n = :n',
        ExpressionAttributeValues: { ':n': { N: '1' } },
        ReturnValues: 'ALL_NEW',
      },
    ],
    ['is read in part', 'GetItem', { Key, ProjectionExpression: 'a' }],
    ['is deleted', 'DeleteItem', { Key, ReturnValues: 'ALL_OLD' }],
  ])('%s', async (_what, operation, request) => {
    const engine = await engineWithTable()
    await engine.send('PutItem', { TableName: 'table', Item: { ...Key, a: LARGE } })
    const whole = { TableName: 'table', ...request }
    expect(await answeredMeanwhile(engine, operation, whole)).toBeGreaterThan(0)
    await engine.close()
  })

  test.each([
    [
      'meets a condition of many comparisons',
      'DeleteItem',
      { Key, ConditionExpression: `NOT (${contains(180)})`, ExpressionAttributeValues: values },
    ],
    [
      'meets a filter of many comparisons',
      'Scan',
      { FilterExpression: contains(180), ExpressionAttributeValues: values },
    ],
  ])('%s', async (_what, operation, request) => {
    const engine = await engineWithTable()
    await engine.send('PutItem', { TableName: 'table', Item: { ...Key, a: LARGE } })
    const whole = { TableName: 'table', ...request }
    expect(await answeredMeanwhile(engine, operation, whole)).toBeGreaterThan(1)
    await engine.close()
  })

  test('goes to twenty indexes and a stream', async () => {
    const engine = createEngine()
    const indexes = each(20, (n) => `index${n}`)
    const AttributeDefinitions = ['pk', ...indexes].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    }))
    await engine.send('CreateTable', {
      TableName: 'table',
      AttributeDefinitions,
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: indexes.map((IndexName) => ({
        IndexName,
        KeySchema: [{ AttributeName: IndexName, KeyType: 'HASH' as const }],
        Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: ['a'] },
      })),
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      BillingMode: 'PAY_PER_REQUEST',
    })
    await engine.send('PutItem', { TableName: 'table', Item: KEY })
    const keys = Object.fromEntries(indexes.map((name) => [name, { S: 'x' }]))
    const Item = { ...Key, a: LARGE, ...keys }
    const put = { TableName: 'table', Item }
    expect(await answeredMeanwhile(engine, 'PutItem', put)).toBeGreaterThan(1)
    for (const IndexName of ['index0', 'index19']) {
      const query = await engine.send('Query', {
        TableName: 'table',
        IndexName,
        KeyConditionExpression: '#k = :k',
        ExpressionAttributeNames: { '#k': IndexName },
        ExpressionAttributeValues: { ':k': { S: 'x' } },
      })
      expect(query.Items).toEqual([{ ...Key, a: LARGE, [IndexName]: { S: 'x' } }])
    }
    await engine.close()
  })

  test('is one of those that a transaction reads', async () => {
    const engine = await engineWithTable()
    for (const n of each(8, (number) => number)) {
      await engine.send('PutItem', { TableName: 'table', Item: item(n) })
    }
    const TransactItems = each(9, (n) => ({
      Get: { TableName: 'table', Key: { pk: { S: `item ${n}` } } },
    }))
    const read = { TransactItems }
    expect(await answeredMeanwhile(engine, 'TransactGetItems', read)).toBeGreaterThan(1)
    const text = await engine.sendText('TransactGetItems', read)
    expect(JSON.parse(text)).toEqual(await engine.send('TransactGetItems', read))
    await engine.close()
  })
})

describe('what no item has room for is refused before all else is checked', () => {
  const tooLarge = /^Item size has exceeded the maximum allowed size$/
  test.each([
    ['elements of a list', { L: each(410_000, () => ({ S: '' })) }, tooLarge],
    ['elements of a set', { SS: each(410_000, () => 'the same') }, tooLarge],
    ['members of a map', { M: Object.fromEntries(each(90_000, (n) => [`k${n}`, {}])) }, tooLarge],
    ['characters', { N: '0'.repeat(4_000_000) }, tooLarge],
  ])('%s', async (_what, a, message) => {
    const engine = await engineWithTable()
    const Item = { ...KEY, a } as never
    await expect(engine.send('PutItem', { TableName: 'table', Item })).rejects.toThrow(message)
    await engine.close()
  })

  test.each([
    ['ExpressionAttributeNames', 'x', PLACEHOLDERS_MAX_COUNT, 'exceeds max size'],
    ['ExpressionAttributeValues', { S: 'x' }, PLACEHOLDERS_MAX_COUNT, 'exceeds max size'],
    ['Expected', { Exists: false }, LEGACY_CONDITIONS_MAX_COUNT, 'Too many attributes'],
    ['AttributeUpdates', { Action: 'DELETE' }, LEGACY_ATTRIBUTES_MAX_COUNT, 'Too many attributes'],
  ])('members of %s', async (parameter, member, max, message) => {
    const engine = await engineWithTable()
    const sigil = parameter.endsWith('Names') ? '#' : ':'
    const answer = async (count: number): Promise<string> => {
      const members = Object.fromEntries(each(count, (n) => [`${sigil}${n}`, member]))
      const expression = parameter.startsWith('Expression') ? { UpdateExpression: 'SET a = b' } : {}
      const request = { TableName: 'table', Key: KEY, [parameter]: members, ...expression }
      return engine.send('UpdateItem', request as never).then(
        () => 'done',
        (error: Error) => error.message,
      )
    }
    expect(await answer(max)).not.toContain(message)
    expect(await answer(max + 1)).toContain(message)
    await engine.close()
  })

  test('values of AttributeValueList', async () => {
    const engine = await engineWithTable()
    const scan = (count: number) => {
      const AttributeValueList = each(count, (n) => ({ N: String(n) }))
      const ScanFilter = { n: { ComparisonOperator: 'IN' as const, AttributeValueList } }
      return engine.send('Scan', { TableName: 'table', ScanFilter })
    }
    expect((await scan(LEGACY_VALUES_MAX_COUNT)).Count).toBe(0)
    await expect(scan(LEGACY_VALUES_MAX_COUNT + 1)).rejects.toThrow(/for the IN Comparison/)
    await engine.close()
  })
})

describe('inTurns', () => {
  /** As many steps, of 20 ms each. */
  function* steps(count: number): Generator<void, string> {
    for (let n = 0; n < count; n++) yield
    return 'done'
  }

  test('runs to the end at once where there are no turns to take', () => {
    expect(inTurns({}, steps(3))).toBe('done')
  })

  test('waits for its next turn when it took long, and not before', async () => {
    let turns = 0
    const context = { nextTurn: async () => void turns++ }
    expect(await after(inTurns(context, steps(3)), (text) => `${text}!`)).toBe('done!')
    expect(turns).toBe(3)
    vi.spyOn(performance, 'now').mockReturnValue(0)
    expect(inTurns(context, steps(3))).toBe('done')
    expect(turns).toBe(3)
  })
})

test('allInTurns reports the failure of one that fails before the last is started, and to its caller alone', async () => {
  const context = { nextTurn: () => new Promise<void>((resolve) => setImmediate(resolve)) }
  let started = 0
  const all = allInTurns(context, [1, 2, 3], (n) => {
    started++
    return n === 1 ? Promise.reject(new Error('the first')) : Promise.resolve(n)
  })
  await expect(all).rejects.toThrow('the first')
  expect(started).toBe(3)
})
