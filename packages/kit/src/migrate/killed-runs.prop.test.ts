import { type SchemaDefinition, Table } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { addAttribute, rekey, renameAttribute } from 'singletable/migrations'
import {
  compileSchema,
  type Item,
  type OperationName,
  seededRandom,
  systemEnvironment,
  type Transport,
} from 'singletable/tools'
import { expect, test } from 'vitest'
import { Journal, LOCK_MS } from './journal.ts'
import { runMigration } from './run-migration.ts'

const KILLS = Number(process.env.MIGRATION_KILLS ?? 30)
const SEED = Number(process.env.MIGRATION_SEED ?? Date.now() % 1_000_000)
const NAME = 'Shop'
const ITEMS = 60

const BEFORE = {
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${id}', sk: 'USER' },
      attributes: {
        id: { type: String, required: true },
        mail: { type: String, unique: true },
        team: { type: String },
        logins: { type: Number },
      },
      copies: { Member: { key: { pk: 'TEAM#${team}', sk: 'USER#${id}' } } },
    },
  },
} as const satisfies SchemaDefinition

const AFTER = {
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'PERSON#${id}', sk: 'PERSON' },
      attributes: {
        id: { type: String, required: true },
        email: { type: String, unique: true },
        team: { type: String },
        logins: { type: Number },
        plan: { type: String, required: true },
      },
      copies: { Member: { key: { pk: 'TEAM#${team}', sk: 'PERSON#${id}' } } },
    },
  },
} as const satisfies SchemaDefinition

const STEPS = [
  renameAttribute('User', 'mail', 'email'),
  addAttribute('User', 'plan', 'free'),
  rekey('User'),
]

/** A process that dies at a request: before it is sent, or after it was carried out. */
function mortal(engine: Engine, diesAt: number, isAfter: boolean): Transport {
  let count = 0
  return {
    async send(operation: OperationName, request: never) {
      count++
      if (count > diesAt || (count === diesAt && !isAfter)) return new Promise<never>(() => {})
      const response = await engine.send(operation, request)
      return count === diesAt ? new Promise<never>(() => {}) : response
    },
  } as Transport
}

/** Each run is later than the one before by more than a lock lasts. */
function run(transport: Transport, laterMs: number): Promise<boolean> {
  const environment = { ...systemEnvironment, now: () => Date.now() + laterMs }
  const after = compileSchema(AFTER)
  const journal = new Journal({
    transport,
    tableName: NAME,
    schema: after,
    environment,
    owner: 'test',
  })
  const work = async (): Promise<boolean> => {
    await journal.acquire()
    const done = await runMigration({
      transport,
      tableName: NAME,
      environment,
      journal,
      id: '20261118T000000Z_move',
      checksum: 'x',
      before: compileSchema(BEFORE),
      after,
      migration: { steps: STEPS },
      segments: 3,
      signal: new AbortController().signal,
      onProgress() {},
      onRequest() {},
    })
    await journal.release()
    return done
  }
  return work()
}

async function fill(engine: Engine): Promise<void> {
  const table = new Table({ name: NAME, schema: BEFORE, client: engine })
  await table.create()
  for (let id = 0; id < ITEMS; id++) {
    await table.entities.User.put({
      id: String(id),
      mail: `u${id}@x`,
      team: `t${id % 7}`,
      logins: 0,
    })
  }
}

async function dump(engine: Engine): Promise<Item[]> {
  const { Items = [] } = await engine.send('Scan', { TableName: NAME, ConsistentRead: true })
  const keyOf = ({ pk, sk }: Item): string => `${pk?.S} ${sk?.S}`
  return Items.filter(({ _type }) => _type?.S !== '_kit').sort((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  )
}

/** What the live application did, for the comparison: each increment was acknowledged. */
async function count(engine: Engine, id: string): Promise<void> {
  for (const [hash, sort] of [
    [`PERSON#${id}`, 'PERSON'],
    [`USER#${id}`, 'USER'],
    [`PERSON#${id}`, 'PERSON'],
  ]) {
    try {
      await engine.send('UpdateItem', {
        TableName: NAME,
        Key: { pk: { S: hash! }, sk: { S: sort! } },
        UpdateExpression: 'ADD logins :one',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      })
      return
    } catch {
      // It is under its other key.
    }
  }
  throw new Error(`User ${id} is nowhere.`)
}

test(
  `${KILLS} runs that are killed anywhere end like one that is not, beside a live writer (seed ${SEED})`,
  async () => {
    const whole = createEngine()
    await fill(whole)
    expect(await run(whole, 0)).toBe(true)
    const expected = await dump(whole)

    const random = seededRandom(SEED)
    for (let kill = 0; kill < KILLS; kill++) {
      const engine = createEngine()
      await fill(engine)
      const wrote = new Map<string, number>()
      let isOver = false
      const writer = (async () => {
        while (!isOver) {
          const id = String(Math.floor(random() * ITEMS))
          await count(engine, id)
          wrote.set(id, (wrote.get(id) ?? 0) + 1)
          await new Promise((resolve) => setImmediate(resolve))
        }
      })()
      const deaths = 1 + Math.floor(random() * 3)
      for (let death = 0; death < deaths; death++) {
        const diesAt = 1 + Math.floor(random() * 250)
        const doomed = run(mortal(engine, diesAt, random() < 0.5), death * 2 * LOCK_MS)
        await Promise.race([doomed, new Promise((resolve) => setTimeout(resolve, 60))])
      }
      expect(await run(engine, deaths * 2 * LOCK_MS)).toBe(true)
      isOver = true
      await writer
      const found = await dump(engine)
      const withLogins = expected.map((item) => {
        if (item._type?.S !== 'User') return item
        return { ...item, logins: { N: String(wrote.get(item.id?.S ?? '') ?? 0) } }
      })
      // A copy has what its item had when it was last written through the library.
      const comparable = (items: readonly Item[]): unknown =>
        items.map((item) => (item._type?.S === 'Member' ? { ...item, logins: undefined } : item))
      expect(comparable(found), `kill ${kill}`).toEqual(comparable(withLogins))
    }
  },
  120_000 + KILLS * 5_000,
)
