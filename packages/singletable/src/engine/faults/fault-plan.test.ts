import { beforeEach, describe, expect, test } from 'vitest'
import { createEngine, type Engine } from '../engine.ts'
import { type SimulatedEnvironment, simulatedEnvironment } from '../simulated-environment.ts'
import type { Fault } from './fault.ts'

const KEY = { pk: { S: 'a' } }
const TABLE_ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/'

let environment: SimulatedEnvironment
let engine: Engine

async function createTable(TableName: string): Promise<void> {
  await engine.send('CreateTable', {
    TableName,
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'g', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: ['one', 'two'].map((name) => ({
      IndexName: `by-g-${name}`,
      KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    })),
  })
}

beforeEach(async () => {
  environment = simulatedEnvironment()
  engine = createEngine({ environment })
  await createTable('first')
  await createTable('second')
})

function put(TableName = 'first', more: object = {}) {
  return engine.send('PutItem', { TableName, Item: { ...KEY, ...more } })
}
function get(TableName = 'first', pk = 'a') {
  return engine.send('GetItem', { TableName, Key: { pk: { S: pk } } })
}
async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'done'
  } catch (error) {
    return (error as Error).name
  }
}
async function failure(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call
  } catch (error) {
    return error as Record<string, unknown>
  }
  throw new Error('The call was expected to fail.')
}

describe('throttling', () => {
  test('a statement is refused for the table it names, not for a word in its text', async () => {
    engine.faults.add({ kind: 'throttle', table: 'first' })
    const run = (Statement: string) => outcome(engine.send('ExecuteStatement', { Statement }))
    const throttled = 'ProvisionedThroughputExceededException'
    expect(await run(`SELECT * FROM "first" WHERE pk = 'from second'`)).toBe(throttled)
    expect(await run(`SELECT * FROM "second" WHERE pk = 'from first'`)).toBe('done')
    expect(await run(`SELECT pk."from" FROM "second"."by-g-one" WHERE g = 'into first'`)).not.toBe(
      throttled,
    )
    expect(await run(`INSERT INTO "first" VALUE {'pk': 'a'}`)).toBe(throttled)
    expect(await run('SELECT FROM first')).toBe('ValidationException')
  })

  test('a write is refused with the reason and the table that is throttled', async () => {
    engine.faults.add({ kind: 'throttle' })
    expect(await failure(put())).toMatchObject({
      name: 'ProvisionedThroughputExceededException',
      message:
        'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
      ThrottlingReasons: [
        { reason: 'TableWriteProvisionedThroughputExceeded', resource: `${TABLE_ARN}first` },
      ],
    })
    engine.faults.clear()
    expect(await get()).toEqual({})
  })

  test('a read has the reason of reads', async () => {
    engine.faults.add({ kind: 'throttle' })
    expect(await failure(get())).toMatchObject({
      ThrottlingReasons: [
        { reason: 'TableReadProvisionedThroughputExceeded', resource: `${TABLE_ARN}first` },
      ],
    })
  })

  test('error and reason can be chosen', async () => {
    engine.faults.add({
      kind: 'throttle',
      error: 'ThrottlingException',
      reason: 'IndexWriteKeyRangeThroughputExceeded',
    })
    expect(await failure(put())).toMatchObject({
      name: 'ThrottlingException',
      ThrottlingReasons: [{ reason: 'IndexWriteKeyRangeThroughputExceeded' }],
    })
  })

  test('a batch without a key in the fault is refused as a whole', async () => {
    engine.faults.add({ kind: 'throttle' })
    const call = engine.send('BatchWriteItem', {
      RequestItems: { first: [{ PutRequest: { Item: KEY } }] },
    })
    expect(await outcome(call)).toBe('ProvisionedThroughputExceededException')
  })

  test('with a key only that member of a batch is left unprocessed', async () => {
    engine.faults.add({ kind: 'throttle', key: KEY })
    const other = { pk: { S: 'b' } }
    const written = await engine.send('BatchWriteItem', {
      RequestItems: { first: [{ PutRequest: { Item: KEY } }, { PutRequest: { Item: other } }] },
    })
    expect(written.UnprocessedItems).toEqual({ first: [{ PutRequest: { Item: KEY } }] })
    const read = await engine.send('BatchGetItem', {
      RequestItems: { first: { Keys: [KEY, other], ConsistentRead: true } },
    })
    expect(read.Responses).toEqual({ first: [other] })
    expect(read.UnprocessedKeys).toEqual({ first: { Keys: [KEY], ConsistentRead: true } })
  })

  test('a batch of which every member is throttled fails itself', async () => {
    engine.faults.add({ kind: 'throttle', key: KEY })
    const call = engine.send('BatchGetItem', { RequestItems: { first: { Keys: [KEY] } } })
    expect(await outcome(call)).toBe('ProvisionedThroughputExceededException')
  })

  test('with a key the member is a reason for cancelling a transaction', async () => {
    engine.faults.add({ kind: 'throttle', key: KEY })
    const call = engine.send('TransactWriteItems', {
      TransactItems: [
        { Put: { TableName: 'first', Item: { pk: { S: 'b' } } } },
        { Put: { TableName: 'first', Item: KEY } },
      ],
    })
    const error = await failure(call)
    expect(error.name).toBe('TransactionCanceledException')
    expect(error.CancellationReasons).toMatchObject([
      { Code: 'None' },
      { Code: 'ProvisionedThroughputExceeded' },
    ])
    engine.faults.clear()
    expect(await get('first', 'b')).toEqual({})
  })
})

describe('internal errors', () => {
  test('before: the answer is 500 and nothing is written', async () => {
    engine.faults.add({ kind: 'error', when: 'before', operation: 'PutItem' })
    expect(await failure(put())).toMatchObject({
      name: 'InternalServerError',
      message: 'Internal server error',
      statusCode: 500,
    })
    expect(await get()).toEqual({})
  })

  test('after: the answer is 500 although all is written', async () => {
    engine.faults.add({ kind: 'error', when: 'after', operation: 'PutItem' })
    expect(await outcome(put())).toBe('InternalServerError')
    expect(await get()).toEqual({ Item: KEY })
  })

  test('after a lost answer a token makes the repeated transaction safe', async () => {
    engine.faults.add({ kind: 'error', when: 'after', count: 1 })
    const send = () =>
      engine.send('TransactWriteItems', {
        ClientRequestToken: 'once',
        TransactItems: [
          {
            Update: {
              TableName: 'first',
              Key: KEY,
              UpdateExpression: 'ADD n :one',
              ExpressionAttributeValues: { ':one': { N: '1' } },
            },
          },
        ],
      })
    expect(await outcome(send())).toBe('InternalServerError')
    expect(await outcome(send())).toBe('done')
    expect((await get()).Item).toEqual({ ...KEY, n: { N: '1' } })
  })
})

describe('latency', () => {
  test('a call waits by the clock of the environment, then is carried out', async () => {
    engine.faults.add({ kind: 'latency', ms: 500, operation: 'PutItem' })
    let done = false
    const call = put().then(() => {
      done = true
    })
    await environment.advance(499)
    expect(done).toBe(false)
    expect(await get()).toEqual({})
    await environment.advance(1)
    expect(done).toBe(true)
    await call
    expect(await get()).toEqual({ Item: KEY })
  })

  test('the delays of several faults add up', async () => {
    engine.faults.add({ kind: 'latency', ms: 100 })
    engine.faults.add({ kind: 'latency', ms: 200 })
    let done = false
    const call = get().then(() => {
      done = true
    })
    await environment.advance(299)
    expect(done).toBe(false)
    await environment.advance(1)
    expect(done).toBe(true)
    await call
  })

  test('an abort ends the wait and keeps the write from being made', async () => {
    engine.faults.add({ kind: 'latency', ms: 500, operation: 'PutItem' })
    const controller = new AbortController()
    const call = engine.send(
      'PutItem',
      { TableName: 'first', Item: KEY },
      { signal: controller.signal },
    )
    const result = failure(call)
    await environment.advance(100)
    controller.abort(new Error('enough'))
    expect((await result).message).toBe('enough')
    await environment.advance(1000)
    expect(await get()).toEqual({})
  })

  test('a call that was aborted before it was sent does not wait', async () => {
    engine.faults.add({ kind: 'latency', ms: 500 })
    const call = engine.send(
      'GetItem',
      { TableName: 'first', Key: KEY },
      { signal: AbortSignal.abort(new Error('never')) },
    )
    expect((await failure(call)).message).toBe('never')
  })
})

describe('unprocessed members', () => {
  test('a key leaves just its member out of a batch of writes', async () => {
    engine.faults.add({ kind: 'unprocessed', key: KEY })
    const answer = await engine.send('BatchWriteItem', {
      RequestItems: {
        first: [{ PutRequest: { Item: { pk: { S: 'b' } } } }, { DeleteRequest: { Key: KEY } }],
        second: [{ PutRequest: { Item: KEY } }],
      },
    })
    expect(answer.UnprocessedItems).toEqual({
      first: [{ DeleteRequest: { Key: KEY } }],
      second: [{ PutRequest: { Item: KEY } }],
    })
    expect(await get('first', 'b')).toEqual({ Item: { pk: { S: 'b' } } })
  })

  test('all members may be left unprocessed without an error', async () => {
    engine.faults.add({ kind: 'unprocessed' })
    const answer = await engine.send('BatchGetItem', { RequestItems: { first: { Keys: [KEY] } } })
    expect(answer).toEqual({
      Responses: { first: [] },
      UnprocessedKeys: { first: { Keys: [KEY] } },
    })
  })

  test('a count leaves that many members out and lets the rest through', async () => {
    engine.faults.add({ kind: 'unprocessed', count: 2 })
    const requests = ['a', 'b', 'c'].map((pk) => ({ PutRequest: { Item: { pk: { S: pk } } } }))
    const answer = await engine.send('BatchWriteItem', { RequestItems: { first: requests } })
    expect(answer.UnprocessedItems).toEqual({ first: requests.slice(0, 2) })
    const again = await engine.send('BatchWriteItem', { RequestItems: answer.UnprocessedItems })
    expect(again.UnprocessedItems).toEqual({})
    expect((await engine.send('Scan', { TableName: 'first' })).Count).toBe(3)
  })
})

describe('conflicts', () => {
  test.each(['PutItem', 'UpdateItem', 'DeleteItem'] as const)(
    '%s is refused',
    async (operation) => {
      engine.faults.add({ kind: 'conflict', key: KEY })
      const request =
        operation === 'PutItem'
          ? { TableName: 'first', Item: KEY }
          : { TableName: 'first', Key: KEY }
      expect(await failure(engine.send(operation, request as never))).toMatchObject({
        name: 'TransactionConflictException',
        message: 'Transaction is ongoing for the item',
      })
    },
  )

  test('GetItem never conflicts', async () => {
    engine.faults.add({ kind: 'conflict', key: KEY })
    expect(await get()).toEqual({})
  })

  test.each(['TransactWriteItems', 'TransactGetItems'] as const)(
    '%s is cancelled with a reason for just that item',
    async (operation) => {
      engine.faults.add({ kind: 'conflict', key: KEY })
      const member = (pk: string) =>
        operation === 'TransactGetItems'
          ? { Get: { TableName: 'first', Key: { pk: { S: pk } } } }
          : { Put: { TableName: 'first', Item: { pk: { S: pk } } } }
      const call = engine.send(operation, { TransactItems: [member('b'), member('a')] } as never)
      expect(await failure(call)).toMatchObject({
        name: 'TransactionCanceledException',
        message:
          'Transaction cancelled, please refer cancellation reasons for specific reasons [None, TransactionConflict]',
        CancellationReasons: [
          { Code: 'None' },
          { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
        ],
      })
    },
  )
})

describe('lag of global indexes', () => {
  async function found(IndexName: string, g = 'G'): Promise<string[]> {
    const { Items = [] } = await engine.send('Query', {
      TableName: 'first',
      IndexName,
      KeyConditionExpression: 'g = :g',
      ExpressionAttributeValues: { ':g': { S: g } },
    })
    return Items.map((item) => item.pk?.S ?? '').sort()
  }
  const write = (pk: string, g: string) =>
    engine.send('PutItem', { TableName: 'first', Item: { pk: { S: pk }, g: { S: g } } })

  test('the table shows a write at once, the index after the lag', async () => {
    engine.faults.add({ kind: 'indexLag', ms: 1000 })
    await write('a', 'G')
    expect((await get()).Item).toBeDefined()
    expect(await found('by-g-one')).toEqual([])
    await environment.advance(999)
    expect(await found('by-g-one')).toEqual([])
    await environment.advance(1)
    expect(await found('by-g-one')).toEqual(['a'])
  })

  test('one index may lag while another does not', async () => {
    engine.faults.add({ kind: 'indexLag', ms: 1000, index: 'by-g-two' })
    await write('a', 'G')
    expect(await found('by-g-one')).toEqual(['a'])
    expect(await found('by-g-two')).toEqual([])
  })

  test('writes to an item arrive in their order, also when a later one lags less', async () => {
    const slow = engine.faults.add({ kind: 'indexLag', ms: 1000 })
    await write('a', 'G')
    slow.remove()
    engine.faults.add({ kind: 'indexLag', ms: 10 })
    await write('a', 'moved')
    await environment.advance(500)
    expect(await found('by-g-one', 'moved')).toEqual([])
    await environment.advance(500)
    expect(await found('by-g-one')).toEqual([])
    expect(await found('by-g-one', 'moved')).toEqual(['a'])
  })

  test('a write without lag waits behind those of its index that lag', async () => {
    engine.faults.add({ kind: 'indexLag', ms: 1000, count: 2 })
    await write('a', 'G')
    await write('b', 'G')
    expect(await found('by-g-one')).toEqual([])
    await environment.advance(1000)
    expect(await found('by-g-one')).toEqual(['a', 'b'])
  })

  test('a write to another table does not make an index catch up', async () => {
    engine.faults.add({ kind: 'indexLag', ms: 1000, table: 'first' })
    await write('a', 'G')
    await put('second', { g: { S: 'G' } })
    expect(await found('by-g-one')).toEqual([])
  })

  test('what a failed transaction would have written never arrives', async () => {
    engine.faults.add({ kind: 'indexLag', ms: 1000 })
    const call = engine.send('TransactWriteItems', {
      TransactItems: [
        { Put: { TableName: 'first', Item: { ...KEY, g: { S: 'G' } } } },
        {
          ConditionCheck: {
            TableName: 'first',
            Key: { pk: { S: 'b' } },
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
      ],
    })
    expect(await outcome(call)).toBe('TransactionCanceledException')
    await environment.advance(1000)
    expect(await found('by-g-one')).toEqual([])
  })

  test('a transaction that fails while it is written leaves no entry to arrive', async () => {
    const small = createEngine({ environment, itemCollectionMaxBytes: 100 })
    await small.send('CreateTable', {
      TableName: 'small',
      AttributeDefinitions: ['pk', 'sk', 'l', 'g'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      LocalSecondaryIndexes: [
        {
          IndexName: 'by-l',
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'l', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-g',
          KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    })
    small.faults.add({ kind: 'indexLag', ms: 1000 })
    const item = (sk: string, fill: string) => ({
      pk: { S: 'a' },
      sk: { S: sk },
      g: { S: 'G' },
      fill: { S: fill },
    })
    const call = small.send('TransactWriteItems', {
      TransactItems: [
        { Put: { TableName: 'small', Item: item('1', '') } },
        { Put: { TableName: 'small', Item: item('2', 'x'.repeat(100)) } },
      ],
    })
    expect(await outcome(call)).toBe('TransactionCanceledException')
    await environment.advance(1000)
    expect((await small.send('Scan', { TableName: 'small', IndexName: 'by-g' })).Count).toBe(0)
    await small.close()
  })

  test('entries of a table deleted meanwhile never arrive in its successor', async () => {
    engine.faults.add({ kind: 'indexLag', ms: 1000 })
    await write('a', 'G')
    await engine.send('DeleteTable', { TableName: 'first' })
    await createTable('first')
    await environment.advance(1000)
    expect(await found('by-g-one')).toEqual([])
  })

  test('a snapshot holds what was still to arrive', async () => {
    engine.faults.add({ kind: 'indexLag', ms: 1000 })
    await write('a', 'G')
    const snapshot = await engine.snapshot()
    await engine.restore(snapshot)
    expect(await found('by-g-one')).toEqual(['a'])
  })
})

test('expired items stay as much longer as the fault says', async () => {
  await engine.send('UpdateTimeToLive', {
    TableName: 'first',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'ends' },
  })
  await put('first', { ends: { N: String(environment.now() / 1000 + 10) } })
  engine.faults.add({ kind: 'timeToLiveDelay', ms: 60_000, table: 'first' })
  environment.jump(environment.now() + 30_000)
  expect(await engine.sweepExpired()).toBe(0)
  environment.jump(environment.now() + 60_000)
  expect(await engine.sweepExpired()).toBe(1)
})

describe('slow transitions', () => {
  const status = async (TableName: string) =>
    (await engine.send('DescribeTable', { TableName })).Table.TableStatus

  test('a table stays CREATING, and is not found by operations on items, until its time is up', async () => {
    engine.faults.add({ kind: 'transition', ms: 5000, table: 'third' })
    await createTable('third')
    await createTable('fourth')
    expect(await status('third')).toBe('CREATING')
    expect(await status('fourth')).toBe('ACTIVE')
    expect(await outcome(put('third'))).toBe('ResourceNotFoundException')
    await environment.advance(5000)
    expect(await status('third')).toBe('ACTIVE')
    expect(await outcome(put('third'))).toBe('done')
  })

  test('a new index cannot be read until its time is up', async () => {
    await put('first', { h: { S: 'H' } })
    engine.faults.add({ kind: 'transition', ms: 5000 })
    await engine.send('UpdateTable', {
      TableName: 'first',
      AttributeDefinitions: [{ AttributeName: 'h', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'by-h',
            KeySchema: [{ AttributeName: 'h', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    })
    const scan = () => engine.send('Scan', { TableName: 'first', IndexName: 'by-h' })
    expect(await failure(scan())).toMatchObject({
      name: 'ValidationException',
      message: 'Cannot read from backfilling global secondary index: by-h',
    })
    await environment.advance(5000)
    expect(await scan()).toMatchObject({ Count: 1 })
  })

  test('a table stays DELETING until its time is up', async () => {
    engine.faults.add({ kind: 'transition', ms: 5000 })
    await engine.send('DeleteTable', { TableName: 'first' })
    expect(await status('first')).toBe('DELETING')
    await environment.advance(5000)
    expect(await outcome(status('first'))).toBe('ResourceNotFoundException')
  })
})

describe('scope', () => {
  test('an operation by name is the only one struck', async () => {
    engine.faults.add({ kind: 'throttle', operation: 'DeleteItem' })
    expect(await outcome(put())).toBe('done')
    expect(await outcome(engine.send('DeleteItem', { TableName: 'first', Key: KEY }))).toBe(
      'ProvisionedThroughputExceededException',
    )
  })

  test('several operations by name are struck', async () => {
    engine.faults.add({ kind: 'throttle', operation: ['PutItem', 'GetItem'] })
    expect(await outcome(put())).toBe('ProvisionedThroughputExceededException')
    expect(await outcome(get())).toBe('ProvisionedThroughputExceededException')
    expect(await outcome(engine.send('Scan', { TableName: 'first' }))).toBe('done')
  })

  test('a table by name is the only one struck, also when the request has its ARN', async () => {
    engine.faults.add({ kind: 'throttle', table: 'first' })
    expect(await outcome(put('first'))).toBe('ProvisionedThroughputExceededException')
    expect(await outcome(put('second'))).toBe('done')
    expect(await outcome(put(`${TABLE_ARN}first`))).toBe('ProvisionedThroughputExceededException')
  })

  test('a key strikes items with these attributes alone', async () => {
    engine.faults.add({ kind: 'throttle', key: KEY })
    expect(await outcome(get('first', 'a'))).toBe('ProvisionedThroughputExceededException')
    expect(await outcome(get('first', 'b'))).toBe('done')
    expect(await outcome(engine.send('Scan', { TableName: 'first' }))).toBe('done')
  })

  test('a count strikes so often and never again', async () => {
    const installed = engine.faults.add({ kind: 'throttle', count: 2 })
    const outcomes = [await outcome(get()), await outcome(get()), await outcome(get())]
    expect(outcomes).toEqual([
      'ProvisionedThroughputExceededException',
      'ProvisionedThroughputExceededException',
      'done',
    ])
    expect(installed.hits).toBe(2)
  })

  test('a count of 0 never strikes', async () => {
    engine.faults.add({ kind: 'throttle', count: 0 })
    expect(await outcome(get())).toBe('done')
  })

  async function strikes(fault: Partial<Fault>, calls: number): Promise<boolean[]> {
    const installed = engine.faults.add({ kind: 'throttle', ...fault } as Fault)
    const struck: boolean[] = []
    for (let call = 0; call < calls; call++) struck.push((await outcome(get())) !== 'done')
    installed.remove()
    return struck
  }

  test('the same seed strikes the same calls, another seed others', async () => {
    const first = await strikes({ probability: 0.5, seed: 7 }, 64)
    expect(await strikes({ probability: 0.5, seed: 7 }, 64)).toEqual(first)
    expect(await strikes({ probability: 0.5, seed: 8 }, 64)).not.toEqual(first)
    const count = first.filter((struck) => struck).length
    expect(count).toBeGreaterThan(16)
    expect(count).toBeLessThan(48)
  })

  test('a probability of 0 never strikes, one of 1 always', async () => {
    expect(await strikes({ probability: 0 }, 20)).not.toContain(true)
    expect(await strikes({ probability: 1 }, 20)).not.toContain(false)
  })

  test('calls out of scope do not move the random numbers on', async () => {
    const first = await strikes({ probability: 0.5, seed: 7, table: 'first' }, 20)
    const installed = engine.faults.add({
      kind: 'throttle',
      probability: 0.5,
      seed: 7,
      table: 'first',
    })
    const struck: boolean[] = []
    for (let call = 0; call < 20; call++) {
      await get('second')
      struck.push((await outcome(get())) !== 'done')
    }
    installed.remove()
    expect(struck).toEqual(first)
  })
})

describe('the list of faults', () => {
  test('a fault that is removed no longer strikes, the others do', async () => {
    const one = engine.faults.add({ kind: 'throttle', operation: 'GetItem' })
    engine.faults.add({ kind: 'throttle', operation: 'PutItem' })
    expect(engine.faults.installed).toHaveLength(2)
    one.remove()
    expect(engine.faults.installed).toHaveLength(1)
    expect(await outcome(get())).toBe('done')
    expect(await outcome(put())).toBe('ProvisionedThroughputExceededException')
  })

  test('clear removes all', async () => {
    engine.faults.add({ kind: 'throttle' })
    engine.faults.add({ kind: 'conflict' })
    engine.faults.clear()
    expect(engine.faults.installed).toEqual([])
    expect(await outcome(put())).toBe('done')
  })

  test.each([
    [{ kind: 'meteor' }, 'there is no fault of kind "meteor"'],
    [{ kind: 'latency', ms: -1 }, 'ms is -1'],
    [{ kind: 'latency', ms: Number.NaN }, 'ms is NaN'],
    [{ kind: 'error', when: 'never' }, 'when is "never"'],
    [{ kind: 'throttle', probability: 1.5 }, 'probability is 1.5'],
    [{ kind: 'throttle', count: 1.5 }, 'count is 1.5'],
    [{ kind: 'latency' }, 'ms is undefined'],
    [{ kind: 'throttle', operation: 'PutItme' }, 'there is no operation "PutItme"'],
    [
      { kind: 'error', when: 'after', operation: ['GetItem', 'Typo'] },
      'there is no operation "Typo"',
    ],
    [{ kind: 'throttle', tabel: 'x' }, 'a fault of kind "throttle" has no member "tabel"'],
    [{ kind: 'indexLag', ms: 1, key: {} }, 'a fault of kind "indexLag" has no member "key"'],
  ])('%j is refused with a message that says why', (fault, problem) => {
    expect(() => engine.faults.add(fault as Fault)).toThrow(
      expect.objectContaining({
        code: 'FAULT_INVALID',
        message: expect.stringContaining(`The fault can't be used: ${problem}.`),
      }),
    )
    expect(engine.faults.installed).toEqual([])
  })
})
