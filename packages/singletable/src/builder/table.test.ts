import { beforeEach, describe, expect, test } from 'vitest'
import { createEngine } from '../engine/index.ts'
import { defineSchema } from '../plan/define-schema.ts'
import { Table } from './table.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    User: {
      key: { pk: 'USER#${name}', sk: 'PROFILE' },
      attributes: {
        name: { type: String, required: true },
        visits: { type: Number, default: 0 },
        tags: { type: Set, items: { type: String } },
        address: { type: Object, schema: { city: { type: String }, name: { type: String } } },
      },
    },
    Post: {
      key: { pk: 'USER#${name}', sk: 'POST#${number:pad(3)}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: '${number:pad(3)}' },
      attributes: {
        name: { type: String, required: true },
        number: { type: Number, required: true },
        status: { type: String, enum: ['draft', 'out'], default: 'draft' },
      },
    },
  },
})

function newTable(options: object = {}): Table<typeof schema> {
  return new Table({ name: 'blog', schema, client: createEngine(), ...options })
}

let table: Table<typeof schema>
beforeEach(async () => {
  table = newTable()
  await table.create()
})

describe('builders', () => {
  test('are not changed by their methods', async () => {
    await table.entities.User.put({ name: 'a', visits: 1 }).execute()
    const get = table.entities.User.get({ name: 'a' })
    get.select(['visits']).consistentRead()
    expect(await get.execute()).toEqual({ name: 'a', visits: 1 })
    const update = table.entities.User.update({ name: 'a' })
    update.add('visits', 5)
    expect((await update.add('visits', 1).execute()).visits).toBe(2)
  })

  test('combine several conditions', () => {
    const query = table.entities.Post.query({ name: 'a' })
      .where((attr, op) => op.eq(attr.status, 'out'))
      .where((attr, op) => op.gte(attr.number, 2))
    expect(query.explain().keyCondition).toContain('BETWEEN "POST#002"')
    expect(query.explain().filter).toContain('status = "out"')
  })

  test('reach members of the names that references have themselves', async () => {
    await table.entities.User.put({ name: 'a', address: { name: 'x' } }).execute()
    const user = await table.entities.User.update({ name: 'a' })
      .set((attr) => attr.address.name, 'y')
      .execute()
    expect(user.address).toEqual({ name: 'y' })
  })

  test.each([
    ['set', (user: Loose) => user.set('nmae', 1)],
    ['set by an object', (user: Loose) => user.set({ nmae: 1 })],
    ['remove', (user: Loose) => user.remove('nmae')],
    ['add by a function', (user: Loose) => user.add((attr: Loose) => attr.nmae, 1)],
    ['set of __proto__', (user: Loose) => user.set('__proto__', 1)],
  ])('refuse unknown attributes in %s', (_, change) => {
    expect(() => change(table.entities.User.update({ name: 'a' }))).toThrow(/is not an attribute/)
  })

  test('refuse targets that name nothing, and elements that are not a list', () => {
    const update: Loose = table.entities.User.update({ name: 'a' })
    expect(() => update.set(() => 'name', 1)).toThrow(/an attribute was expected/)
    expect(() => update.append('tags', 'x')).toThrow(/append\(\) needs a list/)
  })

  test.each([[[]], [undefined], ['name'], [() => undefined]])('select refuses %s', (selection) => {
    const get: Loose = table.entities.User.get({ name: 'a' })
    expect(() => get.select(selection)).toThrow(/select\(\) needs a list/)
  })

  test('a query of nothing is refused', () => {
    const post: Loose = table.entities.Post
    expect(() => post.query({})).toThrow(/no attribute was given/)
    expect(() => post.query({ nmae: 'a' })).toThrow(/is not an attribute/)
    expect(() => post.query({ name: undefined })).toThrow(/undefined/)
  })

  test.each([[undefined], [() => undefined]])(
    'where refuses %s, which gives no condition',
    (callback) => {
      const { Post, User } = table.entities
      for (const builder of [Post.query({ name: 'a' }), Post.query(), User.put({ name: 'a' })]) {
        const loose: Loose = builder
        expect(() => loose.where(callback)).toThrow(
          /where\(\) needs a function that returns a condition/,
        )
      }
    },
  )

  test('a check alone is refused', async () => {
    const check: Loose = table.entities.User.check({ name: 'a' })
    await expect(check.execute()).rejects.toThrow(/part of a transaction/)
  })

  test('what is wrong with an input rejects the promise', async () => {
    const user: Loose = table.entities.User
    const executed = user.put({}).execute()
    await expect(executed).rejects.toThrow(/"name"/)
  })

  test('show the limit in the request, and have no place for cursors in it', async () => {
    const query = table.entities.Post.query({ name: 'a' })
    expect(query.limit(7).pageSize(3).dbParams()).toMatchObject({ Limit: 3 })
    expect(query.limit(2).dbParams()).toMatchObject({ Limit: 2 })
    expect(query.dbParams()).not.toHaveProperty('Limit')
    expect(() => query.startFrom('x').dbParams()).toThrow(/can't include the cursor/)
  })

  test('parallel scans give all, and refuse what needs an order', async () => {
    const { User } = table.entities
    await User.batchWrite(Array.from({ length: 40 }, (_, n) => ({ name: `u${n}` }))).execute()
    const scan = User.scan().parallel(5)
    expect(await scan.execute()).toHaveLength(40)
    expect(await scan.limit(7).execute()).toHaveLength(7)
    expect(await scan.count()).toBe(40)
    await expect(scan.executeWithPagination()).rejects.toThrow(/parallel\(\) reads all at once/)
    await expect(scan.iterate().next()).rejects.toThrow(/parallel\(\) reads all at once/)
    await expect(scan.segment(0, 2).execute()).rejects.toThrow(/whole table/)
  })
})

describe('batches', () => {
  test('of an entity give the items as written, and delete in the same call', async () => {
    const { User } = table.entities
    await User.put({ name: 'c' }).execute()
    const written = await User.batchWrite([{ name: 'a' }, { name: 'b', visits: 2 }])
      .delete([{ name: 'c' }])
      .execute()
    expect(written).toEqual([
      { name: 'a', visits: 0 },
      { name: 'b', visits: 2 },
    ])
    const found = await User.batchGet([{ name: 'c' }, { name: 'b' }, { name: 'a' }]).execute()
    expect(found.map((user) => user?.visits)).toEqual([undefined, 2, 0])
  })

  test('of the table mix entities', async () => {
    const { User, Post } = table.entities
    const written = await table
      .batchWrite([User.put({ name: 'a' }), Post.put({ name: 'a', number: 1 })])
      .execute()
    expect(written.map(({ name }) => name)).toEqual(['a', 'a'])
    const [post, user] = await table
      .batchGet([Post.get({ name: 'a', number: 1 }).select(['status']), User.get({ name: 'a' })])
      .execute()
    expect(post).toEqual({ status: 'draft' })
    expect(user?.visits).toBe(0)
  })

  test('refuse values that are not builders, and builders of something else', async () => {
    const batch: Loose = table
    const get = table.entities.User.get({ name: 'a' })
    await expect(batch.batchWrite([{}]).execute()).rejects.toThrow(/BATCH_INVALID: Operation 0/)
    await expect(batch.batchWrite([get]).execute()).rejects.toThrow(/BATCH_INVALID/)
    await expect(batch.batchGet([undefined]).execute()).rejects.toThrow(/neither a builder/)
  })
})

describe('transactions', () => {
  test('take builders, their params, and params made by hand', async () => {
    const { User, Post } = table.entities
    const results = await table
      .transactWrite()
      .addPut(User.put({ name: 'a' }))
      .addPut(Post.put({ name: 'a', number: 1 }).dbParams())
      .addPut({ ...Post.put({ name: 'a', number: 2 }).dbParams() })
      .execute()
    expect(results).toEqual([
      { name: 'a', visits: 0 },
      { name: 'a', number: 1, status: 'draft' },
      undefined,
    ])
    const read = await table
      .transactGet()
      .addGet(Post.get({ name: 'a', number: 2 }))
      .addGet({ ...User.get({ name: 'a' }).dbParams() })
      .execute()
    expect(read).toEqual([
      { name: 'a', number: 2, status: 'draft' },
      { name: 'a', visits: 0 },
    ])
  })

  test('refuse params whose key is none of the schema', async () => {
    const forged = { TableName: 'blog', Item: { pk: 'USER#a', sk: 'OTHER' } }
    await expect(table.transactWrite().addPut(forged).execute()).rejects.toThrow(
      /key that belongs to no model/,
    )
    const foreign = { TableName: 'other', Item: { pk: 'USER#a', sk: 'PROFILE' } }
    await expect(table.transactWrite().addPut(foreign).execute()).rejects.toThrow(
      /key that belongs to no model/,
    )
  })

  test('refuse an operation under the name of another', async () => {
    const transaction: Loose = table.transactWrite()
    const deletion = table.entities.User.delete({ name: 'a' })
    expect(() => transaction.addPut(deletion).dbParams()).toThrow(/as a Put/)
    expect(() => transaction.add(7).dbParams()).toThrow(/neither a builder/)
  })

  test('show their request and each plan', () => {
    const { User } = table.entities
    const transaction = table
      .transactWrite()
      .add(User.put({ name: 'a' }))
      .add(User.check({ name: 'b' }))
      .withClientRequestToken('t')
    const params = transaction.dbParams()
    expect(params.ClientRequestToken).toBe('t')
    expect(params.TransactItems.map((item) => Object.keys(item))).toEqual([
      ['Put'],
      ['ConditionCheck'],
    ])
    expect(transaction.explain().map(({ entity }) => entity)).toEqual(['User', 'User'])
  })
})

describe('parseKey', () => {
  test.each([
    ['USER#a', { name: 'a' }],
    ['POST#007', { number: 7 }],
    ['STATUS#out', { status: 'out' }],
    ['OTHER#a', undefined],
    [
      { pk: 'USER#a', sk: 'POST#007' },
      { name: 'a', number: 7 },
    ],
    [
      { pk: { S: 'USER#a' }, sk: { S: 'POST#007' } },
      { name: 'a', number: 7 },
    ],
    [{ sk: 'POST#007', gsi1sk: '008' }, undefined],
    [{ pk: 'USER#a', sk: 'PROFILE' }, undefined],
    [{ pk: 7 }, undefined],
    [{}, undefined],
    [null, undefined],
  ])('%j gives %j', (key, values) => {
    const post: Loose = table.entities.Post
    expect(post.parseKey(key)).toEqual(values)
  })

  test('is the inverse of renderKey', () => {
    const key = { name: 'a', number: 7 }
    expect(table.entities.Post.parseKey(table.entities.Post.renderKey(key))).toEqual(key)
  })
})

describe('options', () => {
  test.each([
    ['an unknown name', { cliant: 1 }, /"cliant" is unknown \(did you mean "client"\?\)/],
    ['an empty name', { name: '' }, /name must be a string/],
    ['a client that sends nothing', { client: {} }, /not a client of the AWS SDK or a transport/],
    ['a deadline of nothing', { deadlineMs: 0 }, /deadlineMs/],
    ['no attempts', { retry: { attemptsMax: 0 } }, /retry.attemptsMax/],
    ['an unknown word on retries', { retry: { times: 3 } }, /retry.times is unknown/],
    ['an empty secret', { cursorSecret: '' }, /cursorSecret/],
    ['an empty list of secrets', { cursorSecret: [''] }, /cursorSecret/],
    ['a warning to nobody', { onWarning: 'x' }, /onWarning/],
  ])('refuse %s', (_, options, message) => {
    expect(() => newTable(options)).toThrow(message)
    expect(() => newTable(options)).toThrow(/^OPTION_INVALID/)
  })

  test('onWarning is called once for a key that already has its prefix', async () => {
    const warnings: string[] = []
    const reported = newTable({ onWarning: (message: string) => warnings.push(message) })
    await reported.create()
    await reported.entities.User.get({ name: 'USER#a' }).execute()
    await reported.entities.User.get({ name: 'USER#b' }).execute()
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('User.name')
  })

  test('a table can be created, found and deleted', async () => {
    const fresh = newTable()
    expect(await fresh.exists()).toBe(false)
    await fresh.create()
    expect(await fresh.exists()).toBe(true)
    await fresh.delete()
    expect(await fresh.exists()).toBe(false)
  })
})

/** For calls that the compiler refuses: plain JavaScript can make them. */
// biome-ignore lint/suspicious/noExplicitAny: any call is possible.
type Loose = any
