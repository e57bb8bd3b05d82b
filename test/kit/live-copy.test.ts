import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listen } from '@singletable/kit/server'
import type { CopyReport } from 'singletable/cutover'
import { connect } from 'singletable/direct'
import { createEngine } from 'singletable/engine'
import { compileSchema, type OperationName, seededRandom, type Transport } from 'singletable/tools'
import { afterAll, expect, test } from 'vitest'
import { CopyLock } from '../../packages/kit/src/cutover/copy-lock.ts'
import { CopyNotes } from '../../packages/kit/src/cutover/copy-notes.ts'
import { CopyTarget } from '../../packages/kit/src/cutover/copy-target.ts'
import { refereePort } from '../referee/referee-port.ts'
import {
  createShop,
  expectedItems,
  foundItems,
  mappingOf,
  SCHEMA,
  startWriter,
} from './copied-shop.ts'

// A process that dies leaves its temporary files behind.
const folder = mkdtempSync(path.join(tmpdir(), 'singletable-live-copy-'))
process.env.TMPDIR = folder
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SEED = Number(process.env.COPY_SEED ?? Date.now() % 1_000_000)
const KILLS = Number(process.env.COPY_KILLS ?? 8)

const port = await refereePort()
/** On a machine under load DynamoDB Local takes its time. */
const PATIENCE = { connectionTimeoutMs: 60_000, requestTimeoutMs: 60_000 }

/** A process that dies at a request: before it is sent, or after it was carried out. */
function mortal(transport: Transport, diesAt: number, isAfter: boolean) {
  let count = 0
  let die = (): void => {}
  const died = new Promise<'died'>((resolve) => {
    die = () => resolve('died')
  })
  const dead = (): Promise<never> => {
    die()
    return new Promise<never>(() => {})
  }
  const send = async (operation: OperationName, request: never, options: never) => {
    count++
    if (count > diesAt || (count === diesAt && !isAfter)) return dead()
    const response = await transport.send(operation, request, options)
    return count === diesAt ? dead() : response
  }
  return { transport: { send } as Transport, died }
}

/** DynamoDB Local rounds the times of records to minutes, so that a writer in between looks
 * late. */
async function moveWithKills(
  transport: Transport,
  kills: number,
  { prefix = '', isQuiet = false } = {},
) {
  const shop = await createShop(transport, prefix)
  const random = seededRandom(SEED)
  const writer = startWriter(shop, SEED + 1)
  await writer.some(isQuiet ? 40 : 150)
  if (isQuiet) await writer.stop()
  let killed = 0
  /** Runs the copy until what the phase asks for is done; at first it is killed. */
  const copy = async (times: number, most: number): Promise<CopyReport> => {
    for (let at = 0; at < times; at++) {
      const life = mortal(transport, 1 + Math.floor(random() * most), random() < 0.5)
      const copying = shop.copy({ ...life, isTakingOver: true })
      if ((await Promise.race([copying, life.died])) === 'died') killed++
    }
    if (isQuiet) await writer.some(20)
    return shop.copy({ isTakingOver: true })
  }
  await shop.advance(true)
  await copy(Math.ceil(kills / 4), 40)
  await shop.advance()
  await copy(Math.ceil(kills / 2), 300)
  await shop.advance()
  let report = await copy(Math.ceil(kills / 4), 200)
  // While rows are written without a pause, a comparison may miss the moment at which they agree.
  for (let time = 0; time < 3 && report.convergence?.different !== 0; time++) {
    report = await shop.copy()
  }
  expect(report.convergence?.examples, `seed ${SEED}`).toEqual([])
  expect(report.convergence).toMatchObject({ different: 0 })
  for (const [model, { source, table }] of Object.entries(report.convergence?.models ?? {})) {
    expect(table, `${model}, seed ${SEED}`).toEqual(source)
  }
  await shop.advance()
  const writes = await writer.stop()
  await shop.copy()
  expect(await foundItems(shop), `seed ${SEED}`).toEqual(await expectedItems(shop))
  return { shop, killed, writes, report }
}

test('a copy that is killed and resumed while the application writes ends equal to its tables', async () => {
  const { shop, killed, writes, report } = await moveWithKills(createEngine(), KILLS)
  console.info(`seed ${SEED}: ${killed} kills, ${writes} writes`)
  expect(Object.keys(report.convergence?.models ?? {})).toEqual([
    'Order',
    'OrderItem',
    'OrderOfDay',
    'User',
    '_unique',
  ])
  expect(killed).toBeGreaterThan(0)
  expect(writes).toBeGreaterThan(150)
  // Whatever it needed on its way is removed at the end.
  await shop.cutover.addComparisons(
    await shop.cutover.state(),
    new Map([['q', { compared: 1, different: 0 }]]),
  )
  await shop.advance()
  await shop.copy()
  await shop.advance()
  shop.clock.now += 20_000
  // Killed after it said that the last writes are copied: the next run removes the rest, and does
  // not copy what the application writes to both stores from now on.
  const life = mortal(shop.transport, 1, false)
  const saving = shop.cutover.saveCopyReport.bind(shop.cutover)
  shop.cutover.saveCopyReport = async (report) => {
    const isSaved = await saving(report)
    return report.drainedAt === undefined
      ? isSaved
      : (life.transport.send('ListTables', {}) as never)
  }
  expect(await Promise.race([shop.copy(), life.died])).toBe('died')
  shop.cutover.saveCopyReport = saving
  await shop.put('Users', { id: { S: 'late' }, email: { S: 'late@x' } })
  await expect(shop.advance()).rejects.toThrow('has not removed its tombstones')
  expect(await shop.copy({ isTakingOver: true })).toMatchObject({
    drainedAt: expect.any(Number),
    isEnded: true,
  })
  expect((await foundItems(shop)).join()).not.toContain('late@x')
  const left = (await shop.scan('Shop')).filter(({ _type }) => _type?.S === '_kit')
  expect(left.map(({ sk }) => sk?.S).sort()).toEqual([
    'default#COPY',
    expect.stringContaining('default#READS#'),
    'default#STATE',
  ])
})

test('a live copy works over HTTP through the direct transport', async () => {
  const credentials = { accessKeyId: 'copy', secretAccessKey: 'local' }
  const engine = createEngine()
  const server = await listen(engine, { port: 0, credentials: [credentials] })
  const client = connect({ region: 'us-east-1', endpoint: server.url, credentials, ...PATIENCE })
  try {
    await moveWithKills(client, 0)
  } finally {
    client.close()
    await server.close()
    await engine.close()
  }
})

test.skipIf(port === undefined)('a live copy works on DynamoDB Local', async () => {
  const credentials = { accessKeyId: `copy${process.pid}`, secretAccessKey: 'local' }
  const client = connect({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials,
    ...PATIENCE,
  })
  try {
    await moveWithKills(client, 0, { prefix: `copy-${process.pid}-`, isQuiet: true })
    for (const name of ['Users', 'Orders', 'Items', 'Shop']) {
      await client.send('DeleteTable', { TableName: `copy-${process.pid}-${name}` })
    }
  } finally {
    client.close()
  }
})

const USER = { pk: { S: 'USER#1' }, sk: { S: 'PROFILE' } }

test('the newest write wins, and a tombstone keeps a backfill from bringing an item back', async () => {
  const engine = createEngine()
  const shop = await createShop(engine)
  const schema = compileSchema(SCHEMA)
  const target = new CopyTarget({ transport: engine, tableName: 'Shop', schema, name: 'x' })
  const at = (seconds: number, sequenceNumber: string, epoch = 1) => ({
    epoch,
    seconds,
    sequenceNumber,
  })
  const write = (version: ReturnType<typeof at> | { epoch: number }, name?: string) =>
    target.write({
      key: USER,
      ...(name !== undefined && { item: { ...USER, name: { S: name } } }),
      version,
      row: '["users",{"id":{"S":"1"}}]',
      where: 'row',
    })
  const content = async () =>
    (await shop.scan('Shop')).filter(({ name }) => name).map(({ name }) => name?.S)
  expect(await write({ epoch: 1 }, 'backfill')).toBe(true)
  expect(await write(at(20, '9'), 'second 20')).toBe(true)
  expect(await write(at(19, '10'), 'second 19')).toBe(false)
  expect(await write(at(20, '10'), 'later in second 20')).toBe(true)
  expect(await content()).toEqual(['later in second 20'])
  expect(await write(at(30, '1'))).toBe(true)
  expect(await write({ epoch: 1 }, 'backfill')).toBe(false)
  expect(await write(at(29, '1'), 'second 29')).toBe(false)
  expect(await content()).toEqual([])
  // A copy that begins again is newer than all that an earlier one did.
  expect(await write({ epoch: 2 }, 'again')).toBe(true)
  expect(await write(at(31, '1'), 'of the first copy')).toBe(false)
  expect(await content()).toEqual(['again'])
  expect(await target.removeVersions(new AbortController().signal)).toBe(1)
})

test('a row that is deleted between the scan of the backfill and its write stays deleted', async () => {
  const engine = createEngine()
  const shop = await createShop(engine)
  await shop.put('Users', { id: { S: '1' }, email: { S: 'a@x' } })
  await shop.advance(true)
  await shop.copy()
  await shop.advance()
  // The scan of the backfill is answered late: when the row is gone, and the stream has said so.
  let isHeld = true
  const send = async (operation: OperationName, request: never, options: never) => {
    const response = await engine.send(operation, request, options)
    const { TableName } = request as { TableName?: string }
    if (operation === 'Scan' && TableName === 'Users' && isHeld) {
      const { Count } = response as { Count?: number }
      if (Count === 0) return response
      isHeld = false
      await shop.delete('Users', { id: { S: '1' } })
      const isCopied = async () => (await foundItems(shop)).length === 0
      const tombstones = async () =>
        (await shop.scan('Shop')).filter(({ tombstone }) => tombstone).length
      while (!(await isCopied()) || (await tombstones()) === 0) {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
    return response
  }
  await shop.copy({ transport: { send } as Transport })
  expect(isHeld).toBe(false)
  expect(await foundItems(shop)).toEqual([])
})

test('a copy that missed records says so, and begins again without what was deleted meanwhile', async () => {
  const engine = createEngine()
  const shop = await createShop(engine)
  await shop.put('Users', { id: { S: '1' }, email: { S: 'a@x' } })
  await shop.put('Users', { id: { S: '2' }, email: { S: 'b@x' } })
  await shop.advance(true)
  await shop.copy()
  await shop.advance()
  await shop.copy()
  await shop.advance()
  // While nobody copies, the stream is switched off and on again.
  const stream = (StreamEnabled: boolean) =>
    engine.send('UpdateTable', {
      TableName: 'Users',
      StreamSpecification: {
        StreamEnabled,
        ...(StreamEnabled && { StreamViewType: 'NEW_AND_OLD_IMAGES' }),
      },
    })
  await stream(false)
  await shop.delete('Users', { id: { S: '1' } })
  await expect(shop.copy()).rejects.toThrow('The table "Users" has no stream.')
  await stream(true)
  await expect(shop.copy()).rejects.toThrow('has another stream than before')
  expect((await shop.cutover.status()).obstacles.join()).toContain('cutover copy --restart')
  const report = await shop.copy({ isRestart: true })
  expect(report).toMatchObject({ epoch: 2, isBackfilled: true, convergence: { different: 0 } })
  expect(await foundItems(shop)).toEqual(['USER#2 PROFILE b@x 0 orders, 0', 'guard of b@x'])
})

test('a comparison finds what was changed behind the back of the copy', async () => {
  const engine = createEngine()
  const shop = await createShop(engine)
  for (const id of ['1', '2', '3']) {
    await shop.put('Users', { id: { S: id }, email: { S: `${id}@x` } })
  }
  await shop.advance(true)
  await shop.copy()
  await shop.advance()
  await shop.copy()
  await shop.advance()
  const TableName = 'Shop'
  await engine.send('DeleteItem', { TableName, Key: USER })
  await engine.send('UpdateItem', {
    TableName,
    Key: { ...USER, pk: { S: 'USER#2' } },
    UpdateExpression: 'SET email = :new',
    ExpressionAttributeValues: { ':new': { S: 'changed' } },
  })
  await engine.send('PutItem', {
    TableName,
    Item: { ...USER, pk: { S: 'USER#9' }, _type: { S: 'User' }, userId: { S: '9' } },
  })
  const { convergence } = await shop.copy()
  expect(convergence).toMatchObject({
    different: 3,
    models: { User: { source: { items: 3 }, table: { items: 3 } } },
  })
  expect(convergence?.examples.join('\n')).toMatch(
    /USER#1","PROFILE"\] is not in the table: \["users",\{"id":\{"S":"1"\}\}\]/,
  )
  expect(convergence?.examples.join('\n')).toContain('["USER#2","PROFILE"] differs')
  expect(convergence?.examples.join('\n')).toContain('["USER#9","PROFILE"] is in the table, and no')
  await expect(shop.advance()).rejects.toThrow('the stores have not been compared')
})

test('two rows with the same key are reported, both in the backfill and by the streams', async () => {
  const engine = createEngine()
  const shop = await createShop(engine)
  const definition = { ...mappingOf(''), emit: { User: mappingOf('').emit.User ?? [] } }
  const byEmail = {
    ...definition,
    sources: { users: definition.sources.users! },
    emit: { User: [{ from: 'users', set: { userId: 'name' } }] },
    drop: { 'users.id': 'not in the new table' },
  }
  await shop.advance(true)
  await shop.copy({ definition: byEmail })
  await shop.put('Users', { id: { S: '1' }, name: { S: 'a' } })
  await shop.advance()
  await shop.copy({ definition: byEmail })
  await shop.put('Users', { id: { S: '2' }, name: { S: 'a' } })
  await shop.advance()
  const { convergence } = await shop.copy({ definition: byEmail })
  expect(convergence?.examples.join()).toContain('is given by more than one row')
  await expect(shop.copy({ definition: byEmail, isRestart: true })).rejects.toMatchObject({
    message: 'Two rows give the same key: ["USER#a","PROFILE"].',
    where: 'table "Users", id "1" and table "Users", id "2"',
  })
})

test('one process does what each phase asks for, and ends when it is asked to', async () => {
  const engine = createEngine()
  const shop = await createShop(engine)
  await shop.put('Users', { id: { S: '1' }, email: { S: 'a@x' } })
  await shop.advance(true)
  const controller = new AbortController()
  const copying = shop.copy({ isOnce: false, signal: controller.signal })
  for (const phase of ['backfill', 'verify', 'shadow-read']) {
    const isReady = async () => {
      const { obstacles } = await shop.cutover.status()
      return obstacles.every((each) => each.startsWith('applications may not know'))
    }
    while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await shop.advance()).phase).toBe(phase)
  }
  controller.abort()
  expect(await copying).toMatchObject({ isBackfilled: true, convergence: { different: 0 } })
  expect(await foundItems(shop)).toEqual(['USER#1 PROFILE a@x 0 orders, 0', 'guard of a@x'])
})

test('two live copies at once: one works, the other is refused with the name of the first', async () => {
  const shop = await createShop(createEngine())
  await shop.put('Users', { id: { S: '1' }, email: { S: 'a@x' } })
  await shop.advance(true)
  const controller = new AbortController()
  const first = shop.copy({ isOnce: false, signal: controller.signal, owner: 'ada@laptop' })
  const isLocked = async () =>
    (await shop.scan('Shop')).some(({ sk }) => sk?.S === 'default#NOTE#LOCK')
  while (!(await isLocked())) await new Promise((resolve) => setTimeout(resolve, 10))
  await expect(shop.copy()).rejects.toMatchObject({
    message: 'Another process copies these tables: ada@laptop, which was active 0 s ago.',
    fix: 'wait for it; if it is dead, wait a minute or pass --take-over',
  })
  controller.abort()
  await first
  expect(await isLocked()).toBe(false)
  await shop.copy()
})

test('a live copy whose lock was taken writes nothing more, and says so', async () => {
  const engine = createEngine()
  const shop = await createShop(engine)
  const notes = new CopyNotes({
    transport: engine,
    tableName: 'Shop',
    schema: compileSchema(SCHEMA),
    name: 'default',
  })
  let nowMs = 0
  const lockOf = (owner: string) => new CopyLock({ notes, owner, now: () => nowMs })
  const [first, second] = [lockOf('first'), lockOf('second')]
  await first.acquire(false)
  nowMs += 49_000
  first.require()
  nowMs += 1_000
  expect(() => first.require()).toThrow('The lock was lost')
  nowMs += 10_000
  await second.acquire(false)
  await expect(first.beat()).rejects.toThrow('The lock was lost')
  await first.release()
  second.require()
  await expect(lockOf('third').acquire(false)).rejects.toThrow('second, which was active 0 s ago')
  await lockOf('third').acquire(true)
  await expect(second.beat()).rejects.toThrow('The lock was lost')
  await shop.transport.send('DeleteTable', { TableName: 'Shop' })
})

test('a live copy consumes no more than its rate', async () => {
  const shop = await createShop(createEngine())
  for (let id = 0; id < 20; id++) {
    await shop.put('Users', { id: { S: String(id) }, email: { S: `${id}@x` } })
  }
  await shop.advance(true)
  let units = 0
  const begin = performance.now()
  const now = () => performance.now()
  await shop.copy({ now, unitsPerSecond: 200, onUnits: (consumed) => (units = consumed) })
  // Two items for each user and a version for each of them, all in transactions.
  expect(units).toBeGreaterThan(20 * 2 * 4)
  // What a quiet second leaves over can be used at once.
  expect(performance.now() - begin).toBeGreaterThan((units / 200 - 1) * 1_000 * 0.9)
})

test('a comparison finds a counter that is wrong', async () => {
  const engine = createEngine()
  const shop = await createShop(engine)
  await shop.put('Users', { id: { S: '1' }, email: { S: 'a@x' } })
  for (const id of ['1', '2']) {
    const order = { id: { S: id }, user: { S: '1' }, day: { S: 'd' }, status: { S: 'paid' } }
    await shop.put('Orders', { ...order, total: { N: '0.25' } })
  }
  await shop.advance(true)
  await shop.copy()
  await shop.advance()
  await shop.copy()
  await shop.advance()
  expect(await foundItems(shop)).toEqual(await expectedItems(shop))
  await engine.send('UpdateItem', {
    TableName: 'Shop',
    Key: USER,
    UpdateExpression: 'SET orders = :wrong',
    ExpressionAttributeValues: { ':wrong': { N: '3' } },
  })
  expect((await shop.copy()).convergence).toMatchObject({
    different: 1,
    examples: ['["USER#1","PROFILE"] has 3 in "orders", and its items give 2'],
  })
  await shop.copy({ isRestart: true })
  expect(await foundItems(shop)).toEqual(await expectedItems(shop))
})
