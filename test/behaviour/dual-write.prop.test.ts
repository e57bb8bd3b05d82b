import { defineSchema, Table } from 'singletable'
import { Cutover, dualWrite, PHASES } from 'singletable/cutover'
import { createEngine, seededRandom, type Transport } from 'singletable/engine'
import { expect, test } from 'vitest'

/**
 * Writers of several processes at the same few things, through `dualWrite`. Calls on both stores
 * fail before and after they were carried out, stores are down for a while, processes die between
 * any two requests, the phase moves on and back, and repairs run in between. At the end both stores
 * have the same, and nothing that an acknowledged write demands is lost.
 */

const PROGRAMS = Number(process.env.DUAL_WRITE_PROGRAMS ?? 15)
const FIRST_SEED = Number(process.env.DUAL_WRITE_SEED ?? Date.now() % 1_000_000)
const PROCESSES = 3
const WRITERS = 4
const WRITES = 60
const IDS = ['1', '2', '3']

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Thing: {
      key: { pk: 'THING#${id}', sk: 'THING' },
      attributes: {
        id: { type: String, required: true },
        a: { type: String, required: true },
        b: { type: String, required: true },
      },
    },
  },
})

interface Thing {
  readonly id: string
  readonly a: string
  readonly b: string
}

/** `put` writes `a` and `b`, `update` only `b`. Ids and contents are strings of the operation. */
interface Things {
  put(thing: Thing): Promise<void>
  update(id: string, b: string): Promise<void>
  remove(id: string): Promise<void>
  get(id: string): Promise<Thing | undefined>
}

/** When a call began and ended, and whether it was acknowledged. */
interface Call {
  readonly kind: 'put' | 'update' | 'remove'
  readonly id: string
  readonly content: string
  readonly began: number
  ended: number
  isAcknowledged: boolean
}

class Fault extends Error {}

async function runProgram(seed: number): Promise<Readonly<Record<string, number>>> {
  const random = seededRandom(seed)
  const chance = (share: number): boolean => random() < share
  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const clock = { now: 1_000_000 }
  const counts = { acknowledged: 0, failed: 0, crashes: 0, moves: 0, repairs: 0 }
  let faults = 0.06
  const isDown = { old: false, new: false }
  const pauses = async (): Promise<void> => {
    for (let turns = Math.floor(random() * 12); turns > 0; turns--) await Promise.resolve()
    if (chance(0.1)) await new Promise((resolve) => setImmediate(resolve))
  }

  const engine = createEngine()
  const rows = new Map<string, Thing>()
  const tableOf = (client: Transport) => new Table({ name: 'Things', schema, client })
  const table = tableOf(engine)
  await table.create()
  const sql: Things = {
    put: async (thing) => void rows.set(thing.id, thing),
    async update(id, b) {
      const row = rows.get(id)
      if (!row) throw new Fault('not found')
      rows.set(id, { ...row, b })
    },
    remove: async (id) => void rows.delete(id),
    get: async (id) => rows.get(id),
  }
  const items: Things = {
    put: async (thing) => void (await table.entities.Thing.put(thing)),
    update: async (id, b) => void (await table.entities.Thing.update({ id }).set({ b })),
    remove: async (id) => void (await table.entities.Thing.delete({ id })),
    get: async (id) => (await table.entities.Thing.get({ id })) as Thing | undefined,
  }

  /** A process that may die: from then on no call of it ends. */
  const startProcess = () => {
    let diesAt = chance(0.6) ? 20 + Math.floor(random() * 300) : Number.POSITIVE_INFINITY
    const forever = new Promise<never>(() => {})
    let isDead = false
    const step = async <T>(call: () => Promise<T>): Promise<T> => {
      if (--diesAt === 0) {
        isDead = true
        counts.crashes++
      }
      if (isDead) {
        if (chance(0.5)) await call().catch(() => undefined)
        return forever
      }
      const result = await call()
      return isDead ? forever : result
    }
    const faulty = (side: 'old' | 'new', store: Things): Things => {
      const wrap =
        <P extends unknown[], R>(method: (...parameters: P) => Promise<R>) =>
        (...parameters: P): Promise<R> =>
          step(async () => {
            await pauses()
            if (isDown[side] || chance(faults)) throw new Fault('failed before')
            const result = await method(...parameters)
            await pauses()
            if (chance(faults)) throw new Fault('failed after')
            return result
          })
      return {
        put: wrap(store.put),
        update: wrap(store.update),
        remove: wrap(store.remove),
        get: wrap(store.get),
      }
    }
    const client: Transport = {
      send: (operation, request, options) =>
        step(async () => {
          await pauses()
          return engine.send(operation, request, options)
        }),
    }
    const app = dualWrite({
      table: tableOf(client),
      old: faulty('old', sql),
      new: faulty('new', items),
      writes: { put: ({ id }) => id, update: (id) => id, remove: (id) => id },
      async repair(id, from, to) {
        const thing = await from.get(id)
        await (thing ? to.put(thing) : to.remove(id))
      },
      now: () => clock.now,
    })
    return { app, isDead: () => isDead }
  }
  const processes = Array.from({ length: PROCESSES }, startProcess)
  const alive = (at: number) => {
    if (processes[at]?.isDead()) processes[at] = startProcess()
    return processes[at]!
  }
  /** A call of a process that dies never ends. */
  const unlessDead = async <T>(
    call: Promise<T>,
    process: { isDead(): boolean },
  ): Promise<T | undefined> => {
    let isOver = false
    const watch = async (): Promise<undefined> => {
      while (!isOver && !process.isDead()) await new Promise((resolve) => setImmediate(resolve))
      // Calls that ended at the same moment count.
      if (!isOver) await new Promise((resolve) => setImmediate(resolve))
      return undefined
    }
    try {
      return await Promise.race([call, watch()])
    } finally {
      isOver = true
    }
  }

  const calls: Call[] = []
  let time = 0
  const writer = async (): Promise<void> => {
    for (let left = WRITES; left > 0; left--) {
      const process = alive(Math.floor(random() * PROCESSES))
      const { repository } = process.app
      const kind = anyOf(['put', 'put', 'update', 'update', 'remove'] as const)
      const call: Call = {
        kind,
        id: anyOf(IDS),
        content: `${seed}-${calls.length}`,
        began: ++time,
        ended: Number.POSITIVE_INFINITY,
        isAcknowledged: false,
      }
      calls.push(call)
      clock.now += Math.floor(random() * 200)
      const { id, content } = call
      const work = async (): Promise<true> => {
        if (kind === 'put') await repository.put({ id, a: content, b: content })
        else if (kind === 'update') await repository.update(id, content)
        else await repository.remove(id)
        return true
      }
      try {
        call.isAcknowledged = (await unlessDead(work(), process)) === true
      } catch {
        counts.failed++
      }
      if (call.isAcknowledged) counts.acknowledged++
      // What a process has sent before it died may be carried out later.
      if (!process.isDead()) call.ended = ++time
      await pauses()
    }
  }

  const cutover = new Cutover(table, { now: () => clock.now })
  const toNext = async (repairAll: () => Promise<boolean>): Promise<void> => {
    const { phase } = await cutover.state()
    if (phase === 'backfill' && (await repairAll())) await cutover.note('backfill')
    if (phase === 'verify') await cutover.note('verify')
    await cutover.advance({ allowUncompared: ['get'] })
  }
  let isOver = false
  const operator = async (): Promise<void> => {
    while (!isOver) {
      for (let turns = Math.floor(random() * 4); turns > 0; turns--) {
        await new Promise((resolve) => setImmediate(resolve))
      }
      isDown.old = chance(0.1)
      isDown.new = chance(0.1)
      const process = alive(Math.floor(random() * PROCESSES))
      const { app } = process
      try {
        if (chance(0.5)) {
          const report = await unlessDead(app.repair(), process)
          counts.repairs += report?.repaired ?? 0
        }
        if (chance(0.7)) clock.now += 15_000
        const state = await cutover.state()
        if (chance(0.3)) await cutover.back()
        else if (PHASES.indexOf(state.phase) < PHASES.indexOf('write-new+old')) {
          await toNext(async () => (await unlessDead(app.repair(IDS), process))?.left.length === 0)
        } else continue
        counts.moves++
      } catch {
        // Refused, or a store is down: another time.
      }
    }
  }
  for (const id of IDS.slice(1)) rows.set(id, { id, a: 'before', b: 'before' })
  const operating = operator()
  await Promise.all(Array.from({ length: WRITERS }, writer))
  isOver = true
  await operating

  // Everything works again, and dead processes are known to be dead.
  faults = 0
  isDown.old = false
  isDown.new = false
  for (const process of processes) await unlessDead(process.app.flush(), process)
  clock.now += 120_000
  const last = dualWrite({
    table,
    old: sql,
    new: items,
    writes: { put: ({ id }) => id, update: (id) => id, remove: (id) => id },
    async repair(id, from, to) {
      const thing = await from.get(id)
      await (thing ? to.put(thing) : to.remove(id))
    },
    cacheMs: 0,
    now: () => clock.now,
  })
  if ((await cutover.state()).phase === 'off') await cutover.advance()
  clock.now += 20_000
  /** Before the backfill the new store need not have what was there before the move. */
  const isBackfilled = async () => PHASES.indexOf((await cutover.state()).phase) > 2
  expect((await last.repair()).left, `seed ${seed}`).toEqual([])
  const check = async (where: string): Promise<void> => {
    const message = `seed ${seed}, ${where}`
    const { Items = [] } = await engine.send('Scan', { TableName: 'Things' })
    const found = Items.filter(({ _type }) => _type?.S !== '_kit').map(({ id, a, b }) => ({
      id: id?.S,
      a: a?.S,
      b: b?.S,
    }))
    const byId = (x: { readonly id?: unknown }, y: { readonly id?: unknown }): number =>
      String(x.id) < String(y.id) ? -1 : 1
    expect(found.sort(byId), message).toEqual([...rows.values()].sort(byId))
    const marks = Items.filter(({ pk }) => pk?.S?.startsWith('_KIT#CUTOVER#'))
    expect(marks, message).toEqual([])
    for (const id of IDS) demand(calls, id, rows.get(id), message)
  }
  if (await isBackfilled()) await check('after the repair')
  while ((await cutover.state()).phase !== 'retired') {
    clock.now += 20_000
    await toNext(async () => (await last.repair(IDS)).left.length === 0)
  }
  await check('at the end')
  return counts
}

/**
 * What each attribute has was written by a call that no acknowledged call came after. A call that
 * failed, or whose process died, may have been carried out or not.
 */
function demand(
  calls: readonly Call[],
  id: string,
  thing: Thing | undefined,
  message: string,
): void {
  for (const attribute of ['a', 'b'] as const) {
    const writes = calls.filter(
      (call) => call.id === id && (attribute === 'b' || call.kind !== 'update'),
    )
    const content = thing?.[attribute]
    const authors = writes.filter((call) =>
      content === undefined ? call.kind === 'remove' : call.content === content,
    )
    const isAsBefore = content === 'before' || (content === undefined && id === '1')
    const isLast = (ended: number): boolean =>
      !writes.some((other) => other.isAcknowledged && other.began > ended)
    const isRight = (isAsBefore && isLast(0)) || authors.some(({ ended }) => isLast(ended))
    expect(isRight, `${message}: ${attribute} of ${id} is ${content}`).toBe(true)
  }
}

test(
  'after faults, crashes and changes of the phase a repair makes both stores equal, and no acknowledged write is lost',
  async () => {
    const sums: Record<string, number> = {}
    for (let seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
      for (const [name, count] of Object.entries(await runProgram(seed))) {
        sums[name] = (sums[name] ?? 0) + count
      }
    }
    console.info(`seeds ${FIRST_SEED} to ${FIRST_SEED + PROGRAMS - 1}: ${JSON.stringify(sums)}`)
    for (const [name, count] of Object.entries(sums)) expect(count, name).toBeGreaterThan(0)
  },
  60_000 + PROGRAMS * 2_000,
)
