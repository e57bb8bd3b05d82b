import { defineSchema, type SingletableError, Table } from 'singletable'
import {
  createEngine,
  seededRandom,
  simulatedEnvironment,
  type Transport,
} from 'singletable/engine'
import { expect, test } from 'vitest'

/**
 * Writers at the same items over a line that loses requests and answers. What each call reports is
 * compared with the log of what the engine carried out: no definite error for a write that was
 * applied, no success for one that was not, and `exactlyOnce()` never twice.
 */

const PROGRAMS = Number(process.env.FAULT_PROGRAMS ?? 40)
const FIRST_SEED = Number(process.env.FAULT_SEED ?? 1)
const WRITERS = 4
const WRITES = 6
const KEYS = 3

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Plain: {
      key: { pk: 'PLAIN#${id}' },
      attributes: {
        id: { type: String, required: true },
        mark: { type: String },
        n: { type: Number },
      },
    },
    Versioned: {
      key: { pk: 'VERSIONED#${id}' },
      attributes: {
        id: { type: String, required: true },
        mark: { type: String },
        version: { type: Number, version: true },
      },
    },
    Lock: {
      key: { pk: 'LOCK#${id}' },
      attributes: { id: { type: String, required: true } },
    },
    Made: {
      key: { pk: 'MADE#${id}' },
      attributes: {
        id: { type: String, required: true },
        serial: { type: String, generate: 'ulid' },
      },
    },
    User: {
      key: { pk: 'USER#${id}' },
      unique: { mail: ['mail'] },
      attributes: {
        id: { type: String, required: true },
        mail: { type: String },
        mark: { type: String },
      },
    },
  },
})

const DEFINITE =
  /^(ITEM_EXISTS|ITEM_NOT_FOUND|VERSION_CONFLICT|CONDITION_FAILED|UNIQUE_TAKEN|THROTTLED|DEADLINE_EXCEEDED|REQUEST_REFUSED)$/

interface Call {
  readonly what: string
  readonly exactlyOnce: boolean
  /** How often the engine carried it out. */
  applied: number
}

async function run(seed: number): Promise<Map<string, number>> {
  const random = seededRandom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const engine = createEngine({ environment: simulatedEnvironment({ seed }) })
  await new Table({ name: 'Tbl', schema, client: engine }).create()
  const seen = new Map<string, number>()

  const writer = async (number: number): Promise<void> => {
    let call: Call | undefined
    const done = new Set<string>()
    const client: Transport = {
      async send(operation, request, options) {
        // Others run in between.
        for (let turns = below(4); turns > 0; turns--) await new Promise(setImmediate)
        const isWrite = /^(Put|Update|Delete|TransactWrite)Item/.test(operation)
        const fate = isWrite ? random() : 1
        if (fate < 0.1)
          throw Object.assign(new Error('lost before'), { name: 'InternalServerError' })
        if (fate < 0.15) throw Object.assign(new Error('slow'), { name: 'ThrottlingException' })
        const answer = await engine.send(operation, request, options)
        const { ClientRequestToken: token } = request as { ClientRequestToken?: string }
        // A token that was carried out is answered, and nothing is done again.
        if (isWrite && call && !(token && done.has(token))) call.applied++
        if (token) done.add(token)
        if (fate < 0.35) {
          for (let turns = below(6); turns > 0; turns--) await new Promise(setImmediate)
          throw Object.assign(new Error('lost after'), { name: 'InternalServerError' })
        }
        return answer
      },
    }
    const environment = {
      ...simulatedEnvironment({ seed: seed * 100 + number }),
      schedule(callback: () => void) {
        setImmediate(callback)
        return () => {}
      },
    }
    const table = new Table({
      name: 'Tbl',
      schema,
      client,
      environment,
      retry: { attemptsMax: 1 + below(4), delayMsBase: 0 },
    })
    const { Plain, Versioned, Lock, Made, User } = table.entities
    for (let write = 0; write < WRITES; write++) {
      const id = String(below(KEYS))
      // Equal writes of two writers, now and then.
      const mark = `m${below(3)}`
      const read = await Versioned.get({ id }).execute()
      const writes = {
        put: Plain.put({ id, mark }),
        putWhere: Plain.put({ id, mark }).where((attr, op) => op.ne(attr.mark, mark)),
        set: Plain.update({ id }).set({ mark }),
        add: Plain.update({ id }).add('n', 1),
        upsert: Plain.upsert({ id }).add('n', 1),
        delete: Plain.delete({ id }),
        deleteExisting: Plain.delete({ id }).mustExist(),
        versioned: Versioned.put(read ? { ...read, mark } : { id, mark }),
        lock: Lock.create({ id }),
        unlock: Lock.delete({ id }).mustExist(),
        made: Made.create({ id }),
        remade: Made.delete({ id }),
        user: User.create({ id, mail: `${below(3)}@x.org` }),
        userUpdate: User.update({ id }).set({ mail: `${below(3)}@x.org`, mark }),
        userDelete: User.delete({ id }),
      }
      const names = Object.keys(writes) as (keyof typeof writes)[]
      const what = names[below(names.length)]!
      const exactlyOnce = random() < 0.4
      const current: Call = { what, exactlyOnce, applied: 0 }
      call = current
      const builder = writes[what]
      const outcome = await (exactlyOnce ? builder.exactlyOnce() : builder).execute().then(
        () => 'ok',
        (error: SingletableError) => error.code ?? String(error),
      )
      call = undefined
      const { applied } = current
      const story = `seed ${seed}, writer ${number}: ${what}${exactlyOnce ? '.exactlyOnce()' : ''} was applied ${applied} times and reported ${outcome}`
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      if (outcome === 'ok') expect(applied, story).toBeGreaterThanOrEqual(1)
      else if (outcome !== 'OUTCOME_UNKNOWN') {
        expect(outcome, story).toMatch(DEFINITE)
        expect(applied, story).toBe(0)
      }
      if (exactlyOnce) expect(applied, story).toBeLessThanOrEqual(1)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)))
  await engine.close()
  return seen
}

test(`what ${PROGRAMS} programs with lost answers report is true, from seed ${FIRST_SEED}`, async () => {
  const seen = new Map<string, number>()
  for (let seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
    for (const [outcome, count] of await run(seed))
      seen.set(outcome, (seen.get(outcome) ?? 0) + count)
  }
  // All that matters has occurred.
  for (const outcome of ['ok', 'OUTCOME_UNKNOWN', 'ITEM_EXISTS']) {
    expect(seen.get(outcome) ?? 0, outcome).toBeGreaterThan(0)
  }
}, 120_000)
