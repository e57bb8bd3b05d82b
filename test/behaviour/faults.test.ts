import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  BatchIncompleteError,
  OutcomeUnknownError,
  SingletableError,
  Table,
  ThrottledError,
  TransactionCanceledError,
} from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NoAnswerError } from '../../packages/singletable/src/wire/no-answer-error.ts'
import { SmallSchema } from './small-schema.ts'

/** What the library does when the service fails, on an engine that fails on purpose. */

let engine: Engine
let table: Table<typeof SmallSchema>
const sent: string[] = []

beforeEach(async () => {
  engine = createEngine()
  table = connect()
  await table.create()
  sent.length = 0
})
afterEach(() => engine.close())

/** Counts requests, and waits only a little between attempts. */
function connect(
  options: { deadlineMs?: number; attemptsMax?: number } = {},
): Table<typeof SmallSchema> {
  return new Table({
    name: 'Small',
    schema: SmallSchema,
    client: {
      send(operation, request, sendOptions) {
        sent.push(operation)
        return engine.send(operation, request, sendOptions)
      },
    },
    retry: { attemptsMax: options.attemptsMax ?? 4, delayMsBase: 1, delayMsMax: 2 },
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
  })
}

async function failure(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  return promise.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error) => error,
  )
}

const note = (id: string) => ({ book: 'a', id, text: `note ${id}` })

describe('throttling', () => {
  test.each(['GetItem', 'PutItem', 'Query'] as const)(
    '%s is sent again until it passes',
    async (operation) => {
      const { Note } = table.entities
      const fault = engine.faults.add({ kind: 'throttle', operation, count: 3 })
      if (operation === 'GetItem') await Note.get({ book: 'a', id: '1' }).execute()
      else if (operation === 'PutItem') await Note.put(note('1')).execute()
      else await Note.query({ book: 'a' }).execute()
      expect(fault.hits).toBe(3)
      expect(sent).toHaveLength(4)
    },
  )

  test('a request that is throttled every time ends with ThrottledError that names the limit', async () => {
    engine.faults.add({ kind: 'throttle', operation: 'PutItem' })
    const error = await failure(table.entities.Note.put(note('1')).execute())
    expect(error).toBeInstanceOf(ThrottledError)
    expect(error).toMatchObject({ code: 'THROTTLED', retryable: true })
    expect(sent).toHaveLength(4)
  })

  test('a conflict with a transaction is waited out', async () => {
    engine.faults.add({ kind: 'conflict', operation: 'UpdateItem', count: 2 })
    await table.entities.Note.put(note('1')).execute()
    await table.entities.Note.update({ book: 'a', id: '1' }).add('count', 1).execute()
    expect(await table.entities.Note.get({ book: 'a', id: '1' }).execute()).toMatchObject({
      count: 1,
    })
  })
})

test('one throttled request in a hundred is waited out for as long as a table lives', async () => {
  await table.entities.Note.put(note('1')).execute()
  const environment = {
    now: () => 0,
    randomBytes: (count: number) => new Uint8Array(count),
    schedule(callback: () => void) {
      queueMicrotask(callback)
      return () => {}
    },
  }
  const busy = new Table({ name: 'Small', schema: SmallSchema, client: engine, environment })
  const fault = engine.faults.add({ kind: 'throttle', operation: 'GetItem', probability: 0.01 })
  const get = busy.entities.Note.get({ book: 'a', id: '1' })
  for (let call = 0; call < 40_000; call++) await get.execute()
  expect(fault.hits).toBeGreaterThan(300)
})

describe('answers that are lost', () => {
  test('reads are sent again', async () => {
    engine.faults.add({ kind: 'error', when: 'after', operation: 'GetItem', count: 2 })
    expect(await table.entities.Note.get({ book: 'a', id: '1' }).execute()).toBeUndefined()
    expect(sent).toHaveLength(3)
  })

  test('a put without a condition is sent again', async () => {
    engine.faults.add({ kind: 'error', when: 'after', operation: 'PutItem', count: 1 })
    await table.entities.Note.put(note('1')).execute()
    expect(sent).toEqual(['PutItem', 'PutItem'])
  })

  test('a create whose first attempt was not carried out succeeds', async () => {
    engine.faults.add({ kind: 'error', when: 'before', operation: 'PutItem', count: 1 })
    await table.entities.Note.create(note('1')).execute()
    expect(await table.entities.Note.get({ book: 'a', id: '1' }).execute()).toMatchObject(note('1'))
  })

  test('an add is never sent twice: the outcome is unknown, and it was counted once', async () => {
    await table.entities.Note.put({ ...note('1'), count: 1 }).execute()
    sent.length = 0
    engine.faults.add({ kind: 'error', when: 'after', operation: 'UpdateItem', count: 1 })
    const error = await failure(
      table.entities.Note.update({ book: 'a', id: '1' }).add('count', 1).execute(),
    )
    expect(error).toBeInstanceOf(OutcomeUnknownError)
    expect(error.code).toBe('OUTCOME_UNKNOWN')
    expect(sent).toEqual(['UpdateItem'])
    expect(await table.entities.Note.get({ book: 'a', id: '1' }).execute()).toMatchObject({
      count: 2,
    })
  })

  test('a transaction is sent again with the same token, and done once', async () => {
    await table.entities.Note.put({ ...note('1'), count: 1 }).execute()
    engine.faults.add({ kind: 'error', when: 'after', operation: 'TransactWriteItems', count: 2 })
    await table
      .transactWrite()
      .addUpdate(table.entities.Note.update({ book: 'a', id: '1' }).add('count', 1))
      .execute()
    expect(sent.filter((operation) => operation === 'TransactWriteItems')).toHaveLength(3)
    expect(await table.entities.Note.get({ book: 'a', id: '1' }).execute()).toMatchObject({
      count: 2,
    })
  })
})

describe('batches', () => {
  const notes = Array.from({ length: 60 }, (_, index) => note(String(index)))

  test('what comes back unprocessed is sent again until nothing is left', async () => {
    engine.faults.add({
      kind: 'unprocessed',
      operation: 'BatchWriteItem',
      probability: 0.5,
      count: 40,
    })
    await table.entities.Note.batchWrite(notes).execute()
    expect(await table.entities.Note.query({ book: 'a' }).count()).toBe(60)
  })

  test('60 puts are three requests of at most 25', async () => {
    await table.entities.Note.batchWrite(notes).execute()
    expect(sent).toEqual(['BatchWriteItem', 'BatchWriteItem', 'BatchWriteItem'])
  })

  test('large members are split by bytes as well', async () => {
    const controls = '\u0001'.repeat(390_000)
    const large = Array.from({ length: 8 }, (_, index) => ({
      ...note(String(index)),
      text: controls,
    }))
    await table.entities.Note.batchWrite(large).execute()
    expect(sent).toEqual(['BatchWriteItem', 'BatchWriteItem'])
  })

  test('a member that is never accepted throws BatchIncompleteError; done and remaining are the input', async () => {
    engine.faults.add({
      kind: 'unprocessed',
      operation: 'BatchWriteItem',
      key: { pk: { S: 'BOOK#a' }, sk: { S: 'NOTE#7' } },
    })
    const error = await failure(table.entities.Note.batchWrite(notes).execute())
    expect(error).toBeInstanceOf(BatchIncompleteError)
    const { done, remaining } = error as BatchIncompleteError
    expect(remaining).toEqual([note('7')])
    expect([...done, ...remaining]).toHaveLength(60)
    expect(new Set([...done, ...remaining])).toEqual(new Set(notes))
    expect(await table.entities.Note.query({ book: 'a' }).count()).toBe(59)
  })

  test('batchGet fetches equal keys once, keeps the order and gives undefined for what is not there', async () => {
    await table.entities.Note.batchWrite(notes).execute()
    sent.length = 0
    const key = (id: string) => ({ book: 'a', id })
    const found = await table.entities.Note.batchGet([
      key('3'),
      key('x'),
      key('1'),
      key('3'),
    ]).execute()
    expect(found.map((each) => each?.id)).toEqual(['3', undefined, '1', '3'])
    expect(sent).toEqual(['BatchGetItem'])
  })

  test('batchGet asks again for unprocessed keys', async () => {
    await table.entities.Note.batchWrite(notes).execute()
    engine.faults.add({
      kind: 'unprocessed',
      operation: 'BatchGetItem',
      probability: 0.5,
      count: 30,
    })
    const found = await table.entities.Note.batchGet(
      notes.map(({ book, id }) => ({ book, id })),
    ).execute()
    expect(found.map((each) => each?.id)).toEqual(notes.map((each) => each.id))
  })

  test('batchGet that can not be finished says what was found and what remains', async () => {
    await table.entities.Note.batchWrite(notes.slice(0, 3)).execute()
    engine.faults.add({
      kind: 'unprocessed',
      operation: 'BatchGetItem',
      key: { pk: { S: 'BOOK#a' }, sk: { S: 'NOTE#1' } },
    })
    const keys = ['0', '1', '2'].map((id) => ({ book: 'a', id }))
    const error = await failure(table.entities.Note.batchGet(keys).execute())
    expect(error).toMatchObject({
      code: 'BATCH_INCOMPLETE',
      remaining: [keys[1]],
      done: [keys[0], keys[2]],
    })
    expect((error as BatchIncompleteError).outputs).toMatchObject([note('0'), note('2')])
  })

  test('an empty batch sends nothing', async () => {
    await table.entities.Note.batchWrite([]).execute()
    expect(await table.entities.Note.batchGet([]).execute()).toEqual([])
    expect(sent).toEqual([])
  })

  test('two writes of one item are refused before anything is sent', async () => {
    const error = await failure(table.entities.Note.batchWrite([note('1'), note('1')]).execute())
    expect(error.code).toBe('BATCH_INVALID')
    expect(sent).toEqual([])
  })

  test('an abort between rounds reports the remaining members', async () => {
    engine.faults.add({ kind: 'unprocessed', operation: 'BatchWriteItem' })
    const controller = new AbortController()
    const running = table.entities.Note.batchWrite([note('1')]).execute({
      signal: controller.signal,
    })
    controller.abort(new Error('enough'))
    const error = await failure(running)
    expect(error).toMatchObject({ code: 'BATCH_INCOMPLETE', remaining: [note('1')], done: [] })
  })
})

describe('transactions', () => {
  test('a failed condition names the operation and brings the current item', async () => {
    const { Note, Account } = table.entities
    await Account.put({ id: '1', balance: 5 }).execute()
    const error = await failure(
      table
        .transactWrite()
        .addPut(Note.put(note('1')))
        .addUpdate(
          Account.update({ id: '1' })
            .add('balance', -10)
            .where((attr, op) => op.gte(attr.balance, 10)),
        )
        .execute(),
    )
    expect(error).toBeInstanceOf(TransactionCanceledError)
    expect((error as TransactionCanceledError).failures).toEqual([
      {
        index: 1,
        operation: 'update Account',
        entity: 'Account',
        code: 'CONDITION_FAILED',
        reason: 'ConditionalCheckFailed',
        message: expect.any(String),
        item: { id: '1', balance: 5, version: 1 },
      },
    ])
    expect(await Note.get({ book: 'a', id: '1' }).execute()).toBeUndefined()
  })

  test('conflicts with other transactions are retried', async () => {
    engine.faults.add({ kind: 'conflict', operation: 'TransactWriteItems', count: 2 })
    await table
      .transactWrite()
      .addPut(table.entities.Note.put(note('1')))
      .execute()
    expect(sent).toHaveLength(3)
  })

  test('more than 100 operations are refused before sending, not split', async () => {
    const transaction = Array.from({ length: 101 }, (_, index) => note(String(index))).reduce(
      (all, each) => all.addPut(table.entities.Note.put(each)),
      table.transactWrite(),
    )
    expect((await failure(transaction.execute())).code).toBe('TRANSACTION_INVALID')
    expect(sent).toEqual([])
  })

  test('two operations on one item are refused by name before sending', async () => {
    const { Note } = table.entities
    const error = await failure(
      table
        .transactWrite()
        .addPut(Note.put(note('1')))
        .addDelete(Note.delete({ book: 'a', id: '1' }))
        .execute(),
    )
    expect(error.message).toContain('put Note')
    expect(error.message).toContain('delete Note')
    expect(sent).toEqual([])
  })
})

describe('deadlines and aborts', () => {
  test('a signal that is already aborted sends nothing', async () => {
    const signal = AbortSignal.abort(new Error('too late'))
    const error = await failure(table.entities.Note.put(note('1')).execute({ signal }))
    expect(error.message).toBe('too late')
    expect(sent).toEqual([])
  })

  test('an aborted read rejects with the reason of the signal', async () => {
    engine.faults.add({ kind: 'latency', ms: 60_000, operation: 'GetItem' })
    const controller = new AbortController()
    const running = table.entities.Note.get({ book: 'a', id: '1' }).execute({
      signal: controller.signal,
    })
    setTimeout(() => controller.abort(new Error('changed my mind')), 5)
    expect((await failure(running)).message).toBe('changed my mind')
  })

  test('an aborted write has an unknown outcome', async () => {
    engine.faults.add({ kind: 'latency', ms: 60_000, operation: 'PutItem' })
    const controller = new AbortController()
    const running = table.entities.Note.put(note('1')).execute({ signal: controller.signal })
    setTimeout(() => controller.abort(new Error('changed my mind')), 5)
    expect((await failure(running)).code).toBe('OUTCOME_UNKNOWN')
  })

  test('a read that takes too long ends at its deadline, retries included', async () => {
    engine.faults.add({ kind: 'latency', ms: 60_000, operation: 'GetItem' })
    const get = table.entities.Note.get({ book: 'a', id: '1' })
    expect((await failure(get.execute({ deadlineMs: 20 }))).code).toBe('DEADLINE_EXCEEDED')
  })

  test('the table has a deadline for calls that give none', async () => {
    engine.faults.add({ kind: 'latency', ms: 60_000, operation: 'Query' })
    const hurried = connect({ deadlineMs: 20 })
    const error = await failure(hurried.entities.Note.query({ book: 'a' }).execute())
    expect(error.code).toBe('DEADLINE_EXCEEDED')
  })

  test('pages of one call share its deadline', async () => {
    await table.entities.Note.batchWrite([note('1'), note('2'), note('3')]).execute()
    engine.faults.add({ kind: 'latency', ms: 30, operation: 'Query' })
    const query = table.entities.Note.query({ book: 'a' }).pageSize(1)
    expect((await failure(query.execute({ deadlineMs: 70 }))).code).toBe('DEADLINE_EXCEEDED')
  })

  test.each([2 ** 31 - 1, 2 ** 31, 30 * 86_400_000, Number.MAX_SAFE_INTEGER])(
    'a deadline of %d ms does not end a call before',
    async (deadlineMs) => {
      engine.faults.add({ kind: 'latency', ms: 5 })
      await table.entities.Note.put(note('1')).execute({ deadlineMs })
    },
  )

  test('a write that was carried out is not ended by a deadline that passes in the pause before it is sent again', async () => {
    let now = 0
    const late = new Table({
      name: 'Small',
      schema: SmallSchema,
      client: engine,
      retry: { delayMsBase: 80 },
      environment: {
        now: () => now,
        randomBytes: (count) => new Uint8Array(count).fill(128),
        // A timer that fires two milliseconds late, as they do when there is much to do; that of
        // the deadline is later still.
        schedule(callback, delayMs) {
          if (delayMs > 40) return () => {}
          const timer = setImmediate(() => {
            now += delayMs + 2
            callback()
          })
          return () => clearImmediate(timer)
        },
      },
    })
    engine.faults.add({ kind: 'error', when: 'after', operation: 'PutItem', count: 1 })
    const put = late.entities.Note.put(note('1'))
    expect((await failure(put.execute({ deadlineMs: 41 }))).code).toBe('OUTCOME_UNKNOWN')
  })

  const reasons: readonly (readonly [string, unknown])[] = [
    ['undefined', undefined],
    ['null', null],
    ['text', 'bye'],
    ...[
      'Error',
      'ValidationError',
      'RequestAbortedException',
      'ThrottlingError',
      'Credentials',
    ].map((name) => [name, Object.assign(new Error('user left'), { name })] as const),
    [
      'an error of ours',
      new SingletableError('ENGINE_CLOSED', { what: 'a', where: 'b', fix: 'c' }),
    ],
  ]
  test.each(reasons)('a write aborted with %s has an unknown outcome', async (_, reason) => {
    const controller = new AbortController()
    const hanging = new Table({
      name: 'Small',
      schema: SmallSchema,
      client: {
        async send(operation, request, options) {
          await engine.send(operation, request)
          controller.abort(reason)
          // By now it is aborted.
          throw options?.signal?.reason
        },
      },
    })
    const put = hanging.entities.Note.put(note('1'))
    const error = await failure(put.execute({ signal: controller.signal }))
    expect(error.code).toBe('OUTCOME_UNKNOWN')
    expect(error.cause).toBe(controller.signal.reason)
  })

  test('a deadline that passes while requests fail says why they do', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8999'), {
      code: 'ECONNREFUSED',
    })
    const cause = new NoAnswerError({ sent: false, retryable: true, cause: refused })
    const unreachable = new Table({
      name: 'Small',
      schema: SmallSchema,
      client: {
        async send() {
          throw cause
        },
      },
    })
    const get = unreachable.entities.Note.get({ book: 'a', id: '1' })
    const error = await failure(get.execute({ deadlineMs: 20 }))
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.cause).toBe(cause)
    expect(error.message).toContain('ECONNREFUSED')
  })

  test('a batch that can not be finished says why', async () => {
    const large = 'x'.repeat(410_000)
    const error = await failure(
      table.entities.Note.batchWrite([{ ...note('1'), text: large }]).execute(),
    )
    expect(error.code).toBe('BATCH_INCOMPLETE')
    expect(error.cause).toMatchObject({ code: 'REQUEST_REFUSED' })
    expect(error.message).toContain('The item has more than the 409600 bytes')
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'a deadline of %s is refused',
    async (deadlineMs) => {
      const get = table.entities.Note.get({ book: 'a', id: '1' })
      expect((await failure(get.execute({ deadlineMs }))).code).toBe('OPTION_INVALID')
    },
  )

  test('no listener is left on the signal', async () => {
    const controller = new AbortController()
    let listeners = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...parameters: Parameters<typeof add>) => {
      listeners++
      add(...parameters)
    }
    signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
      listeners--
      remove(...parameters)
    }
    await table.entities.Note.put(note('1')).execute({ signal })
    await table.entities.Note.query({ book: 'a' }).execute({ signal })
    expect(listeners).toBe(0)
  })
})

test('every request is published on the diagnostics channel, without keys and values', async () => {
  const events: unknown[] = []
  const listener = (event: unknown): void => {
    events.push(event)
  }
  subscribe('singletable:request', listener)
  try {
    engine.faults.add({ kind: 'throttle', operation: 'PutItem', count: 1 })
    await table.entities.Note.put(note('secret')).execute()
    await table.entities.Note.query({ status: 'open' }).execute()
  } finally {
    unsubscribe('singletable:request', listener)
  }
  expect(events).toMatchObject([
    { table: 'Small', entity: 'Note', verb: 'put', operation: 'PutItem', retries: 1 },
    {
      table: 'Small',
      entity: 'Note',
      verb: 'query',
      operation: 'Query',
      index: 'byStatus',
      retries: 0,
    },
  ])
  expect(JSON.stringify(events)).not.toContain('secret')
})
