import { expect, test } from 'vitest'
import { Table } from '../builder/table.ts'
import { createEngine } from '../engine/engine.ts'
import { simulatedEnvironment } from '../engine/simulated-environment.ts'
import { defineSchema } from '../plan/define-schema.ts'
import { ServiceError } from '../wire/service-error.ts'
import type { Transport } from '../wire/transport.ts'
import { limitRate, type RateOptions } from './limit-rate.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Note: {
      key: { pk: 'NOTE#${id}' },
      attributes: { id: { type: String, required: true }, text: { type: String } },
    },
  },
})

async function start(options: RateOptions) {
  const environment = simulatedEnvironment()
  const engine = createEngine({ environment })
  const table = new Table({
    name: 'Notes',
    schema,
    client: limitRate(engine, { ...options, environment }),
    environment,
  })
  await table.create()
  return { environment, engine, table, Note: table.entities.Note }
}

/** How many of the promises are settled, after all that can happen now has happened. */
function counting(promises: readonly Promise<unknown>[]) {
  const state = { settled: 0 }
  for (const each of promises) each.then(() => state.settled++).catch(() => state.settled++)
  return state
}

test('writes beyond the burst wait for the units to come in', async () => {
  const { environment, Note } = await start({ writeUnits: 2, burstSeconds: 2 })
  const puts = Array.from({ length: 8 }, (_, id) => Note.put({ id: String(id) }).execute())
  const done = counting(puts)
  await environment.advance(0)
  expect(done.settled).toBe(4)
  await environment.advance(1000)
  expect(done.settled).toBe(6)
  await environment.advance(1000)
  expect(done.settled).toBe(8)
  await Promise.all(puts)
})

test('a request that cost more than expected makes the next ones wait', async () => {
  const { environment, Note } = await start({ writeUnits: 10 })
  await Note.put({ id: 'large', text: 'x'.repeat(30 * 1024) }).execute()
  const done = counting([Note.put({ id: 'small' }).execute()])
  await environment.advance(2900)
  expect(done.settled).toBe(0)
  await environment.advance(2000)
  expect(done.settled).toBe(1)
})

test('reads and writes have limits of their own, and what has none is not slowed', async () => {
  const { environment, Note } = await start({ readUnits: 1 })
  const done = counting([
    ...Array.from({ length: 50 }, (_, id) => Note.put({ id: String(id) }).execute()),
    Note.get({ id: '0' }).consistentRead().execute(),
  ])
  await environment.advance(0)
  expect(done.settled).toBe(51)
  const reads = counting([1, 2].map(() => Note.get({ id: '0' }).consistentRead().execute()))
  await environment.advance(999)
  expect(reads.settled).toBeLessThan(2)
  await environment.advance(2000)
  expect(reads.settled).toBe(2)
})

test('one who is aborted while waiting sends nothing and holds up nobody', async () => {
  const { environment, engine, Note } = await start({ writeUnits: 1 })
  await Note.put({ id: '0' }).execute()
  const controller = new AbortController()
  const aborted = Note.put({ id: '1' }).execute({ signal: controller.signal })
  const next = Note.put({ id: '2' }).execute()
  const outcome = expect(aborted).rejects.toThrow()
  controller.abort(new Error('enough'))
  await outcome
  await environment.advance(1000)
  await next
  const { Count } = await engine.send('Scan', { TableName: 'Notes' })
  expect(Count).toBe(2)
})

test('what was throttled gives its units back', async () => {
  const environment = simulatedEnvironment()
  let sent = 0
  const throttling: Transport = {
    async send() {
      sent++
      throw new ServiceError('ThrottlingException', 'Rate exceeded')
    },
  }
  const client = limitRate(throttling, { writeUnits: 1, environment })
  const request = { TableName: 'Notes', Key: { pk: { S: 'a' } } }
  for (let count = 0; count < 3; count++) {
    await expect(client.send('DeleteItem', request)).rejects.toThrow('Rate exceeded')
  }
  expect(sent).toBe(3)
})

test('answers report what was consumed, and requests that ask for more get more', async () => {
  const { engine } = await start({})
  const client = limitRate(engine, {})
  const request = { TableName: 'Notes', Key: { pk: { S: 'a' } } } as const
  const total = await client.send('GetItem', request)
  expect(total.ConsumedCapacity).toEqual({ TableName: 'Notes', CapacityUnits: 0.5 })
  const more = { ...request, ReturnConsumedCapacity: 'INDEXES' } as const
  expect((await client.send('GetItem', more)).ConsumedCapacity?.Table).toBeDefined()
  expect(await client.send('ListTables', {})).toEqual({ TableNames: ['Notes'] })
})

test('options that can not be meant are refused', () => {
  expect(() => limitRate(createEngine(), { readUnits: 0 })).toThrow('readUnits')
  expect(() => limitRate(createEngine(), { readUnit: 1 } as RateOptions)).toThrow('readUnits')
})
