import { defineSchema, type Table } from 'singletable'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** Items whose time is over are not there, also while DynamoDB has not deleted them yet. */

const SessionSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byUser: { hash: 'user', sort: 'sk' },
    keysOnly: { hash: 'kind', sort: 'sk', project: 'keys' },
  },
  models: {
    Session: {
      key: { pk: 'GROUP#${group}', sk: 'SESSION#${id}' },
      attributes: {
        group: { type: String, required: true },
        id: { type: String, required: true },
        user: { type: String },
        kind: { type: String },
        hits: { type: Number, default: 0 },
        expiresAt: { type: Date, ttl: true },
      },
    },
    Note: {
      key: { pk: 'GROUP#${group}', sk: 'NOTE#${id}' },
      attributes: {
        group: { type: String, required: true },
        id: { type: String, required: true },
      },
    },
  },
})

// DynamoDB never deletes what ended more than five years ago, so it stays for the whole test.
const long = new Date('2015-01-01T00:00:00.000Z')
const later = new Date(Math.floor(Date.now() / 1000 + 3600) * 1000)

onEachTarget((target) => {
  let table: Table<typeof SessionSchema>
  const session = (id: string, expiresAt?: Date) => ({
    group: 'g',
    id,
    user: 'ann',
    kind: 'web',
    hits: 1,
    ...(expiresAt && { expiresAt }),
  })
  const over = session('2', long)
  const alive = [session('1', later), session('3')]
  beforeEach(async () => {
    table = await target.table(SessionSchema)
    await table.entities.Session.batchWrite([over, ...alive]).execute()
  })

  describe('reads', () => {
    test('get', async () => {
      const { Session } = table.entities
      expect(await Session.get({ group: 'g', id: '1' }).execute()).toEqual(alive[0])
      expect(await Session.get(over).execute()).toBeUndefined()
      expect(await Session.get(over).select(['user']).execute()).toBeUndefined()
      expect(await Session.get(over).includeExpired().execute()).toEqual(over)
    })

    test('select leaves out the time to live, which is read all the same', async () => {
      const { Session } = table.entities
      const [living] = alive
      expect(
        await Session.get(living ?? over)
          .select(['user'])
          .execute(),
      ).toEqual({ user: 'ann' })
      const query = Session.query({ group: 'g' }).select(['id'])
      expect(await query.execute()).toEqual([{ id: '1' }, { id: '3' }])
    })

    test('query, on the table and on an index', async () => {
      const { Session } = table.entities
      expect(await Session.query({ group: 'g' }).execute()).toEqual(alive)
      expect(await Session.query({ user: 'ann' }).execute()).toEqual(alive)
      expect(await Session.query({ group: 'g' }).includeExpired().execute()).toHaveLength(3)
    })

    test('query of an index that holds keys only, hydrated', async () => {
      const { Session } = table.entities
      expect(await Session.query({ kind: 'web' }).hydrate().execute()).toEqual(alive)
      const all = await Session.query({ kind: 'web' }).hydrate().includeExpired().execute()
      expect(all).toHaveLength(3)
    })

    test('scan', async () => {
      const { Session } = table.entities
      expect(await Session.scan().execute()).toHaveLength(2)
      expect(await Session.scan().includeExpired().execute()).toHaveLength(3)
    })

    test('first, count, pages and iteration', async () => {
      const { Session } = table.entities
      const query = Session.query({ group: 'g' })
      expect(await query.count()).toBe(2)
      expect(await query.scanIndexForward(false).first()).toEqual(alive[1])
      const page = await query.limit(2).executeWithPagination()
      expect(page.items).toEqual(alive)
      const ids: string[] = []
      for await (const each of query.pageSize(1)) ids.push(each.id)
      expect(ids).toEqual(['1', '3'])
    })

    test('batchGet and transactGet', async () => {
      const { Session } = table.entities
      expect(await Session.batchGet([over, session('1')]).execute()).toEqual([undefined, alive[0]])
      expect(await Session.batchGet([over]).includeExpired().execute()).toEqual([over])
      const get = table.transactGet()
      expect(await get.addGet(Session.get(over)).execute()).toEqual([undefined])
      expect(await get.addGet(Session.get(over).includeExpired()).execute()).toEqual([over])
    })
  })

  describe('writes', () => {
    test('create takes the place of an expired item, and not of a living one', async () => {
      const { Session } = table.entities
      await Session.create(session('2', later)).execute()
      expect(await Session.get(over).execute()).toEqual(session('2', later))
      expect(await codeOf(() => Session.create(session('1')).execute())).toBe('ITEM_EXISTS')
    })

    test('update does not find an expired item', async () => {
      const { Session } = table.entities
      const update = Session.update(over).add('hits', 1)
      expect(await codeOf(() => update.execute())).toBe('ITEM_NOT_FOUND')
    })

    test('update prolongs a living item', async () => {
      const { Session } = table.entities
      const longer = new Date(later.getTime() + 1000)
      const after = await Session.update({ group: 'g', id: '1' })
        .set({ expiresAt: longer })
        .execute()
      expect(after.expiresAt).toEqual(longer)
    })

    test('an expired item does not move, and a living one takes the place of an expired one', async () => {
      const { Session } = table.entities
      const gone = Session.update(over).set({ id: '7' })
      expect(await codeOf(() => gone.execute())).toBe('ITEM_NOT_FOUND')
      const moved = await Session.update({ group: 'g', id: '3' }).set({ id: '2' }).execute()
      expect(moved).toEqual(session('2'))
      expect(await Session.query({ group: 'g' }).execute()).toEqual([alive[0], session('2')])
    })

    test('upsert takes an expired item for absent: what it makes has nothing of it', async () => {
      const { Session } = table.entities
      const { group, id } = over
      const after = await Session.upsert({ group, id }).add('hits', 1).execute()
      expect(after).toEqual({ group, id, hits: 1 })
      expect(await Session.get(over).execute()).toEqual(after)
    })

    test('upsert changes a living item and leaves it its time', async () => {
      const { Session } = table.entities
      const { group, id } = alive[0]!
      const after = await Session.upsert({ group, id }).add('hits', 1).execute()
      expect(after).toMatchObject({ group, id, expiresAt: later })
    })

    test('two upserts at once over an expired item both count', async () => {
      const { Session } = table.entities
      const { group, id } = over
      const upsert = Session.upsert({ group, id }).add('hits', 1)
      await Promise.all([upsert.execute(), upsert.execute(), upsert.execute()])
      expect(await Session.get(over).execute()).toEqual({ group, id, hits: 3 })
    })

    test('upsert in a transaction takes an expired item for absent', async () => {
      const { Session, Note } = table.entities
      const { group, id } = over
      await table
        .transactWrite()
        .addUpdate(Session.upsert({ group, id }).add('hits', 1))
        .addPut(Note.put({ group: 'g', id: '1' }))
        .execute()
      expect(await Session.get(over).execute()).toEqual({ group, id, hits: 1 })
    })

    test('a check in a transaction does not find an expired item', async () => {
      const { Session, Note } = table.entities
      const transaction = table
        .transactWrite()
        .addConditionCheck(Session.check(over))
        .addPut(Note.put({ group: 'g', id: '1' }))
      expect(await codeOf(() => transaction.execute())).toBe('TRANSACTION_CANCELED')
    })

    test('delete with mustExist does not find it, and delete deletes it', async () => {
      const { Session } = table.entities
      expect(await codeOf(() => Session.delete(over).mustExist().execute())).toBe('ITEM_NOT_FOUND')
      await Session.delete(over).execute()
      expect(await Session.get(over).includeExpired().execute()).toBeUndefined()
    })
  })

  test('models without a time to live are read without its filter', async () => {
    const { Note } = table.entities
    await Note.put({ group: 'g', id: '1' }).execute()
    expect(Note.query({ group: 'g' }).explain().filter).toBeUndefined()
    expect(await Note.query({ group: 'g' }).execute()).toHaveLength(1)
  })

  test('the time is stored in whole seconds, as DynamoDB needs it', async () => {
    const { Session } = table.entities
    expect(Session.put(session('1', later)).dbParams().Item.expiresAt).toBe(later.getTime() / 1000)
  })

  test("the table's clock decides", async () => {
    const tomorrow = await target.table(SessionSchema, {
      environment: {
        now: () => Date.now() + 86_400_000,
        randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
        schedule(callback, delayMs) {
          const timer = setTimeout(callback, delayMs)
          return () => clearTimeout(timer)
        },
      },
    })
    const { Session } = tomorrow.entities
    await Session.put(session('1', later)).execute()
    expect(await Session.get(session('1')).execute()).toBeUndefined()
    expect(await Session.query({ group: 'g' }).execute()).toEqual([])
  })

  test('a Number of epoch seconds can be the time to live', async () => {
    const numbers = await target.table({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Token: {
          key: { pk: 'TOKEN#${id}' },
          attributes: {
            id: { type: String, required: true },
            until: { type: Number, ttl: true, map: 'ttl' },
          },
        },
      },
    })
    const { Token } = numbers.entities
    const until = later.getTime() / 1000
    await Token.put({ id: '1', until }).execute()
    await Token.put({ id: '2', until: 1_000_000_000 }).execute()
    expect(await Token.scan().execute()).toEqual([{ id: '1', until }])
    expect(await Token.get({ id: '2' }).execute()).toBeUndefined()
  })
})
