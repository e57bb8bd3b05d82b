import { defineSchema, SingletableError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

/** Every verb is called on an item that is absent, on one that has expired, and on one that is
 * alive: the first two must be the same. */

const id = { type: String, required: true } as const
const common = {
  id,
  n: { type: Number },
  tags: { type: Set, items: { type: String } },
  until: { type: Date, ttl: true },
} as const

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    Plain: {
      key: { pk: 'PLAIN#${id}', sk: 'P' },
      index: { gsi1pk: 'N#${name}', gsi1sk: '${n:pad(8)}' },
      attributes: { ...common, name: { type: String } },
    },
    Versioned: {
      key: { pk: 'VERSIONED#${id}', sk: 'V' },
      attributes: { ...common, name: { type: String }, version: { type: Number, version: true } },
    },
    Hidden: {
      key: { pk: 'HIDDEN#${id}', sk: 'H' },
      attributes: {
        ...common,
        name: { type: String },
        secret: { type: String, hidden: true },
      },
    },
    Unique: {
      key: { pk: 'UNIQUE#${id}', sk: 'U' },
      attributes: { ...common, name: { type: String, unique: true } },
    },
    Copied: {
      key: { pk: 'COPIED#${id}', sk: 'C' },
      attributes: { ...common, name: { type: String } },
      copies: { Copy: { key: { pk: 'COPY#${id}', sk: 'C#${name}' } } },
    },
    Group: {
      key: { pk: 'G#${id}', sk: 'G' },
      attributes: {
        ...common,
        name: { type: String },
        members: { type: Number, counts: 'Member' },
      },
    },
    Member: { key: { pk: 'G#${id}', sk: 'M#${m}' }, attributes: { id, m: id } },
    Note: { key: { pk: 'NOTE#${id}', sk: 'N' }, attributes: { id } },
  },
})

type Plain = Table<typeof schema>['entities']['Plain']
type Call = (entity: Plain, table: Table<typeof schema>) => PromiseLike<unknown>

// DynamoDB never deletes what ended more than five years ago, so that it stays for the whole test.
const over = new Date('2015-01-01T00:00:00.000Z')
const key = { id: '1' }
const old = { ...key, name: 'a', n: 5, tags: new Set(['x', 'y']) }
const fresh = { ...key, name: 'b', n: 1 }

const conditions: Record<string, Parameters<ReturnType<Plain['delete']>['where']>[0]> = {
  exists: (attr, op) => op.exists(attr.name),
  'not exists': (attr, op) => op.notExists(attr.name),
  eq: (attr, op) => op.eq(attr.name, 'a'),
  ne: (attr, op) => op.ne(attr.name, 'z'),
  'ne of its value': (attr, op) => op.ne(attr.name, 'a'),
  lt: (attr, op) => op.lt(attr.n, 9),
  between: (attr, op) => op.between(attr.n, 1, 9),
  in: (attr, op) => op.in(attr.name, ['a', 'b']),
  'begins with': (attr, op) => op.beginsWith(attr.name, 'a'),
  contains: (attr, op) => op.contains(attr.tags, 'x'),
  'not contains': (attr, op) => op.not(op.contains(attr.tags, 'x')),
  type: (attr, op) => op.attributeType(attr.name, 'S'),
  size: (attr, op) => op.size(attr.tags).gt(1),
  'size ne': (attr, op) => op.size(attr.tags).ne(1),
  'another attribute': (attr, op) => op.eq(attr.name, attr.id),
  and: (attr, op) => op.and(op.ne(attr.name, 'z'), op.notExists(attr.n)),
  or: (attr, op) => op.or(op.eq(attr.name, 'a'), op.notExists(attr.name)),
  not: (attr, op) => op.not(op.or(op.exists(attr.name), op.lt(attr.n, 0))),
}

const calls: Record<string, Call> = {
  get: (entity) => entity.get(key).execute(),
  put: (entity) => entity.put(fresh).execute(),
  'put, giving the old one': (entity) => entity.put(fresh).returning('ALL_OLD').execute(),
  'put of a version': (entity) => entity.put({ ...fresh, version: 1 } as never).execute(),
  'put exactly once': (entity) => entity.put(fresh).exactlyOnce().execute(),
  'put in a batch': (_, table) => table.batchWrite([table.entities.Plain.put(fresh)]).execute(),
  create: (entity) => entity.create(fresh).execute(),
  'create exactly once': (entity) => entity.create(fresh).exactlyOnce().execute(),
  update: (entity) => entity.update(key).set({ n: 2 }).execute(),
  'update of keys': (entity) => entity.update(key).set({ name: 'c' }).execute(),
  'update with given': (entity) => entity.update(key).given({ n: 5 }).set({ n: 6 }).execute(),
  'update with nothing given': (entity) =>
    entity.update(key).given({ n: undefined }).set({ n: 6 }).execute(),
  'update exactly once': (entity) => entity.update(key).set({ n: 2 }).exactlyOnce().execute(),
  move: (entity) => entity.update(key).set({ id: '2' }).execute(),
  'move to it': async (entity) => {
    await entity.put({ ...fresh, id: '3', name: 'moved' }).execute()
    return entity.update({ id: '3' }).set(key).execute()
  },
  upsert: (entity) => entity.upsert(key).set({ name: 'b' }).add('n', 1).execute(),
  'upsert of nothing': (entity) => entity.upsert(key).execute(),
  'upsert exactly once': (entity) => entity.upsert(key).add('n', 1).exactlyOnce().execute(),
  delete: (entity) => entity.delete(key).execute(),
  'delete, giving the old one': (entity) => entity.delete(key).returning('ALL_OLD').execute(),
  'delete of what must exist': (entity) => entity.delete(key).mustExist().execute(),
  'delete with given': (entity) => entity.delete(key).given({ name: 'a' }).execute(),
  'delete with nothing given': (entity) => entity.delete(key).given({ name: undefined }).execute(),
  'delete exactly once': (entity) => entity.delete(key).exactlyOnce().execute(),
  'check in a transaction': (entity, table) => inTransaction(table, entity.check(key)),
  'create in a transaction': (entity, table) => inTransaction(table, entity.create(fresh)),
  'delete in a transaction': (entity, table) =>
    inTransaction(table, entity.delete(key).given({ name: 'a' }).mustExist()),
  'take its unique value': (entity) => entity.create({ ...old, id: '9' }).execute(),
  deleteCollection: (entity) => entity.deleteCollection(key as never).execute(),
}
for (const [name, condition] of Object.entries(conditions)) {
  calls[`put if ${name}`] = (entity) => entity.put(fresh).where(condition).execute()
  calls[`create if ${name}`] = (entity) => entity.create(fresh).where(condition).execute()
  calls[`update if ${name}`] = (entity) =>
    entity.update(key).set({ n: 3 }).where(condition).execute()
  calls[`upsert if ${name}`] = (entity) =>
    entity.upsert(key).set({ n: 3 }).where(condition).execute()
  calls[`delete if ${name}`] = (entity) => entity.delete(key).where(condition).execute()
  calls[`check if ${name}`] = (entity, table) =>
    inTransaction(table, entity.check(key).where(condition))
}
for (const verb of ['update', 'upsert', 'delete'] as const) {
  calls[`${verb} if of a version`] = (entity) => {
    const Versioned = entity as unknown as Table<typeof schema>['entities']['Versioned']
    return verb === 'delete'
      ? Versioned.delete(key).ifVersion(1).execute()
      : Versioned[verb](key).ifVersion(1).set({ n: 3 }).execute()
  }
}

function inTransaction(table: Table<typeof schema>, write: unknown): Promise<unknown> {
  const note = table.entities.Note.create({ id: 'n' })
  return table
    .transactWrite()
    .add(write as never)
    .add(note)
    .execute()
}

/** What a call gives or how it fails, and what can be read afterwards. */
async function outcomeOf(
  name: keyof typeof calls,
  model: 'Plain',
  state: 'absent' | 'expired' | 'alive',
) {
  const table = new Table({ name: 'Things', schema, client: createEngine() })
  await table.create()
  const entity = table.entities[model]
  const secret = model === ('Hidden' as string) ? { secret: 's' } : {}
  const item = state === 'expired' ? { ...old, ...secret, until: over } : { ...old, ...secret }
  if (state !== 'absent') await entity.put(item).execute()
  const result = await Promise.resolve(calls[name]!(entity, table)).catch((error: unknown) => {
    if (!SingletableError.is(error)) throw error
    const { code, what, fix, item: found, failures } = error as never
    return { code, what, fix, found, failures }
  })
  const others = table.entities as unknown as Record<string, Plain>
  const seen: Record<string, unknown> = {}
  for (const each of [model, 'Copy', 'Note']) seen[each] = await others[each]!.scan().execute()
  return { result, seen }
}

const models = ['Plain', 'Versioned', 'Hidden', 'Unique', 'Copied', 'Group'] as readonly 'Plain'[]

test.each(models)('no verb finds a %s that has expired', { timeout: 60_000 }, async (model) => {
  const different: string[] = []
  for (const name of Object.keys(calls)) {
    if (name.includes('version') && model !== ('Versioned' as string)) continue
    const absent = await outcomeOf(name, model, 'absent')
    const expired = await outcomeOf(name, model, 'expired')
    expect.soft(expired, `${name} of ${model}`).toEqual(absent)
    const alive = await outcomeOf(name, model, 'alive')
    try {
      expect(alive).toEqual(absent)
    } catch {
      different.push(name)
    }
  }
  // Calls that do the same to every item would show nothing.
  expect(different.length).toBeGreaterThan(60)
})
