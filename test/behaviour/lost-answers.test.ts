import { defineSchema, type SingletableError, Table } from 'singletable'
import { createEngine, type Engine, type Transport } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** What a call reports about a write whose first answer was lost, when others write in between. */

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Account: {
      key: { pk: 'ACCOUNT#${id}' },
      attributes: {
        id: { type: String, required: true },
        balance: { type: Number, required: true },
        version: { type: Number, version: true },
      },
    },
    Lock: { key: { pk: 'LOCK#${name}' }, attributes: { name: { type: String, required: true } } },
    Note: {
      key: { pk: 'NOTE#${id}' },
      attributes: {
        id: { type: String, required: true, generate: 'ulid' },
        text: { type: String },
        likes: { type: Number, default: 0 },
      },
    },
    User: {
      key: { pk: 'USER#${name}' },
      unique: { email: ['email'] },
      attributes: { name: { type: String, required: true }, email: { type: String } },
    },
  },
})

let engine: Engine
let plain: Table<typeof schema>
const sent: { operation: string; request: object }[] = []

beforeEach(async () => {
  engine = createEngine()
  plain = new Table({ name: 'Tbl', schema, client: engine })
  await plain.create()
  sent.length = 0
})
afterEach(() => engine.close())

const lost = (): Error => Object.assign(new Error('lost'), { name: 'InternalServerError' })

/** A table that loses the first answer to a write, and lets others write before it asks again. */
function lossy(
  when: 'before' | 'after',
  meanwhile: () => Promise<unknown> = async () => {},
  times = 1,
): Table<typeof schema>['entities'] {
  let left = times
  const client: Transport = {
    async send(operation, request, options) {
      sent.push({ operation, request })
      const isStruck = /^(Put|Update|Delete|TransactWrite)Item/.test(operation) && left-- > 0
      if (!isStruck) return engine.send(operation, request, options)
      if (when === 'after') await engine.send(operation, request, options)
      await meanwhile()
      throw lost()
    },
  }
  const retry = { delayMsBase: 0 }
  return new Table({ name: 'Tbl', schema, client, retry }).entities
}

const result = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'ok',
    (error: SingletableError) => error.code,
  )

describe('a condition that fails after a lost answer', () => {
  test('of a versioned put that was applied and then changed is not a VERSION_CONFLICT', async () => {
    const { Account } = plain.entities
    const read = await Account.create({ id: '1', balance: 100 }).execute()
    const mine = lossy('after', async () => {
      const current = await Account.get({ id: '1' }).execute()
      await Account.put({ ...current!, balance: current!.balance + 5 }).execute()
    })
    const put = mine.Account.put({ ...read, balance: read.balance + 10 })
    expect(await result(put.execute())).toBe('OUTCOME_UNKNOWN')
    expect(await Account.get({ id: '1' }).execute()).toMatchObject({ balance: 115 })
  })

  test('of a versioned put that finds an equal item may be the work of another', async () => {
    const { Account } = plain.entities
    const read = await Account.create({ id: '1', balance: 100 }).execute()
    const put = { ...read, balance: 110 }
    const mine = lossy('before', () => Account.put(put).execute())
    expect(await result(mine.Account.put(put).execute())).toBe('OUTCOME_UNKNOWN')
  })

  test('of a create that was applied and then changed is not an ITEM_EXISTS', async () => {
    const { Lock, Note } = plain.entities
    const mine = lossy('after', () => Note.update({ id: 'n' }).add('likes', 1).execute())
    expect(await result(mine.Note.create({ id: 'n' }).execute())).toBe('OUTCOME_UNKNOWN')
    const other = lossy('after', () => Lock.put({ name: 'job' }).execute())
    expect(await result(other.Lock.create({ name: 'job' }).execute())).toBe('OUTCOME_UNKNOWN')
  })

  test('of one of two equal creates gives the lock to one caller alone', async () => {
    const { Lock } = plain.entities
    let theirs: unknown
    const mine = lossy('before', async () => {
      theirs = await result(Lock.create({ name: 'job' }).execute())
    })
    expect(await result(mine.Lock.create({ name: 'job' }).execute())).toBe('OUTCOME_UNKNOWN')
    expect(theirs).toBe('ok')
  })

  test('of a create with an id made for it is its own work, also if it was changed since', async () => {
    const { Note } = plain.entities
    const touch = async () => {
      const [note] = await Note.scan().execute()
      await Note.update({ id: note!.id }).add('likes', 1).execute()
    }
    const note = await lossy('after', touch).Note.create({ text: 'mine' }).execute()
    expect(note).toMatchObject({ text: 'mine', likes: 0 })
    expect(await Note.scan().execute()).toEqual([{ ...note, likes: 1 }])
  })

  test('of an update whose item was deleted meanwhile is not an ITEM_NOT_FOUND', async () => {
    const { Note } = plain.entities
    await Note.put({ id: 'n' }).execute()
    const mine = lossy('after', () => Note.delete({ id: 'n' }).execute())
    const update = mine.Note.update({ id: 'n' }).set({ text: 'x' })
    expect(await result(update.execute())).toBe('OUTCOME_UNKNOWN')
  })

  test('is definite if an answer came to every attempt', async () => {
    const { Lock } = plain.entities
    await Lock.create({ name: 'job' }).execute()
    engine.faults.add({ kind: 'throttle', operation: 'PutItem', count: 2 })
    expect(await result(Lock.create({ name: 'job' }).execute())).toBe('ITEM_EXISTS')
  })
})

test('a put that is refused for another reason after a lost answer may have happened', async () => {
  let struck = false
  const client: Transport = {
    async send(operation, request, options) {
      if (struck) {
        throw Object.assign(new Error('no'), { name: 'AccessDeniedException' })
      }
      struck = true
      await engine.send(operation, request, options)
      throw lost()
    },
  }
  const { Lock } = new Table({ name: 'Tbl', schema, client, retry: { delayMsBase: 0 } }).entities
  expect(await result(Lock.put({ name: 'job' }).execute())).toBe('OUTCOME_UNKNOWN')
})

test('a transaction that conflicts after a lost answer may have happened', async () => {
  const conflict = Object.assign(new Error('cancelled'), {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  })
  let struck = false
  const client: Transport = {
    async send(operation, request, options) {
      if (struck) throw conflict
      struck = true
      await engine.send(operation, request, options)
      throw lost()
    },
  }
  const { Lock } = new Table({ name: 'Tbl', schema, client, retry: { delayMsBase: 0 } }).entities
  const put = Lock.put({ name: 'job' }).exactlyOnce()
  expect(await result(put.execute())).toBe('OUTCOME_UNKNOWN')
})

describe('exactlyOnce()', () => {
  test('asks again with the same token, and counts once', async () => {
    await plain.entities.Note.put({ id: 'n' }).execute()
    const mine = lossy('after', undefined, 3)
    const add = mine.Note.update({ id: 'n' }).add('likes', 1).exactlyOnce()
    expect(await add.execute()).toBeUndefined()
    expect(sent.map(({ operation }) => operation)).toEqual(Array(4).fill('TransactWriteItems'))
    expect(new Set(sent.map(({ request }) => JSON.stringify(request))).size).toBe(1)
    expect(await plain.entities.Note.get({ id: 'n' }).execute()).toMatchObject({ likes: 1 })
  })

  test.each(['before', 'after'] as const)(
    'gives a lock whose answer was lost %s it was taken to one caller, who knows it',
    async (when) => {
      let theirs: unknown
      const mine = lossy(when, async () => {
        theirs = await result(plain.entities.Lock.create({ name: 'job' }).execute())
      })
      const own = await result(mine.Lock.create({ name: 'job' }).exactlyOnce().execute())
      expect([own, theirs]).toEqual(
        when === 'after' ? ['ok', 'ITEM_EXISTS'] : ['ITEM_EXISTS', 'ok'],
      )
    },
  )

  test('knows that a versioned put was applied, whatever came afterwards', async () => {
    const { Account } = plain.entities
    const read = await Account.create({ id: '1', balance: 100 }).execute()
    const mine = lossy('after', async () => {
      const current = await Account.get({ id: '1' }).execute()
      await Account.put({ ...current!, balance: current!.balance + 5 }).execute()
    })
    const put = mine.Account.put({ ...read, balance: 110 }).exactlyOnce()
    expect(await put.execute()).toEqual({ id: '1', balance: 110, version: 2 })
    expect(await Account.get({ id: '1' }).execute()).toMatchObject({ balance: 115, version: 3 })
  })

  test('does not undo what another wrote after an unconditional put, delete or set', async () => {
    const { Note } = plain.entities
    const theirs = () => Note.put({ id: 'n', text: 'theirs' }).execute()
    await lossy('after', theirs).Note.put({ id: 'n', text: 'mine' }).exactlyOnce().execute()
    expect(await Note.get({ id: 'n' }).execute()).toMatchObject({ text: 'theirs' })
    await lossy('after', theirs).Note.delete({ id: 'n' }).exactlyOnce().execute()
    expect(await Note.get({ id: 'n' }).execute()).toMatchObject({ text: 'theirs' })
    const mine = lossy('after', theirs)
    await mine.Note.update({ id: 'n' }).set({ text: 'mine' }).exactlyOnce().execute()
    expect(await Note.get({ id: 'n' }).execute()).toMatchObject({ text: 'theirs' })
  })

  test('names failed conditions as the plain write does', async () => {
    const { Account, Lock, Note, User } = plain.entities
    await Lock.create({ name: 'job' }).execute()
    await User.create({ name: 'a', email: 'a@b.c' }).execute()
    const account = await Account.create({ id: '1', balance: 1 }).execute()
    await Account.put({ ...account, balance: 2 }).execute()
    expect(await result(Lock.create({ name: 'job' }).exactlyOnce().execute())).toBe('ITEM_EXISTS')
    expect(await result(Account.put(account).exactlyOnce().execute())).toBe('VERSION_CONFLICT')
    const missing = Note.update({ id: 'x' }).set({ text: 'x' })
    expect(await result(missing.exactlyOnce().execute())).toBe('ITEM_NOT_FOUND')
    const taken = User.create({ name: 'b', email: 'a@b.c' })
    expect(await result(taken.exactlyOnce().execute())).toBe('UNIQUE_TAKEN')
    const empty = Lock.delete({ name: 'x' }).mustExist()
    expect(await result(empty.exactlyOnce().execute())).toBe('ITEM_NOT_FOUND')
    const other = Note.upsert({ id: 'n' }).add('likes', 1).exactlyOnce()
    expect(await result(other.execute())).toBe('ok')
  })

  test('ends before the token does', async () => {
    let now = 0
    const attempts: number[] = []
    const { Lock } = new Table({
      name: 'Tbl',
      schema,
      client: {
        async send() {
          attempts.push(now)
          throw lost()
        },
      },
      retry: { attemptsMax: 1000, delayMsBase: 60_000, delayMsMax: 60_000 },
      environment: {
        now: () => now,
        randomBytes: (count) => new Uint8Array(count).fill(255),
        schedule(callback, delayMs) {
          now += delayMs
          queueMicrotask(callback)
          return () => {}
        },
      },
    }).entities
    const put = Lock.put({ name: 'job' }).exactlyOnce()
    expect(await result(put.execute())).toBe('OUTCOME_UNKNOWN')
    expect(Math.max(...attempts)).toBeLessThan(10 * 60_000)
    expect(attempts.length).toBeGreaterThan(5)
  })

  test('explains itself', () => {
    const { Lock, Note } = plain.entities
    expect(Lock.create({ name: 'job' }).exactlyOnce().explain()).toMatchObject({
      operation: 'TransactWriteItems',
      requests: '1',
      capacity: '2 write units',
    })
    const update = Note.update({ id: 'n' }).add('likes', 1).exactlyOnce()
    expect(update.explain()).toMatchObject({
      operation: 'TransactWriteItems',
      capacity: '2 write units per KB of the item',
      notes: [expect.stringContaining('ten minutes')],
    })
    expect(update.dbParams()).toEqual({
      TransactItems: [
        {
          Update: expect.objectContaining({
            TableName: 'Tbl',
            Key: { pk: 'NOTE#n' },
            UpdateExpression: expect.stringContaining('ADD'),
          }),
        },
      ],
    })
  })

  test('is a method of access patterns that write', async () => {
    const withPatterns = defineSchema({
      ...schema,
      patterns: {
        like: { op: 'update', entity: 'Note', by: ['id'], add: ['likes'] },
        write: { op: 'create', entity: 'Note' },
        remove: { op: 'delete', entity: 'Note', by: ['id'] },
      },
    })
    const { patterns } = new Table({ name: 'Tbl', schema: withPatterns, client: engine })
    engine.faults.add({ kind: 'error', when: 'after', operation: 'TransactWriteItems', count: 3 })
    const written = await patterns.write.exactlyOnce({ id: 'n', text: 'x' })
    expect(written).toMatchObject({ item: { id: 'n', text: 'x', likes: 0 } })
    expect(Object.keys(await patterns.like.exactlyOnce({ id: 'n', likes: 2 }))).toEqual([
      'consumed',
    ])
    expect(await plain.entities.Note.get({ id: 'n' }).execute()).toMatchObject({ likes: 2 })
    await patterns.remove.exactlyOnce({ id: 'n' })
    expect(await plain.entities.Note.get({ id: 'n' }).execute()).toBeUndefined()
  })

  test('refuses what a transaction can not give back, and to be part of another one', () => {
    const { Note } = plain.entities
    const remove = Note.delete({ id: 'n' }).returning('ALL_OLD')
    expect(() => remove.exactlyOnce()).toThrow(/returning\('ALL_OLD'\)/)
    const update = Note.update({ id: 'n' }).set({ text: 'x' }).returning('UPDATED_OLD')
    expect(() => update.exactlyOnce()).toThrow(/PLAN_INVALID/)
    const put = Note.put({ id: 'n' }).exactlyOnce()
    // @ts-expect-error It is not a builder any more.
    expect(() => plain.transactWrite().addPut(put).dbParams()).toThrow(/leave out exactlyOnce\(\)/)
  })
})

test.each(['before', 'after'] as const)(
  'a write that gives what was there before is not sent again, if its answer was lost %s it was carried out',
  async (when) => {
    await plain.entities.Note.put({ id: 'n', text: 'a' })
    const { Note } = lossy(when, undefined, 4)
    const writes = [
      Note.update({ id: 'n' }).set({ text: 'b' }).returning('ALL_OLD'),
      Note.update({ id: 'n' }).set({ text: 'c' }).returning('UPDATED_OLD'),
      Note.put({ id: 'n', text: 'd' }).returning('ALL_OLD'),
      Note.delete({ id: 'n' }).returning('ALL_OLD'),
    ]
    for (const write of writes) {
      await expect(write.execute()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    }
    expect(sent).toHaveLength(writes.length)
  },
)
