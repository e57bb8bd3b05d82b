import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listen } from '@singletable/kit/server'
import { columns, defineImport, dynamodbTable } from '@singletable/kit/import'
import { defineSchema, Table } from 'singletable'
import { Cutover, type CopyReport } from 'singletable/cutover'
import { connect } from 'singletable/direct'
import { createEngine } from 'singletable/engine'
import {
  compileSchema,
  type Item,
  type OperationName,
  seededRandom,
  type Transport,
} from 'singletable/tools'
import { afterAll, expect, test } from 'vitest'
import { CopyTarget } from '../../packages/kit/src/cutover/copy-target.ts'
import { type LiveCopyOptions, runLiveCopy } from '../../packages/kit/src/cutover/live-copy.ts'
import { refereePort } from '../referee/referee-port.ts'

// A process that dies leaves its temporary files behind.
const folder = mkdtempSync(path.join(tmpdir(), 'singletable-live-copy-'))
process.env.TMPDIR = folder
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SEED = Number(process.env.COPY_SEED ?? Date.now() % 1_000_000)
const KILLS = Number(process.env.COPY_KILLS ?? 8)

const port = await refereePort()
/** On a machine under load DynamoDB Local takes its time. */
const PATIENCE = { connectionTimeoutMs: 60_000, requestTimeoutMs: 60_000 }

const SCHEMA = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, GSI1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    User: {
      key: { pk: 'USER#${userId}', sk: 'PROFILE' },
      attributes: {
        userId: { type: String, required: true },
        email: { type: String, unique: true },
      },
    },
    Order: {
      key: { pk: 'USER#${userId}', sk: 'ORDER#${day}#${orderId}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'ORDER#${orderId}' },
      copies: { OrderOfDay: { key: { pk: 'DAY#${day}', sk: 'ORDER#${orderId}#${userId}' } } },
      attributes: {
        userId: { type: String, required: true },
        orderId: { type: String, required: true },
        day: { type: String, required: true },
        status: { type: String, required: true },
        total: { type: 'decimal' },
      },
    },
    OrderItem: {
      key: { pk: 'ORDER#${orderId}', sk: 'ITEM#${itemId}' },
      attributes: {
        orderId: { type: String, required: true },
        itemId: { type: String, required: true },
        quantity: { type: Number },
      },
    },
  },
  params: { timestamps: true },
})

/** Names of the tables differ, because several tests share one DynamoDB Local. */
function mappingOf(prefix: string) {
  return defineImport(SCHEMA, {
    sources: {
      users: dynamodbTable(`${prefix}Users`),
      orders: dynamodbTable(`${prefix}Orders`),
      items: dynamodbTable(`${prefix}Items`),
    },
    emit: {
      User: { from: 'users', set: { userId: 'id', email: 'email' } },
      Order: {
        from: 'orders',
        set: { orderId: 'id', userId: 'user', day: 'day', status: 'status', total: 'total' },
      },
      OrderItem: {
        from: 'items',
        where: columns(['n'], (n) => Number(n) > 0),
        set: { orderId: 'order', itemId: 'id', quantity: 'n' },
      },
    },
  })
}

async function createShop(transport: Transport, prefix = '') {
  const keys = { Users: ['id'], Orders: ['id'], Items: ['order', 'id'] }
  for (const [name, [hash = '', sort]] of Object.entries(keys)) {
    const names = [hash, ...(sort === undefined ? [] : [sort])]
    await transport.send('CreateTable', {
      TableName: prefix + name,
      KeySchema: names.map((AttributeName, at) => ({
        AttributeName,
        KeyType: at === 0 ? 'HASH' : 'RANGE',
      })),
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
  }
  const table = new Table({ name: `${prefix}Shop`, schema: SCHEMA, client: transport as never })
  await table.create()
  const clock = { now: 1_000_000 }
  const cutoverOn = (client: Transport): Cutover =>
    new Cutover(new Table({ name: table.name, schema: SCHEMA, client }), { now: () => clock.now })
  const cutover = cutoverOn(transport)
  const options: LiveCopyOptions = {
    transport,
    tableName: `${prefix}Shop`,
    definition: mappingOf(prefix),
    schema: compileSchema(SCHEMA),
    checksum: '1',
    cutover,
    name: 'default',
    now: () => clock.now,
    signal: new AbortController().signal,
    isOnce: true,
  }
  return {
    cutover,
    transport,
    copy: (change: Partial<LiveCopyOptions> = {}): Promise<CopyReport> =>
      runLiveCopy({
        ...options,
        ...change,
        // All requests of a process that dies end with it.
        ...(change.transport && { cutover: cutoverOn(change.transport) }),
      }),
    advance(isLiveCopy = false) {
      clock.now += 20_000
      return cutover.advance({ isLiveCopy })
    },
    back() {
      clock.now += 20_000
      return cutover.back()
    },
    clock,
    put: (name: string, Item: Item) =>
      transport.send('PutItem', { TableName: prefix + name, Item }),
    delete: (name: string, Key: Item) =>
      transport.send('DeleteItem', { TableName: prefix + name, Key }),
    scan: async (name: string): Promise<Item[]> => {
      const { Items = [] } = await transport.send('Scan', {
        TableName: prefix + name,
        ConsistentRead: true,
      })
      return Items
    },
  }
}

type Shop = Awaited<ReturnType<typeof createShop>>

/** What the new table should have, worked out from the rows without the code of the copy. */
async function expectedItems(shop: Shop): Promise<string[]> {
  const users = (await shop.scan('Users')).flatMap(({ id, email }) => [
    `USER#${id?.S} PROFILE ${email?.S}`,
    `guard of ${email?.S}`,
  ])
  const orders = (await shop.scan('Orders')).flatMap(({ id, user, day, status, total }) => {
    const content = `${status?.S} ${total?.N}`
    return [
      `USER#${user?.S} ORDER#${day?.S}#${id?.S} ${content}`,
      `DAY#${day?.S} ORDER#${id?.S}#${user?.S} ${content}`,
    ]
  })
  const items = (await shop.scan('Items'))
    .filter(({ n }) => Number(n?.N) > 0)
    .map(({ order, id, n }) => `ORDER#${order?.S} ITEM#${id?.S} ${n?.N}`)
  return [...users, ...orders, ...items].sort()
}

async function foundItems(shop: Shop): Promise<string[]> {
  const found = (await shop.scan('Shop')).filter(({ _type }) => _type?.S !== '_kit')
  return found
    .map(({ pk, sk, _type, email, status, total, quantity }) => {
      if (_type?.S === '_unique') return `guard of ${String(pk?.S).split('#').at(-1)}`
      const content = email?.S ?? (status === undefined ? quantity?.N : `${status.S} ${total?.N}`)
      return `${pk?.S} ${sk?.S} ${content}`
    })
    .sort()
}

/** An application that puts, changes and deletes rows until it is stopped. */
function startWriter(shop: Shop, seed: number) {
  const random = seededRandom(seed)
  const upTo = (count: number): number => Math.floor(random() * count)
  let isStopped = false
  let writes = 0
  const write = async (): Promise<void> => {
    const id = String(upTo(40))
    const isDelete = random() < 0.3
    const table = upTo(3)
    if (table === 0) {
      const key = { id: { S: id } }
      // Emails are of one user each, and change.
      if (isDelete) await shop.delete('Users', key)
      else await shop.put('Users', { ...key, email: { S: `${id}-${upTo(5)}@x` } })
    } else if (table === 1) {
      const key = { id: { S: id } }
      if (isDelete) await shop.delete('Orders', key)
      else {
        await shop.put('Orders', {
          ...key,
          user: { S: String(upTo(5)) },
          day: { S: `2024-01-0${1 + upTo(3)}` },
          status: { S: ['open', 'paid'][upTo(2)] ?? '' },
          total: { N: `${upTo(100)}.25` },
        })
      }
    } else {
      const key = { order: { S: String(upTo(8)) }, id: { S: id } }
      if (isDelete) await shop.delete('Items', key)
      else await shop.put('Items', { ...key, n: { N: String(upTo(4)) } })
    }
    writes++
  }
  const running = (async () => {
    while (!isStopped) {
      await write()
      await new Promise((resolve) => setTimeout(resolve, 8))
    }
  })()
  return {
    async some(count: number) {
      for (let at = 0; at < count; at++) await write()
    },
    async stop() {
      isStopped = true
      await running
      return writes
    },
  }
}

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
      if ((await Promise.race([shop.copy(life), life.died])) === 'died') killed++
    }
    if (isQuiet) await writer.some(20)
    return shop.copy()
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
  expect(report.convergence, `seed ${SEED}`).toMatchObject({ different: 0 })
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
  expect(await shop.copy()).toMatchObject({ drainedAt: expect.any(Number), isEnded: true })
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
  expect(await foundItems(shop)).toEqual(['USER#2 PROFILE b@x', 'guard of b@x'])
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
  expect(await foundItems(shop)).toEqual(['USER#1 PROFILE a@x', 'guard of a@x'])
})
