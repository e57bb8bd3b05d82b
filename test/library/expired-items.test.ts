import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { beforeEach, expect, test } from 'vitest'

const id = { type: String, required: true } as const
const until = { type: Date, ttl: true } as const

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Plain: { key: { pk: 'PLAIN#${id}', sk: 'P' }, attributes: { id, until } },
    Unique: {
      key: { pk: 'ONE#${id}', sk: 'O' },
      attributes: { id, until, name: { type: String, unique: true } },
    },
    Copied: {
      key: { pk: 'COPIED#${id}', sk: 'C' },
      attributes: { id, until },
      copies: { Copy: { key: { pk: 'COPY', sk: 'C#${id}' } } },
    },
    Group: {
      key: { pk: 'G#${id}', sk: 'G' },
      attributes: { id, until, members: { type: Number, counts: 'Member' } },
    },
    Member: { key: { pk: 'G#${id}', sk: 'M#${m}' }, attributes: { id, m: id } },
  },
})

let table: Table<typeof schema>
const over = { id: '1', until: new Date('2015-01-01') }

beforeEach(async () => {
  table = new Table({ name: 'Things', schema, client: createEngine() })
  await table.create()
})

test.each(['Plain', 'Unique', 'Copied', 'Group'] as const)(
  'no write of %s gives back an item whose time to live is over',
  async (name) => {
    // All have these attributes.
    const entity = table.entities[name] as typeof table.entities.Plain
    await entity.put(over).execute()
    expect(await entity.put(over).returning('ALL_OLD').execute()).toBeUndefined()
    expect(await entity.delete({ id: '1' }).returning('ALL_OLD').execute()).toBeUndefined()
    expect(await entity.get({ id: '1' }).includeExpired().execute()).toBeUndefined()
    await entity.put(over).execute()
    const update = entity.update({ id: '1' }).set({ until: new Date() }).execute()
    const failure = await update.catch((reason: unknown) => reason)
    expect(failure).toMatchObject({ code: 'ITEM_NOT_FOUND' })
    expect((failure as { item?: unknown }).item).toBeUndefined()
  },
)

test.each(['create', 'put', 'upsert'] as const)(
  'a parent that expired, and one that was deleted, begin to count again after %s',
  async (verb) => {
    const { Group, Member } = table.entities
    const write = (key: { id: string }) =>
      verb === 'upsert' ? Group.upsert(key).execute() : Group[verb](key).execute()
    for (const isExpired of [true, false]) {
      const key = { id: String(isExpired) }
      await Group.create(key).execute()
      await Member.create({ ...key, m: 'a' }).execute()
      if (isExpired) await Group.update(key).set({ until: over.until }).execute()
      else await Group.delete(key).execute()
      await write(key)
      expect((await Group.get(key).execute())?.members ?? 0).toBe(0)
      await Member.create({ ...key, m: 'b' }).execute()
      expect(await Group.get(key).execute()).toMatchObject({ members: 1 })
    }
  },
)
