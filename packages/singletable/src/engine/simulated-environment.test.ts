import { defineSchema, Table } from 'singletable'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { onChange, pollStream } from 'singletable/streams'
import { expect, test } from 'vitest'

const DAY_MS = 24 * 60 * 60 * 1000
const START = Date.UTC(2026, 0, 1)

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  table: { stream: 'new-and-old' },
  models: {
    Session: {
      key: { pk: 'SESSION#${id}' },
      attributes: {
        id: { type: String, required: true },
        visits: { type: Number, default: 0 },
        until: { type: Date, ttl: true },
      },
    },
  },
})

async function setUp(options: { autoAdvance?: boolean } = {}) {
  const environment = simulatedEnvironment({ now: START, ...options })
  const engine = createEngine({ environment })
  const table = new Table({ name: 'Sessions', schema, client: engine, environment })
  await table.create()
  return { environment, engine, table, Session: table.entities.Session }
}

test('a throttled call continues by itself, and the clock has moved', async () => {
  const { environment, engine, Session } = await setUp()
  engine.faults.add({ kind: 'throttle', operation: 'PutItem', count: 2 })
  await Session.put({ id: 'a' })
  expect(environment.now()).toBeGreaterThan(START)
  expect(environment.now()).toBeLessThan(START + 10_000)
})

test('calls that wait for each other all continue', async () => {
  const { engine, Session } = await setUp()
  await Session.put({ id: 'a' })
  engine.faults.add({ kind: 'throttle', operation: 'UpdateItem', count: 5 })
  await Promise.all(Array.from({ length: 20 }, () => Session.update({ id: 'a' }).add('visits', 1)))
  expect((await Session.get({ id: 'a' }))?.visits).toBe(20)
})

test('a slow answer arrives before a deadline that is later, and not after one that is earlier', async () => {
  const { environment, engine, Session } = await setUp()
  engine.faults.add({ kind: 'latency', ms: 5000, operation: 'GetItem' })
  expect(await Session.get({ id: 'a' }).execute({ deadlineMs: 6000 })).toBeUndefined()
  expect(environment.now()).toBe(START + 5000)
  const late = Session.get({ id: 'a' }).execute({ deadlineMs: 4000 })
  await expect(late).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
})

test('a stream is polled to its end', async () => {
  const { environment, table, Session } = await setUp()
  await Session.put({ id: 'a' })
  const seen: string[] = []
  const handler = onChange(table, { Session: { insert: ({ after }) => void seen.push(after.id) } })
  await pollStream({ table, handler, until: 'caught-up' })
  expect(seen).toEqual(['a'])
  expect(environment.now()).toBeLessThan(START + 60_000)
})

test('the clock does not move while nothing waits, and never with autoAdvance: false', async () => {
  const { environment, engine, Session } = await setUp({ autoAdvance: false })
  await Session.put({ id: 'a' })
  engine.faults.add({ kind: 'throttle', operation: 'GetItem', count: 1 })
  let isDone = false
  const found = Promise.resolve(Session.get({ id: 'a' })).finally(() => {
    isDone = true
  })
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect([isDone, environment.now()]).toEqual([false, START])
  await environment.advance(1000)
  expect(await found).toMatchObject({ id: 'a' })
})

test('a long advance sweeps only when something expires, at the time it would have been', async () => {
  const { environment, engine, Session } = await setUp()
  const visits: number[] = []
  // An item that expires in the course of it counts as well.
  for (const days of [2, 5]) {
    await Session.put({ id: `${days}`, until: new Date(START + days * DAY_MS) })
  }
  await environment.advance(DAY_MS)
  for (let day = 1; day < 8; day++) {
    const { Count } = await engine.send('Scan', { TableName: 'Sessions' })
    visits.push(Count ?? 0)
    await environment.advance(DAY_MS)
  }
  expect(visits).toEqual([2, 1, 1, 1, 0, 0, 0])
})

test('turns of repeated work that has nothing to do are left out', async () => {
  const environment = simulatedEnvironment({ now: START })
  const turns: number[] = []
  let workAtMs = Number.POSITIVE_INFINITY
  const work = () => {
    turns.push(environment.now() - START)
    workAtMs = Number.POSITIVE_INFINITY
    environment.schedule(work, 1000, { background: true, workAtMs: () => workAtMs })
  }
  environment.schedule(work, 1000, { background: true, workAtMs: () => workAtMs })
  await environment.advance(10_500)
  expect(turns).toEqual([])
  workAtMs = START + 10_600
  await environment.advance(400)
  expect(turns).toEqual([])
  await environment.advance(100)
  expect(turns).toEqual([11_000])
})
