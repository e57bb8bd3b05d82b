import { defineSchema, type Table } from 'singletable'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

/** Keys of indexes follow the attributes they are made of, whatever changes these. */

const TaskSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byOwner: { hash: 'gsi1pk', sort: 'gsi1sk' },
    urgent: { hash: 'gsi2pk', sort: 'gsi2sk' },
  },
  models: {
    Task: {
      key: { pk: 'PROJECT#${project}', sk: 'TASK#${id}' },
      index: {
        gsi1pk: 'OWNER#${owner}',
        gsi1sk: '${status}#${points:pad(4)}',
        gsi2pk: 'URGENT',
        gsi2sk: '${project}#${id}',
      },
      when: { urgent: { priority: ['high', 'highest'], status: 'open' } },
      attributes: {
        project: { type: String, required: true },
        id: { type: String, required: true },
        title: { type: String },
        owner: { type: String },
        status: { type: String, enum: ['open', 'done'], default: 'open' },
        points: { type: Number, default: 0 },
        priority: { type: String },
      },
    },
  },
})

const LogSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk' },
    alarms: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byHost: { hash: 'host', sort: 'id' },
  },
  models: {
    Entry: {
      key: { pk: 'ENTRY#${id}' },
      index: { gsi1pk: 'LEVEL#${level}', gsi1sk: '${source:lower}#${id}' },
      when: { alarms: { level: ['error', 'warn'], source: ['api', 'db'] } },
      attributes: {
        id: { type: String, required: true },
        level: { type: String, required: true },
        source: { type: String, required: true },
        host: { type: String },
      },
    },
  },
})

const key = { project: 'p', id: '1' }
const base = { ...key, owner: 'ann', status: 'open', points: 3 } as const

onEachTarget((target) => {
  let table: Table<typeof TaskSchema>
  beforeEach(async () => {
    table = await target.table(TaskSchema)
  })

  /** The ids found by owner, and those of the urgent ones. */
  async function found(owner = 'ann'): Promise<[string[], string[]]> {
    const { Task } = table.entities
    const byOwner = await Task.query({ owner }).useIndex('byOwner').execute()
    const urgent = await Task.query({ project: 'p' }).useIndex('urgent').execute()
    return [byOwner.map(({ id }) => id), urgent.map(({ id }) => id)]
  }

  describe('put', () => {
    test('an item is in the indexes whose attributes it has', async () => {
      const { Task } = table.entities
      await Task.put({ ...base, priority: 'high' }).execute()
      await Task.put({ project: 'p', id: '2', priority: 'low' }).execute()
      expect(await found()).toEqual([['1'], ['1']])
      expect(Object.keys(Task.put({ project: 'p', id: '2' }).dbParams().Item).sort()).toEqual([
        '_type',
        'id',
        'pk',
        'points',
        'project',
        'sk',
        'status',
      ])
    })

    test('when takes one of several values', async () => {
      const { Task } = table.entities
      for (const [id, priority] of ['high', 'highest', 'low'].entries()) {
        await Task.put({ project: 'p', id: `${id}`, priority }).execute()
      }
      expect((await found())[1]).toEqual(['0', '1'])
    })

    test('a put over an item takes it out of indexes it no longer belongs to', async () => {
      const { Task } = table.entities
      await Task.put({ ...base, priority: 'high' }).execute()
      await Task.put({ ...key, status: 'done' }).execute()
      expect(await found()).toEqual([[], []])
    })
  })

  describe('update with all attributes known', () => {
    test('is one request', async () => {
      const { Task } = table.entities
      await Task.put(base).execute()
      const update = Task.update(key).set({ owner: 'bob', status: 'done', points: 5 })
      expect(update.explain().operation).toBe('UpdateItem')
      expect(await requestsOf(table, () => update.execute())).toEqual(['UpdateItem'])
      expect(await found()).toEqual([[], []])
      const [task] = await Task.query({ owner: 'bob', status: 'done' })
        .useIndex('byOwner')
        .execute()
      expect(task).toEqual({ ...key, owner: 'bob', status: 'done', points: 5 })
    })

    test('what no index uses is one request', async () => {
      const { Task } = table.entities
      await Task.put(base).execute()
      const update = Task.update(key).set({ title: 'x' })
      expect(await requestsOf(table, () => update.execute())).toEqual(['UpdateItem'])
    })

    test('given() makes it one request, and fails if it was wrong', async () => {
      const { Task } = table.entities
      await Task.put({ ...base, priority: 'low' }).execute()
      const update = Task.update(key)
        .set({ status: 'done' })
        .given({ owner: 'ann', points: 3, priority: 'low' })
      expect(await requestsOf(table, () => update.execute())).toEqual(['UpdateItem'])
      expect(await Task.query({ owner: 'ann', status: 'done' }).useIndex('byOwner').count()).toBe(1)
      expect(await codeOf(() => update.given({ owner: 'bob' }).execute())).toBe('CONDITION_FAILED')
    })
  })

  describe('update with attributes that are not known', () => {
    test('reads first, says so in explain(), and the keys are right', async () => {
      const { Task } = table.entities
      await Task.put(base).execute()
      const update = Task.update(key).set({ status: 'done' })
      expect(update.explain()).toMatchObject({ operation: 'GetItem, UpdateItem' })
      expect(await requestsOf(table, () => update.execute())).toEqual(['GetItem', 'UpdateItem'])
      expect(await Task.query({ owner: 'ann', status: 'done' }).useIndex('byOwner').count()).toBe(1)
      expect(await Task.query({ owner: 'ann', status: 'open' }).useIndex('byOwner').count()).toBe(0)
    })

    test('in dbParams, transactions and batches it is an error that lists what to pass', async () => {
      const { Task } = table.entities
      const update = Task.update(key).set({ status: 'done' })
      const error = await failureOf(() => update.dbParams())
      expect(error.code).toBe('UPDATE_NEEDS_ATTRIBUTES')
      expect(error.message).toContain('owner')
      expect(error.message).toContain('points')
      const transaction = table.transactWrite().addUpdate(update)
      expect(await codeOf(() => transaction.execute())).toBe('UPDATE_NEEDS_ATTRIBUTES')
    })

    test('a missing item is reported as missing', async () => {
      const { Task } = table.entities
      const update = Task.update(key).set({ status: 'done' })
      expect(await codeOf(() => update.execute())).toBe('ITEM_NOT_FOUND')
    })

    test('add changes a number that is in a key', async () => {
      const { Task } = table.entities
      await Task.put(base).execute()
      await Task.put({ ...base, id: '2', points: 5 }).execute()
      await Task.update(key).add('points', 4).execute()
      expect((await found())[0]).toEqual(['2', '1'])
    })

    test('setDefault of an attribute in a key', async () => {
      const { Task } = table.entities
      await Task.put({ ...key }).execute()
      await Task.update(key).setDefault('owner', 'ann').execute()
      expect((await found())[0]).toEqual(['1'])
      await Task.update(key).setDefault('owner', 'bob').execute()
      expect((await found())[0]).toEqual(['1'])
    })

    test('concurrent updates of two attributes of one key leave the key of both', async () => {
      const { Task } = table.entities
      await Task.put(base).execute()
      await Promise.all([
        Task.update(key).set({ status: 'done' }).execute(),
        Task.update(key).set({ points: 9 }).execute(),
        Task.update(key).set({ owner: 'bob' }).execute(),
      ])
      const task = { ...key, owner: 'bob', status: 'done', points: 9 }
      expect(await Task.query({ owner: 'bob', status: 'done', points: 9 }).execute()).toEqual([
        task,
      ])
      expect(await Task.query({ owner: 'ann' }).useIndex('byOwner').count()).toBe(0)
    })
  })

  describe('sparse indexes', () => {
    test('an item enters when the missing attribute is set', async () => {
      const { Task } = table.entities
      await Task.put(key).execute()
      expect(await found()).toEqual([[], []])
      await Task.update(key).set({ owner: 'ann', priority: 'high' }).execute()
      expect(await found()).toEqual([['1'], ['1']])
    })

    test('an item leaves when the attribute is removed, in one request', async () => {
      const { Task } = table.entities
      await Task.put({ ...base, priority: 'high' }).execute()
      const update = Task.update(key).remove('owner', 'priority')
      expect(await requestsOf(table, () => update.execute())).toEqual(['UpdateItem'])
      expect(await found()).toEqual([[], []])
      expect(await Task.get(key).execute()).toEqual({ ...key, status: 'open', points: 3 })
    })

    test('an item leaves when `when` no longer holds, and comes back when it does', async () => {
      const { Task } = table.entities
      await Task.put({ ...key, priority: 'high' }).execute()
      expect((await found())[1]).toEqual(['1'])
      await Task.update(key).set({ status: 'done' }).execute()
      expect((await found())[1]).toEqual([])
      await Task.update(key).set({ status: 'open' }).execute()
      expect((await found())[1]).toEqual(['1'])
      await Task.update(key).set({ priority: 'low' }).execute()
      expect((await found())[1]).toEqual([])
    })

    test('upsert brings a new item into its indexes', async () => {
      const { Task } = table.entities
      await Task.upsert(key)
        .set({ owner: 'ann', status: 'open', points: 1, priority: 'high' })
        .execute()
      expect(await found()).toEqual([['1'], ['1']])
    })
  })

  describe('moves', () => {
    test('a changed primary key moves the item with all its attributes and index keys', async () => {
      const { Task } = table.entities
      await Task.put({ ...base, priority: 'high' }).execute()
      const update = Task.update(key).set({ id: '9', points: 8 })
      expect(update.explain().operation).toContain('TransactWriteItems')
      const moved = await update.execute()
      expect(moved).toEqual({ ...base, id: '9', points: 8, priority: 'high' })
      expect(await Task.get(key).execute()).toBeUndefined()
      expect(await Task.get({ project: 'p', id: '9' }).execute()).toEqual(moved)
      expect(await found()).toEqual([['9'], ['9']])
    })

    test('a place that is taken is not overwritten', async () => {
      const { Task } = table.entities
      await Task.put(base).execute()
      await Task.put({ ...base, id: '9' }).execute()
      expect(await codeOf(() => Task.update(key).set({ id: '9' }).execute())).toBe('ITEM_EXISTS')
      expect(await Task.get(key).execute()).toBeDefined()
    })

    test('a missing item is reported as missing', async () => {
      const { Task } = table.entities
      expect(await codeOf(() => Task.update(key).set({ id: '9' }).execute())).toBe('ITEM_NOT_FOUND')
    })

    test('the same key is an ordinary update', async () => {
      const { Task } = table.entities
      await Task.put(base).execute()
      const update = Task.update(key).set({ id: '1', title: 'same' })
      expect(await requestsOf(table, () => update.execute())).toEqual(['UpdateItem'])
    })

    test('in transactions and dbParams it is refused', async () => {
      const { Task } = table.entities
      const update = Task.update(key).set({ id: '9' })
      expect(await codeOf(() => update.dbParams())).toBe('UPDATE_MOVES_ITEM')
      expect(await codeOf(() => table.transactWrite().addUpdate(update).execute())).toBe(
        'UPDATE_MOVES_ITEM',
      )
    })
  })

  test('raw key attributes in a put must be what the templates make', async () => {
    const { Task } = table.entities
    const right = { ...base, gsi1pk: 'OWNER#ann', gsi1sk: 'open#0003' }
    await Task.put(right).execute()
    expect(await Task.get(key).execute()).toEqual(base)
    expect(await codeOf(() => Task.put({ ...base, gsi1pk: 'OWNER#bob' } as never).execute())).toBe(
      'KEY_MISMATCH',
    )
  })

  describe('a query for what an index never holds', () => {
    test('is refused, with the reason', async () => {
      const { Entry } = (await target.table(LogSchema)).entities
      await Entry.put({ id: '1', level: 'info', source: 'api' }).execute()
      const reason = 'alarms holds only items whose level is error or warn'
      const unasked = await failureOf(() => Entry.query({ level: 'info' }).execute())
      expect(unasked.code).toBe('PLAN_NO_INDEX')
      expect(unasked.message).toContain(reason)
      const asked = await failureOf(() => Entry.query({ level: 'info' }).useIndex('alarms').count())
      expect(asked.code).toBe('PLAN_NO_INDEX')
      expect(asked.message).toContain(reason)
      // Not of the key, and a value that could not be in it.
      const raw = Entry.query({ gsi1pk: 'LEVEL#warn', source: 'web' })
      expect((await failureOf(() => raw.execute())).message).toContain('source is api or db')
    })

    test('takes another index that can answer it', async () => {
      const { Entry } = (await target.table(LogSchema)).entities
      const entry = { id: '1', level: 'info', source: 'api', host: 'a' }
      await Entry.put(entry).execute()
      const query = Entry.query({ level: 'info', host: 'a' })
      expect(await query.execute()).toEqual([entry])
      expect(query.explain()).toMatchObject({
        index: 'byHost',
        refused: [
          { index: 'primary' },
          { index: 'alarms', reason: 'holds only items whose level is error or warn' },
        ],
      })
    })

    test('is none if the key takes the value in another form', async () => {
      const { Entry } = (await target.table(LogSchema, { onWarning: () => {} })).entities
      const entry = { id: '1', level: 'error', source: 'api' }
      await Entry.put(entry).execute()
      const alarms = Entry.query({ level: 'error' }).useIndex('alarms')
      expect(await alarms.execute()).toEqual([entry])
      expect(alarms.explain().notes).toContain(
        'index "alarms" is not complete: items whose "source" is not api or db are not in it',
      )
      expect(await Entry.query({ level: 'LEVEL#error', source: 'api' }).execute()).toEqual([entry])
      expect(await codeOf(() => Entry.query({ level: 5 as never }).execute())).not.toBe(
        'PLAN_NO_INDEX',
      )
    })
  })
})
