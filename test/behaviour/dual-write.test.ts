import { defineSchema, Table, type Transport } from 'singletable'
import { Cutover, type DualWriteOptions, dualWrite } from 'singletable/cutover'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${id}', sk: 'USER' },
      attributes: {
        id: { type: String, required: true },
        name: { type: String },
        at: { type: Date },
        n: { type: BigInt },
      },
    },
  },
})

interface User {
  readonly id: string
  readonly name?: string
  readonly at?: Date
  readonly n?: bigint
}

interface Users {
  save(user: User): Promise<void>
  remove(id: string): Promise<void>
  get(id: string): Promise<User | undefined>
  list(): Promise<number>
}

/** Two stores that can be switched off, and calls that can be held up. */
async function startMove(given: Partial<DualWriteOptions<Users>> = {}) {
  const engine = createEngine()
  const table = new Table({ name: 'Users', schema, client: engine })
  await table.create()
  const rows = new Map<string, User>()
  const down = { old: false, new: false }
  /** What a call waits for before it is carried out, by store and name of the user. */
  const held = new Map<string, Promise<void>>()
  const storeOf = (side: 'old' | 'new', users: Users): Users => {
    const before = async (name = ''): Promise<void> => {
      if (down[side]) throw new Error(`${side} is down`)
      await held.get(`${side} ${name}`)
    }
    return {
      save: async (user) => before(user.name).then(() => users.save(user)),
      remove: async (id) => before().then(() => users.remove(id)),
      get: async (id) => before().then(() => users.get(id)),
      list: async () => before().then(() => users.list()),
    }
  }
  const old = storeOf('old', {
    save: async (user) => void rows.set(user.id, user),
    remove: async (id) => void rows.delete(id),
    get: async (id) => rows.get(id),
    list: async () => rows.size,
  })
  const items = storeOf('new', {
    save: async (user) => void (await table.entities.User.put(user)),
    remove: async (id) => void (await table.entities.User.delete({ id })),
    get: async (id) => (await table.entities.User.get({ id })) as User | undefined,
    list: async () => (await table.entities.User.scan()).length,
  })
  const clock = { now: 1_000_000 }
  const problems: string[] = []
  const options: DualWriteOptions<Users> = {
    table,
    old,
    new: items,
    writes: { save: ({ id }) => id, remove: (id) => id },
    async repair(id, from, to) {
      const user = await from.get(id)
      await (user ? to.save(user) : to.remove(id))
    },
    onProblem: ({ kind, method }) => problems.push(`${kind}: ${method}`),
    now: () => clock.now,
    ...given,
  }
  const cutover = new Cutover(table, { now: options.now! })
  const app = dualWrite(options)
  const toPhase = async (phase: string): Promise<void> => {
    for (;;) {
      const state = await cutover.state()
      if (state.phase === phase) break
      if (state.phase === 'shadow-read') {
        await app.repository.get('0')
        await app.flush()
      }
      if (state.phase === 'backfill' || state.phase === 'verify') await cutover.note(state.phase)
      await cutover.advance({ allowUncompared: ['get', 'list'] })
      clock.now += 20_000
    }
  }
  /** Both stores, without what the move needs. */
  const bothOf = async (id: string) => [await old.get(id), await items.get(id)]
  return {
    ...app,
    app,
    options,
    cutover,
    toPhase,
    rows,
    items,
    down,
    held,
    clock,
    problems,
    bothOf,
    engine,
    table,
  }
}

test('a repair brings the newest write over, not the one that was missed', async () => {
  const { repository, repair, cutover, toPhase, down, bothOf, problems } = await startMove()
  await toPhase('dual-write')
  down.new = true
  await repository.save({ id: '1', name: 'first' })
  down.new = false
  expect(problems).toEqual(['missed write: save'])
  await expect(cutover.advance()).rejects.toThrow(
    'the new store is missing 1 write: call repair() of dualWrite',
  )
  expect(await cutover.missedWrites()).toMatchObject([
    { key: '1', side: 'new', method: 'save', reason: 'new is down' },
  ])
  await repository.save({ id: '1', name: 'second' })
  expect(await bothOf('1')).toEqual([
    { id: '1', name: 'second' },
    { id: '1', name: 'second' },
  ])
  // The second write has repaired what the first one left.
  expect(await repair()).toEqual({ repaired: 0, left: [] })
  expect(await cutover.missedWrites()).toEqual([])
})

test('a repair does not bring a deleted item back', async () => {
  const { repository, repair, toPhase, down, rows, bothOf } = await startMove()
  await toPhase('dual-write')
  down.new = true
  await repository.save({ id: '1', name: 'first' })
  await repository.remove('1')
  down.new = false
  expect(rows.size).toBe(0)
  expect(await repair()).toEqual({ repaired: 1, left: [] })
  expect(await bothOf('1')).toEqual([undefined, undefined])
})

test('of many writes missed in one millisecond the last one counts', async () => {
  const { repository, repair, toPhase, down, bothOf } = await startMove()
  await toPhase('dual-write')
  down.new = true
  for (let at = 0; at < 12; at++) await repository.save({ id: '1', name: `v${at}` })
  down.new = false
  expect(await repair()).toEqual({ repaired: 1, left: [] })
  expect(await bothOf('1')).toMatchObject([{ name: 'v11' }, { name: 'v11' }])
})

test('a write of values that JSON does not know is repaired as it was', async () => {
  const { repository, repair, toPhase, down, bothOf } = await startMove()
  await toPhase('dual-write')
  down.new = true
  const user = { id: '1', at: new Date(5), n: 12345678901234567890n }
  await repository.save(user)
  down.new = false
  await repair()
  expect(await bothOf('1')).toEqual([user, user])
})

test('a store that is still down is reported by the repair, and keeps its missed writes', async () => {
  const { repository, repair, toPhase, down } = await startMove()
  await toPhase('dual-write')
  down.new = true
  await repository.save({ id: '1', name: 'first' })
  expect(await repair()).toEqual({ repaired: 0, left: [{ key: '1', reason: 'new is down' }] })
  down.new = false
  expect(await repair()).toEqual({ repaired: 1, left: [] })
})

test('a move does not go back while the old store is missing a write', async () => {
  const { repository, repair, cutover, toPhase, down, clock } = await startMove()
  await toPhase('write-new+old')
  down.old = true
  await repository.save({ id: '9', name: 'nine' })
  down.old = false
  await expect(cutover.back()).rejects.toThrow('The old store is missing 1 write')
  expect(await repair()).toEqual({ repaired: 1, left: [] })
  await cutover.back()
  await cutover.back()
  clock.now += 20_000
  expect(await repository.get('9')).toMatchObject({ name: 'nine' })
})

test('a move goes back although the new store is missing a write, because it is the way out', async () => {
  const { repository, cutover, toPhase, down, clock } = await startMove()
  await toPhase('read-new')
  down.new = true
  await repository.save({ id: '1', name: 'first' })
  expect((await cutover.back()).phase).toBe('shadow-read')
  clock.now += 20_000
  expect(await repository.get('1')).toMatchObject({ name: 'first' })
})

test('the store that led at a write is what counts, although the move went back meanwhile', async () => {
  const { repository, cutover, repair, toPhase, down, held, clock, bothOf } = await startMove()
  await toPhase('write-new+old')
  let fail = (_error: Error): void => {}
  held.set('old first', new Promise((_, reject) => (fail = reject)))
  const first = repository.save({ id: '1', name: 'first' })
  await expect.poll(async () => (await bothOf('1'))[1]).toMatchObject({ name: 'first' })
  await cutover.back()
  clock.now += 20_000
  down.old = true
  fail(new Error('no answer'))
  await first
  down.old = false
  held.clear()
  expect(await cutover.missedWrites()).toMatchObject([{ key: '1', side: 'old' }])
  expect(await repair()).toEqual({ repaired: 1, left: [] })
  expect(await bothOf('1')).toMatchObject([{ name: 'first' }, { name: 'first' }])
})

test('a process that dies between its two writes leaves a mark that is repaired a minute later', async () => {
  const { repository, repair, cutover, toPhase, held, clock, bothOf } = await startMove()
  await toPhase('dual-write')
  held.set('new first', new Promise(() => {}))
  void repository.save({ id: '1', name: 'first' })
  await expect.poll(() => bothOf('1')).toMatchObject([{ name: 'first' }, undefined])
  held.clear()
  // It may be a call that has not ended yet.
  expect(await repair()).toEqual({ repaired: 0, left: [] })
  clock.now += 60_000
  expect(await cutover.missedWrites()).toMatchObject([{ key: '1', reason: 'the call did not end' }])
  expect(await repair()).toEqual({ repaired: 1, left: [] })
  expect(await bothOf('1')).toMatchObject([{ name: 'first' }, { name: 'first' }])
})

test('two processes that write the same thing at once leave both stores equal', async () => {
  const { repository, options, cutover, toPhase, held, bothOf } = await startMove()
  await toPhase('dual-write')
  let release = (): void => {}
  held.set('new first', new Promise((resolve) => (release = resolve)))
  const first = repository.save({ id: '1', name: 'first' })
  await expect.poll(async () => (await bothOf('1'))[0]).toMatchObject({ name: 'first' })
  // The second overtakes the first on its way to the new store.
  await dualWrite(options).repository.save({ id: '1', name: 'second' })
  release()
  await first
  expect(await bothOf('1')).toMatchObject([{ name: 'second' }, { name: 'second' }])
  expect(await cutover.missedWrites()).toEqual([])
})

test('a write that began before the move and ends during it reaches the new store', async () => {
  const { repository, options, toPhase, held, bothOf } = await startMove()
  let release = (): void => {}
  held.set('old first', new Promise((resolve) => (release = resolve)))
  const first = repository.save({ id: '1', name: 'first' })
  await toPhase('dual-write')
  await dualWrite(options).repository.save({ id: '1', name: 'second' })
  release()
  await first
  expect(await bothOf('1')).toMatchObject([{ name: 'first' }, { name: 'first' }])
})

test('what is written after a move went back to its start is repaired when it begins again', async () => {
  const { repository, repair, cutover, toPhase, clock, bothOf } = await startMove()
  await toPhase('dual-write')
  await repository.save({ id: '1', name: 'first' })
  await cutover.back()
  clock.now += 20_000
  await repository.save({ id: '1', name: 'second' })
  expect(await bothOf('1')).toMatchObject([{ name: 'second' }, { name: 'first' }])
  expect((await repair()).left).toEqual([{ key: '1', reason: 'the phase is off' }])
  await toPhase('dual-write')
  await expect(cutover.advance()).rejects.toThrow('the new store is missing 1 write')
  await repair()
  expect(await bothOf('1')).toMatchObject([{ name: 'second' }, { name: 'second' }])
})

test('a write fails before it changes anything if it can not be marked', async () => {
  const { options, engine, toPhase, rows } = await startMove()
  await toPhase('dual-write')
  const client: Transport = {
    async send(operation, request, given) {
      if (operation === 'UpdateItem') throw new Error('no table')
      return engine.send(operation, request, given)
    },
  }
  const table = new Table({ name: 'Users', schema, client })
  const { repository } = dualWrite({ ...options, table })
  await expect(repository.save({ id: '1', name: 'first' })).rejects.toThrow('no table')
  expect(rows.size).toBe(0)
})

test('a repository that does not say what its writes are about is refused', async () => {
  const { options } = await startMove()
  const without = { ...options, writes: ['save', 'remove'] } as never
  expect(() => dualWrite(without)).toThrow('Nothing says what a write is about')
  expect(() => dualWrite({ ...options, repair: undefined } as never)).toThrow('OPTION_INVALID')
  expect(() => dualWrite({ ...options, cacheMs: 5_001 })).toThrow('use 5000 or less')
  const { repository } = dualWrite({ ...options, writes: { save: () => '' } })
  await expect(repository.save({ id: '1' })).rejects.toThrow('save()')
  const none = dualWrite({ ...options, writes: { save: () => [] } })
  await expect(none.repository.save({ id: '1' })).rejects.toThrow('save()')
})

test('a key has at most as many bytes as fit into a sort key', async () => {
  const { repository, cutover, toPhase, down } = await startMove()
  await toPhase('dual-write')
  down.new = true
  for (const length of [1022, 1023]) await repository.remove('x'.repeat(length))
  await expect(repository.remove('x'.repeat(1024))).rejects.toThrow('a string of 1 to 1023 bytes')
  expect((await cutover.missedWrites()).map(({ key }) => key.length)).toEqual([1022, 1023])
})

test('a call that writes several things has a key for each', async () => {
  const { toPhase, down, options, cutover, bothOf } = await startMove()
  await toPhase('dual-write')
  const app = dualWrite({ ...options, writes: { ...options.writes, save: ({ id }) => [id, 'x'] } })
  down.new = true
  await app.repository.save({ id: '1', name: 'first' })
  down.new = false
  expect((await cutover.missedWrites()).map(({ key }) => key)).toEqual(['1', 'x'])
  expect(await app.repair()).toEqual({ repaired: 2, left: [] })
  expect(await bothOf('1')).toMatchObject([{ name: 'first' }, { name: 'first' }])
})

test('repositories of one move repair their own keys', async () => {
  const { options, toPhase, down, cutover, bothOf } = await startMove()
  await toPhase('dual-write')
  const repaired: string[] = []
  const apps = ['users', 'orders'].map((repository) =>
    dualWrite({
      ...options,
      repository,
      async repair(id, from, to) {
        repaired.push(`${repository} ${id}`)
        await options.repair(id, from, to)
      },
    }),
  )
  down.new = true
  for (const [at, { repository }] of apps.entries()) await repository.save({ id: String(at) })
  down.new = false
  repaired.length = 0
  expect(await apps[1]!.repair()).toEqual({ repaired: 1, left: [] })
  expect(repaired).toEqual(['orders 1'])
  expect(await cutover.missedWrites()).toMatchObject([{ repository: 'users', key: '0' }])
  expect(await apps[0]!.repair()).toEqual({ repaired: 1, left: [] })
  expect(await bothOf('0')).toEqual([{ id: '0' }, { id: '0' }])
  expect(Object.keys((await cutover.status()).reads)).toEqual([
    'orders.get',
    'orders.list',
    'users.get',
    'users.list',
  ])
})

test('a read that was never compared keeps the new store from being read, unless it is accepted', async () => {
  const { repository, flush, cutover, toPhase } = await startMove()
  await toPhase('shadow-read')
  await repository.get('1')
  await flush()
  await expect(cutover.advance()).rejects.toThrow('never compared: list')
  await expect(cutover.advance({ allowUncompared: ['get'] })).rejects.toThrow(
    '--allow-uncompared list',
  )
  expect((await cutover.advance({ allowUncompared: ['list'] })).phase).toBe('read-new')
})

test('a share of the reads is compared, and a share that is none is refused', async () => {
  const { repository, flush, cutover, toPhase } = await startMove({ comparedShare: 0.25 })
  await toPhase('shadow-read')
  for (let count = 0; count < 400; count++) await repository.get('1')
  await flush()
  const { compared } = (await cutover.status()).reads.get ?? { compared: 0 }
  // Far outside of this only once in 10 million runs.
  expect(compared).toBeGreaterThan(50)
  expect(compared).toBeLessThan(150)
  for (const comparedShare of [0, -1, 1.5, Number.NaN]) {
    await expect(startMove({ comparedShare })).rejects.toThrow(`comparedShare is ${comparedShare}`)
  }
})

test('after what differed was repaired, results are counted again', async () => {
  const { repository, flush, repair, cutover, toPhase, items, clock } = await startMove()
  await toPhase('dual-write')
  await repository.save({ id: '1', name: 'right' })
  await toPhase('shadow-read')
  await items.save({ id: '1', name: 'wrong' })
  await repository.get('1')
  await repository.list()
  await flush()
  const allowed = { allowUncompared: ['get', 'list'] }
  await expect(cutover.advance(allowed)).rejects.toThrow('get differed 1 of 1 time: repair')
  expect(await repair(['1'])).toEqual({ repaired: 1, left: [] })
  await expect(cutover.advance(allowed)).rejects.toThrow(
    'start counting again with cutover recount',
  )
  await cutover.recount()
  await expect(cutover.advance()).rejects.toThrow('never compared: get, list')
  clock.now += 10_000
  await repository.get('1')
  await repository.list()
  await flush()
  expect((await cutover.advance()).phase).toBe('read-new')
  await expect(cutover.recount()).rejects.toThrow('not compared in the phase "read-new"')
})
