import { defineSchema } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, libraryTable, refuses } from '../corpus/library-table.ts'

/** Data from outside that looks like a part of the library: conditions, references, attribute
 * values, prototypes. */

let engine: Engine
beforeEach(() => {
  engine = createEngine()
})
afterEach(() => engine.close())
afterAll(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(Object.keys(Array.prototype)).toEqual([])
})

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: {
      key: { pk: 'USER#${name}', sk: 'USER' },
      attributes: {
        name: { type: String, required: true },
        password: { type: String, hidden: true },
        login: { type: String },
        free: { type: 'any' },
      },
    },
  },
})

async function users() {
  const opened = await libraryTable(engine, schema)
  const { User } = opened.table.entities
  await User.put({ name: 'alice', password: 'secret', login: 'wrong', free: 'x' }).execute()
  opened.sent.length = 0
  return opened
}

/** What a body of JSON could hold in place of a text, to make a condition true. */
const LOOKALIKES: readonly unknown[] = [
  { kind: 'reference', name: 'password', path: ['password'] },
  { kind: 'reference', name: 'password', path: ['password'], codec: { tag: 'S' } },
  { kind: 'path', path: ['password'] },
  { kind: 'size', of: { kind: 'reference', name: 'password', path: ['password'] } },
  { kind: 'value', value: { S: 'secret' } },
  { S: 'secret' },
  { $ne: null },
  { $gt: '' },
  { '#password': 'password' },
  ['secret'],
  { attribute: 'password' },
]

describe('a value that looks like an attribute', () => {
  test('is refused where text is expected', async () => {
    const { loose, sent } = await users()
    for (const value of LOOKALIKES) {
      for (const operator of ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'beginsWith', 'contains']) {
        const query = () =>
          loose.User.query({ name: 'alice' })
            // biome-ignore lint/suspicious/noExplicitAny: the operator is chosen by name.
            .where((attr: any, op: any) => op[operator](attr.password, value))
            .execute()
        await refuses(query, 'INPUT_INVALID')
      }
      await refuses(
        () => loose.User.query({ name: 'alice', password: value }).execute(),
        'INPUT_INVALID',
      )
      await refuses(
        () =>
          loose.User.update({ name: 'alice' })
            .set({ login: 'x' })
            .given({ password: value })
            .execute(),
        'INPUT_INVALID',
      )
    }
    expect(sent).toEqual([])
  })

  test('is data where anything is allowed, and equals nothing but itself', async () => {
    const { loose } = await users()
    for (const value of LOOKALIKES) {
      if (JSON.stringify(value).includes('null')) continue
      const found = () =>
        loose.User.query({ name: 'alice' })
          // biome-ignore lint/suspicious/noExplicitAny: the entity is untyped here.
          .where((attr: any, op: any) => op.eq(attr.free, value))
          .count()
      await loose.User.update({ name: 'alice' }).set({ free: 'secret' }).execute()
      expect(await found()).toBe(0)
      const stored = await loose.User.update({ name: 'alice' }).set({ free: value }).execute()
      expect(stored.free).toEqual(value)
      expect(await found()).toBe(1)
    }
  })
})

describe('a text that looks like an expression', () => {
  const EXPRESSION_LIKE = [
    ':v0',
    '#n0',
    ':v0 OR attribute_exists(pk)',
    "' OR '1'='1",
    'attribute_exists(password)',
    'x) OR (password = password',
    'if_not_exists(password, :v0)',
    'REMOVE password',
    '\0',
    '"',
  ]

  test('is compared and stored as it is', async () => {
    const { table } = await users()
    const { User } = table.entities
    for (const login of EXPRESSION_LIKE) {
      const found = () => User.query({ name: 'alice', login }).count()
      expect(await found()).toBe(0)
      await User.update({ name: 'alice' })
        .set({ login })
        .where((attr, op) => op.ne(attr.login, login))
        .execute()
      expect(await found()).toBe(1)
    }
    const [item] = await User.scan().execute()
    expect(item).toEqual({ name: 'alice', login: '"', free: 'x' })
  })

  test('is not an attribute when it stands for the name of one', async () => {
    const { loose, sent } = await users()
    for (const name of [...EXPRESSION_LIKE, 'password = :v0', 'login, password', 'free.']) {
      // biome-ignore lint/suspicious/noExplicitAny: the entity is untyped here.
      const where = (attr: any, op: any) => op.eq(attr[name], 'x')
      await refuses(() => loose.User.scan().where(where).execute(), 'INPUT_INVALID')
      await refuses(
        () => loose.User.update({ name: 'alice' }).set(name, 'x').execute(),
        'INPUT_INVALID',
      )
      await refuses(
        () => loose.User.update({ name: 'alice' }).remove(name).execute(),
        'INPUT_INVALID',
      )
      await refuses(() => loose.User.scan().select([name]).execute(), 'INPUT_INVALID')
    }
    expect(sent).toEqual([])
  })
})

describe('what is hidden', () => {
  test('is in no output, whatever is asked for', async () => {
    const { table, loose } = await users()
    const { User } = table.entities
    const key = { name: 'alice' }
    const outputs = [
      await User.put({ ...key, password: 'secret' }).execute(),
      await User.put({ ...key, password: 'secret' })
        .returning('ALL_OLD')
        .execute(),
      await User.get(key).execute(),
      await User.query(key).execute(),
      await User.scan().execute(),
      await User.batchGet([key]).execute(),
      await table.transactGet().addGet(User.get(key)).execute(),
      await User.update(key).set({ password: 'secret', login: 'x' }).execute(),
      await User.update(key).set({ password: 'secret' }).returning('UPDATED_NEW').execute(),
      await User.update(key).set({ password: 'secret' }).returning('ALL_OLD').execute(),
      await loose.User.get(key)
        .select(['password'])
        .execute()
        .catch(() => undefined),
      (await failureOf(() => User.create(key).execute())).item,
      await User.delete(key).returning('ALL_OLD').execute(),
    ]
    for (const output of outputs) {
      expect(JSON.stringify(output) ?? '').not.toContain('secret')
    }
  })
})

describe('errors', () => {
  test('do not repeat hidden values, nor what is in objects, which may be secret', async () => {
    const { loose, table } = await users()
    const secret = 'hunter2'
    const calls: (() => unknown)[] = [
      () => loose.User.put({ name: 'alice', login: { secret } }).execute(),
      () => loose.User.put({ name: 'alice', login: [secret] }).execute(),
      () => loose.User.put({ name: 'alice', password: [secret] }).execute(),
      () => loose.User.put({ name: 'alice', password: { secret } }).execute(),
      () => loose.User.query({ login: secret }).execute(),
      () => loose.User.put({ name: 'alice', free: new Map([[secret, secret]]) }).execute(),
      () => loose.User.create({ name: 'alice', login: secret }).execute(),
      () => loose.User.query({ name: 'alice' }).startFrom(secret).execute(),
      () =>
        table
          .transactWrite()
          .addPut(table.entities.User.create({ name: 'alice', password: secret }))
          .execute(),
    ]
    for (const call of calls) expect((await failureOf(call)).message).not.toContain(secret)
  })
})

describe('an input that answers differently each time', () => {
  test('is read once, so what was checked is what is written', async () => {
    const { loose, items } = await users()
    const shifting = () => {
      let reads = 0
      const read = () => (reads++ === 0 ? 'mallory' : 'alice#ADMIN')
      return Object.defineProperty({}, 'name', { enumerable: true, get: read })
    }
    await loose.User.put(shifting()).execute()
    expect(await loose.User.get(shifting()).execute()).toEqual({ name: 'mallory' })
    await loose.User.update(shifting()).set({ login: 'x' }).execute()
    expect(await loose.User.query(shifting()).execute()).toEqual([{ name: 'mallory', login: 'x' }])
    await loose.User.delete(shifting()).execute()
    expect((await items()).map(({ pk }) => pk?.S)).toEqual(['USER#alice'])
  })

  test('as a proxy it can not show one thing to the check and another to the write', async () => {
    const { loose, items } = await users()
    let reads = 0
    const data = new Proxy(
      { deep: 'text' },
      {
        get: (target, name) =>
          name === 'deep' ? (reads++ === 0 ? 'text' : new Date(0)) : Reflect.get(target, name),
      },
    )
    await loose.User.put({ name: 'bob', free: data }).execute()
    const bob = (await items()).find(({ pk }) => pk?.S === 'USER#bob')
    expect(bob?.free).toEqual({ M: { deep: { S: 'text' } } })
  })
})
