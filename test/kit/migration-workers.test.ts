import { createEngine } from 'singletable/engine'
import {
  addAttribute,
  countItems,
  defineMigration,
  rekey,
  renameAttribute,
} from 'singletable/migrations'
import { systemEnvironment, type Transport } from 'singletable/tools'
import { expect, test } from 'vitest'
import { joinMigration } from '../../packages/kit/src/migrate/join-migration.ts'
import { LOCK_MS } from '../../packages/kit/src/migrate/journal.ts'
import { runMigration, segmentsOf } from '../../packages/kit/src/migrate/run-migration.ts'
import { runPass } from '../../packages/kit/src/migrate/run-pass.ts'
import { dump, migrate, open, runOptions, schemaOf } from './migration-fixture.ts'

const tableName = 'Blog'

test('four workers share one migration: each segment is done once, and each item changed once', async () => {
  const engine = createEngine()
  const change = {
    before: schemaOf({}),
    after: schemaOf({ plan: { type: String, required: true } }),
    steps: [addAttribute('User', 'plan', 'free')],
  }
  const old = open(change.before, { transport: engine, tableName })
  await old.table.create()
  for (let id = 0; id < 400; id++) await old.entities.User.put({ id: String(id) })
  let updates = 0
  const startedSegments: unknown[] = []
  const transport: Transport = {
    send: (operation, request, options) => {
      if (operation === 'UpdateItem') updates++
      const { Segment, ExclusiveStartKey } = request as {
        Segment?: number
        ExclusiveStartKey?: object
      }
      if (operation === 'Scan' && !ExclusiveStartKey) startedSegments.push(Segment)
      return engine.send(operation, request, options)
    },
  }
  const optionsOf = () => runOptions({ transport, tableName }, change, { segments: 8 })
  const leader = optionsOf()
  await leader.journal.acquire()
  const leading = runMigration(leader)
  const joined = [1, 2, 3].map(() => joinMigration(optionsOf()))
  expect(await leading).toBe(true)
  expect(await Promise.all(joined)).toEqual([true, true, true])
  await leader.journal.release()
  expect(updates).toBe(400)
  // Two passes: the second one finds nothing to change.
  const once = [0, 1, 2, 3, 4, 5, 6, 7]
  expect(startedSegments.sort()).toEqual([...once, ...once].sort())
})

test('a run works on several segments at once, and its progress counts all of them', async () => {
  const change = {
    before: schemaOf({}),
    after: schemaOf({ plan: { type: String, required: true } }),
    steps: [addAttribute('User', 'plan', 'free')],
  }
  const engine = createEngine()
  const { table, entities } = open(change.before, { transport: engine, tableName })
  await table.create()
  for (let id = 0; id < 100; id++) await entities.User.put({ id: String(id) })
  const scans = { now: 0, most: 0 }
  const transport: Transport = {
    async send(operation, request, options) {
      if (operation !== 'Scan') return engine.send(operation, request, options)
      scans.most = Math.max(scans.most, ++scans.now)
      await new Promise((resolve) => setImmediate(resolve))
      return engine.send(operation, request, options).finally(() => scans.now--)
    },
  }
  const seen: number[] = []
  const onProgress = ({ read }: { readonly read: number }) => void seen.push(read)
  await migrate({ transport, tableName }, change, { segments: 6, onProgress })
  expect(scans.most).toBeGreaterThan(1)
  // The users and the journal; the items of the segments are counted in part.
  expect(Math.max(...seen)).toBeGreaterThan(100)
  expect(Math.max(...seen)).toBeLessThan(120)
})

test('a second process is refused while the first one works', async () => {
  const change = { before: schemaOf({}), after: schemaOf({}), steps: [] }
  const place = { transport: createEngine(), tableName }
  await open(change.before, place).table.create()
  const { journal: first } = runOptions(place, change)
  const { journal: second } = runOptions(place, change)
  await first.acquire()
  await expect(second.acquire()).rejects.toThrow('Another process migrates this table: test')
  await first.release()
  await second.acquire()
})

test('a request to pause or abort reaches the process that works', async () => {
  const change = {
    before: schemaOf({}),
    after: schemaOf({ plan: { type: String } }),
    steps: [addAttribute('User', 'plan', 'free')],
  }
  const engine = createEngine()
  const asked = new AbortController()
  const requests: string[] = []
  const transport: Transport = {
    async send(operation, request, options) {
      while (operation === 'Scan' && requests.length === 0) {
        await new Promise((resolve) => setImmediate(resolve))
      }
      return engine.send(operation, request, options)
    },
  }
  const place = { transport, tableName }
  await open(change.before, place).table.create()
  const options = runOptions(place, change, {
    // A sign of life at once, and not after seconds.
    environment: {
      ...systemEnvironment,
      schedule: (callback) => {
        const timer = setImmediate(callback)
        return () => clearImmediate(timer)
      },
    },
    signal: asked.signal,
    onRequest(request) {
      requests.push(request)
      asked.abort()
    },
  })
  await options.journal.acquire()
  await runOptions(place, change).journal.ask('abort')
  expect(await runMigration(options)).toBe(false)
  expect(requests).toEqual(['abort'])
})

test('children whose parent is missing are listed before anything is counted', async () => {
  const comment = {
    Comment: {
      key: { pk: 'USER#${id}', sk: 'COMMENT#${n}' },
      attributes: { id: { type: String, required: true }, n: { type: String, required: true } },
    },
  }
  const change = {
    before: schemaOf({}, {}, comment),
    after: schemaOf({ comments: { type: Number, counts: 'Comment' } }, {}, comment),
    steps: [countItems('User', 'comments')],
  }
  const place = { transport: createEngine(), tableName }
  const { table, entities } = open(change.before, place)
  await table.create()
  await entities.User.put({ id: '1' })
  await entities.Comment.put({ id: '1', n: '1' })
  await entities.Comment.put({ id: '2', n: '1' })
  await expect(migrate(place, change)).rejects.toThrow(
    '["USER#2","COMMENT#1"] is counted by ["USER#2","USER"], which does not exist',
  )
  expect((await dump(place)).filter(({ comments }) => comments)).toEqual([])
  await entities.User.put({ id: '2' })
  expect(await migrate(place, change)).toBe(true)
  expect(await open(change.after, place).entities.User.get({ id: '2' })).toMatchObject({
    comments: 1,
  })
})

test('who takes the lock of a dead process takes its segments at once, and no others', async () => {
  const change = { before: schemaOf({}), after: schemaOf({}), steps: [] }
  const place = { transport: createEngine(), tableName }
  await open(change.before, place).table.create()
  const record = { startedAt: '', step: 0, pass: 0, segments: 2, state: 'running' } as const
  const [dead, leader, joined] = [1, 2, 3].map(() => runOptions(place, change))
  const segments = (options = leader!) => segmentsOf(options, { ...record, checksum: 'x' })
  await dead!.journal.acquire()
  await segments(dead).lease()
  await segments(joined).lease()
  await leader!.journal.unlock(true)
  await leader!.journal.acquire()
  const own = segments()
  expect(await own.lease()).toMatchObject({ number: 0 })
  expect(await own.lease()).toBe('busy')
})

test.each([
  [
    'without strict fencing, a process that has not noticed that it lost its lock still writes',
    false,
  ],
  ['with strict fencing, a process that lost its lock writes nothing', true],
])('%s', async (_title, isFenced) => {
  const change = {
    before: schemaOf({ mail: { type: String } }),
    after: schemaOf({ email: { type: String } }),
    steps: [renameAttribute('User', 'mail', 'email')],
  }
  const engine = createEngine()
  const { table, entities } = open(change.before, { transport: engine, tableName })
  await table.create()
  for (let id = 0; id < 20; id++) await entities.User.put({ id: String(id), mail: 'a@x' })
  const other = runOptions({ transport: engine, tableName }, change)
  let isTaken = false
  const transport: Transport = {
    async send(operation, request, options) {
      const isData = operation === 'UpdateItem' || operation === 'TransactWriteItems'
      if (isData && !isTaken) {
        isTaken = true
        await other.journal.unlock(true)
        await other.journal.acquire()
      }
      return engine.send(operation, request, options)
    },
  }
  const lost = migrate({ transport, tableName }, change, { isFenced }).catch(String)
  expect(await lost).toContain('The lock was lost')
  const renamed = (await dump({ transport: engine, tableName })).filter(({ email }) => email)
  expect(renamed.length > 0).toBe(!isFenced)
})

test('with strict fencing, a migration is carried out by its leader and by who joins', async () => {
  const change = {
    before: schemaOf({ mail: { type: String } }),
    after: schemaOf({ email: { type: String } }),
    steps: [renameAttribute('User', 'mail', 'email')],
  }
  const engine = createEngine()
  const { table, entities } = open(change.before, { transport: engine, tableName })
  await table.create()
  for (let id = 0; id < 40; id++) await entities.User.put({ id: String(id), mail: 'a@x' })
  const unchecked: string[] = []
  const transport: Transport = {
    send(operation, request, options) {
      const text = JSON.stringify(request)
      if (text.includes('"USER') && /^(Update|Put|Transact)/.test(operation)) {
        if (!text.includes('ConditionCheck')) unchecked.push(text)
      }
      return engine.send(operation, request, options)
    },
  }
  const place = { transport, tableName }
  const leader = runOptions(place, change, { isFenced: true, segments: 8 })
  await leader.journal.acquire()
  const joined = joinMigration(runOptions(place, change, { isFenced: true }))
  expect(await runMigration(leader)).toBe(true)
  expect(await joined).toBe(true)
  expect(unchecked).toEqual([])
  const items = await dump({ transport: engine, tableName })
  expect(items.filter(({ email }) => email)).toHaveLength(40)
})

test('a pass that is killed after any of its pages, and taken up again, leaves nothing in the old form', async () => {
  const change = {
    before: schemaOf({}),
    after: schemaOf({ plan: { type: String } }),
    steps: [addAttribute('User', 'plan', 'free')],
  }
  for (let diesAt = 1; diesAt < 12; diesAt++) {
    const engine = createEngine()
    const { table, entities } = open(change.before, { transport: engine, tableName })
    await table.create()
    for (let id = 0; id < 3; id++) await entities.User.put({ id: String(id) })
    const run = (transport: Transport, laterMs: number) => {
      const environment = { ...systemEnvironment, now: () => Date.now() + laterMs }
      const options = runOptions({ transport, tableName }, change, { environment })
      const record = { startedAt: '', step: 0, pass: 0, segments: 2, state: 'running' } as const
      return runPass({
        transport,
        tableName,
        versions: { ...options, steps: change.steps },
        count: async () => false,
        isDry: false,
        segments: segmentsOf(options, { ...record, checksum: 'x' }),
        total: 2,
        signal: options.signal,
        requireLock() {},
        onProgress() {},
      })
    }
    let requests = 0
    let die: () => void
    const death = new Promise<void>((resolve) => {
      die = resolve
    })
    const mortal: Transport = {
      send(operation, request, options) {
        if (++requests < diesAt) return engine.send(operation, request, options)
        die()
        return new Promise(() => {})
      },
    }
    await Promise.race([run(mortal, 0), death])
    expect(await run(engine, 2 * LOCK_MS)).toBe(true)
    const left = (await dump({ transport: engine, tableName })).filter(({ plan }) => !plan)
    expect(left, `killed at request ${diesAt}`).toEqual([])
  }
})

test('the steps of a migration are frozen', () => {
  expect(Object.isFrozen(defineMigration({ steps: [rekey('User')] }).steps)).toBe(true)
})
