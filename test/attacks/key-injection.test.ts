import { defineSchema, SingletableError } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, libraryTable, refuses } from '../corpus/library-table.ts'

/** Values of users that try to be more than values: what they would reach by plain concatenation,
 * and what happens instead. */

let engine: Engine
beforeEach(() => {
  engine = createEngine()
})
afterEach(() => engine.close())

const POLICIES = [
  { policy: 'rejected', encode: false },
  { policy: 'escaped', encode: true },
] as const

const KEY_REFUSED = ['KEY_COMPONENT_INVALID', 'INPUT_INVALID', 'KEY_MISMATCH'] as const

function accountsSchema(encode: boolean) {
  const username = { type: String, required: true, encode } as const
  return defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      User: {
        key: { pk: 'USER#${username}', sk: 'META' },
        attributes: { username, bio: { type: String } },
      },
      Grant: {
        key: { pk: 'USER#${username}#ADMIN', sk: 'META' },
        attributes: { username, by: { type: String, required: true } },
      },
    },
  })
}

function feedSchema(encode: boolean) {
  const text = { type: String, required: true, encode } as const
  return defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' }, byAuthor: { hash: 'gsi1pk', sort: 'gsi1sk' } },
    models: {
      Post: {
        key: { pk: 'FEED', sk: 'POST#${category}#${id}' },
        index: { gsi1pk: 'AUTHOR#${author}', gsi1sk: 'POST#${category}' },
        attributes: { category: text, id: text, author: { ...text, required: false } },
      },
      Postscript: {
        key: { pk: 'FEED', sk: 'POSTSCRIPT#${id}' },
        attributes: { id: text },
      },
      Setting: {
        key: { pk: 'FEED', sk: 'SETTING#${name}' },
        attributes: { name: text, secret: { type: String } },
      },
    },
  })
}

describe.each(POLICIES)('A1, a privilege item is forged, with separators $policy', ({ encode }) => {
  const GRANT = { username: 'alice', by: 'root' }

  test('no write of a user makes, changes or deletes the grant of another', async () => {
    const { table, loose } = await libraryTable(engine, accountsSchema(encode))
    const { User, Grant } = table.entities
    const username = 'alice#ADMIN'
    const writes: (() => Promise<unknown>)[] = [
      () => User.put({ username }).execute(),
      () => User.create({ username: 'alice#ADMIN#' }).execute(),
      () => User.upsert({ username }).set({ bio: 'mine' }).execute(),
      () => User.batchWrite([{ username }]).execute(),
      () => table.transactWrite().addPut(User.put({ username })).execute(),
      () => User.update({ username: 'mallory' }).set({ username: 'alice#ADMIN' }).execute(),
      () => User.update({ username }).set({ bio: 'mine' }).execute(),
      () => User.delete({ username }).execute(),
      () => User.batchWrite([]).delete([{ username }]).execute(),
    ]
    for (const given of [false, true]) {
      if (given) await Grant.put(GRANT).execute()
      await User.put({ username: 'mallory' }).execute()
      for (const write of writes) {
        // Escaped, they are writes of a user with an odd name; rejected, they are errors of ours.
        const error = await write().catch((reason: unknown) => reason)
        if (!encode) expect(SingletableError.is(error)).toBe(true)
        const grant = await Grant.get({ username: 'alice' }).consistentRead().execute()
        expect(grant).toEqual(given ? GRANT : undefined)
      }
    }
    for (const keys of [
      { pk: 'USER#alice#ADMIN' },
      { pk: 'USER#alice#ADMIN', sk: 'META' },
      { _type: 'Grant' },
    ]) {
      await refuses(
        () => loose.User.put({ username: 'mallory', ...keys }).execute(),
        'KEY_MISMATCH',
      )
    }
    expect(await Grant.get({ username: 'alice' }).execute()).toEqual(GRANT)
  })

  test('no read of a user gives the grant of another', async () => {
    const { table, loose, store } = await libraryTable(engine, accountsSchema(encode))
    const { User, Grant } = table.entities
    await Grant.put(GRANT).execute()
    const username = 'alice#ADMIN'
    for (const read of [
      () => User.get({ username }).execute(),
      () => User.query({ username }).execute(),
      () => User.batchGet([{ username }]).execute(),
    ]) {
      const answer = await read().catch((reason: unknown) => reason)
      // Escaped, it is the name of a user who is not there.
      if (encode) expect([answer].flat().filter((each) => each !== undefined)).toEqual([])
      else expect(SingletableError.is(answer)).toBe(true)
    }
    const raw = { pk: 'USER#alice#ADMIN', sk: 'META' }
    await refuses(() => loose.User.get(raw).execute(), 'KEY_MISMATCH')
    await refuses(() => loose.User.delete(raw).execute(), 'KEY_MISMATCH')
    expect(await loose.User.query(raw).execute()).toEqual([])
    // Nor if the grant was written by other means, without the name of its model.
    await store({
      pk: { S: raw.pk },
      sk: { S: 'META' },
      username: { S: 'alice' },
      by: { S: 'root' },
    })
    expect(await loose.User.query(raw).execute()).toEqual([])
    expect(await User.scan().execute()).toEqual([])
  })
})

describe.each(POLICIES)(
  'A2, a part is shifted into the next, with separators $policy',
  ({ encode }) => {
    test('who may write in one category can not write in another', async () => {
      const { table } = await libraryTable(engine, feedSchema(encode))
      const { Post } = table.entities
      await Post.put({ category: 'x', id: encode ? 'y#z' : 'z', author: 'ann' }).execute()
      const mallory = Post.put({ category: 'x#y', id: 'z', author: 'mallory' })
      if (encode) await mallory.execute()
      else await refuses(() => mallory.execute(), ...KEY_REFUSED)
      const posts = await Post.query({ category: 'x' }).execute()
      expect(posts.map(({ author }) => author)).toEqual(['ann'])
    })

    test('the shifted part is not read in the index either', async () => {
      const { table } = await libraryTable(engine, feedSchema(encode))
      const { Post } = table.entities
      await Post.put({ category: 'a', id: '1', author: 'ann' }).execute()
      const read = () => Post.query({ author: 'ann#POST' }).execute()
      if (encode) expect(await read()).toEqual([])
      else await refuses(read, ...KEY_REFUSED)
    })
  },
)

describe('A3, one model jumps into the keys of another', () => {
  test('a model whose first part is free is refused together with one that has its own name', async () => {
    const text = { type: String, required: true } as const
    const define = () =>
      defineSchema({
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: {
          Post: {
            key: { pk: 'USER#${user}', sk: 'POST#${id}' },
            attributes: { user: text, id: text },
          },
          Setting: {
            key: { pk: 'USER#${user}', sk: '${kind}#${name}' },
            attributes: { user: text, kind: text, name: text },
          },
        },
      })
    const error = await refuses(define, 'KEYS_MEET')
    expect(error.message).toContain('POST#${id}')
    expect(error.message).toContain('${kind}#${name}')
  })

  test('an enum that leaves out the other name makes the same templates safe', async () => {
    const text = { type: String, required: true } as const
    const { loose } = await libraryTable(engine, {
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Post: {
          key: { pk: 'USER#${user}', sk: 'POST#${id}' },
          attributes: { user: text, id: text },
        },
        Setting: {
          key: { pk: 'USER#${user}', sk: '${kind}#${name}' },
          attributes: { user: text, kind: { ...text, enum: ['COLOR', 'SIZE'] }, name: text },
        },
      },
    })
    const jump = { user: 'a', kind: 'POST', name: '1' }
    await refuses(() => loose.Setting.put(jump).execute(), ...KEY_REFUSED)
    await refuses(() => loose.Setting.get(jump).execute(), ...KEY_REFUSED)
  })

  test.each(POLICIES)(
    'a name that looks like a key of another model stays a name, with separators $policy',
    async ({ encode }) => {
      const { table } = await libraryTable(engine, feedSchema(encode))
      const { Post, Setting } = table.entities
      await Post.put({ category: 'a', id: '1' }).execute()
      for (const name of ['POST#a#1', 'x#POST#a#1', '#']) {
        const call = () => Setting.put({ name, secret: 'x' }).execute()
        if (encode) await call()
        else await refuses(call, ...KEY_REFUSED)
      }
      expect(await Post.query({ category: 'a' }).execute()).toEqual([{ category: 'a', id: '1' }])
      expect(await Setting.scan().count()).toBe(encode ? 3 : 0)
    },
  )
})

/** Strings around every border: separators, what is below them, escapes, and what sorts differently
 * in UTF-16. */
const NASTY = [
  'new',
  'news',
  'newsletter-private',
  'new#',
  'new#1',
  'new ',
  'new!',
  'new$',
  'new$S',
  'new"',
  'new%',
  'new\0',
  'new\u{10FFFF}',
  'new\u{1F600}',
  'new\uFFFD',
  'ne',
  'n',
  ' ',
  '#',
  '$',
  '~',
  'SETTING',
  'POST',
]

/** A feed of posts in all these categories, and two items of other models next to them. */
async function feed(encode: boolean) {
  const opened = await libraryTable(engine, feedSchema(encode))
  const { Post, Postscript, Setting } = opened.table.entities
  const posts: { category: string; id: string }[] = []
  for (const category of NASTY) {
    for (const id of ['1', '2']) {
      try {
        posts.push(await Post.put({ category, id }).execute())
      } catch (error) {
        // What can't be stored can't be read too much of.
        if (encode || !SingletableError.is(error)) throw error
      }
    }
  }
  expect(posts.length).toBe(encode ? 2 * NASTY.length : 2 * NASTY.length - 8)
  await Postscript.put({ id: 'new' }).execute()
  await Setting.put({ name: 'new', secret: 'x' }).execute()
  return { ...opened, posts }
}

const order = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
const names = (posts: readonly { category: string; id: string }[]): string[] =>
  posts.map(({ category, id }) => `${JSON.stringify(category)} ${id}`).sort()

describe.each(POLICIES)(
  'A4 and A10, conditions on parts of a sort key, with separators $policy',
  ({ encode }) => {
    /** What each condition means, said without keys. */
    const CONDITIONS = {
      eq: (category: string, value: string) => category === value,
      lt: (category: string, value: string) => order(category, value) < 0,
      lte: (category: string, value: string) => order(category, value) <= 0,
      gt: (category: string, value: string) => order(category, value) > 0,
      gte: (category: string, value: string) => order(category, value) >= 0,
      beginsWith: (category: string, value: string) => category.startsWith(value),
    } as const

    test.each(Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[])(
      '%s gives the posts it says, and nothing else of the partition',
      async (operator) => {
        const { loose, posts } = await feed(encode)
        for (const value of NASTY) {
          const query = loose.Post.query()
            // biome-ignore lint/suspicious/noExplicitAny: the operator is chosen by name.
            .where((attr: any, op: any) => op[operator](attr.category, value))
            .useIndex('primary')
          let found: typeof posts
          try {
            found = await query.execute()
          } catch (error) {
            if (encode || !SingletableError.is(error)) throw error
            expect(KEY_REFUSED).toContain(error.code)
            continue
          }
          const expected = posts.filter(({ category }) => CONDITIONS[operator](category, value))
          expect(names(found), `${operator} ${JSON.stringify(value)}`).toEqual(names(expected))
        }
      },
    )

    test('a category that is empty is refused, and not every category', async () => {
      const { table, sent } = await feed(encode)
      sent.length = 0
      await refuses(() => table.entities.Post.query({ category: '' }).execute(), ...KEY_REFUSED)
      expect(sent).toEqual([])
    })
  },
)

test('A10, escaped categories come in their own order', async () => {
  const { table, posts } = await feed(true)
  const found = await table.entities.Post.query()
    .where((attr, op) => op.gte(attr.category, '\0'))
    .useIndex('primary')
    .execute()
  const sorted = [...posts].sort((a, b) => order(a.category, b.category) || order(a.id, b.id))
  expect(found.map(({ category }) => category)).toEqual(sorted.map(({ category }) => category))
})

describe.each(POLICIES)(
  'A5, signs of templates in values, with separators $policy',
  ({ encode }) => {
    const SIGNS = [
      '${',
      '${}',
      '${username}',
      '$&',
      '$`',
      "$'",
      '$$',
      '$1',
      '%s',
      '{0}',
      '\\',
      '$',
      '}',
    ]

    test('they are stored as they are, each as its own user', async () => {
      const { table, items } = await libraryTable(engine, accountsSchema(encode))
      const { User } = table.entities
      await User.put({ username: 'alice' }).execute()
      for (const username of SIGNS) {
        expect(await User.query({ username }).execute()).toEqual([])
        await User.create({ username, bio: username }).execute()
        expect(await User.query({ username }).execute()).toEqual([{ username, bio: username }])
        expect(User.parseKey(User.renderKey({ username }))).toEqual({ username })
      }
      expect(await items()).toHaveLength(1 + SIGNS.length)
    })
  },
)

describe('A6, values that are none', () => {
  test('nobody shares the keys of undefined, null, NaN and objects: they are refused', async () => {
    const { loose, sent } = await libraryTable(engine, accountsSchema(false))
    for (const username of [undefined, null, Number.NaN, {}, [], true, Symbol('x'), () => 'x']) {
      await refuses(() => loose.User.put({ username }).execute(), ...KEY_REFUSED)
      await refuses(() => loose.User.get({ username }).execute(), ...KEY_REFUSED)
      // No key has a null, so a question for one is left to filters, which need a key as well.
      const codes = username === null ? ['PLAN_NO_INDEX'] : KEY_REFUSED
      await refuses(() => loose.User.query({ username }).execute(), ...codes)
    }
    await refuses(() => loose.User.put({}).execute(), 'INPUT_INVALID')
    await refuses(() => loose.User.get({}).execute(), 'INPUT_INVALID')
    expect(sent).toEqual([])
  })

  test('a user may be called null', async () => {
    const { table } = await libraryTable(engine, accountsSchema(false))
    const { User } = table.entities
    for (const username of ['undefined', 'null', 'NaN', '[object Object]']) {
      await User.create({ username }).execute()
      expect(await User.get({ username }).execute()).toEqual({ username })
    }
  })
})

describe.each(POLICIES)(
  'A7 and A8, strings that look alike, with separators $policy',
  ({ encode }) => {
    test('upper and lower case, forms of Unicode and invisible signs make different users', async () => {
      const { table, items } = await libraryTable(engine, accountsSchema(encode))
      const { User } = table.entities
      const usernames = [
        'aB3',
        'Ab3',
        'AB3',
        'é',
        'e\u0301',
        'admin',
        'admin\u200B',
        'аdmin',
        'ﬁ',
        'fi',
        'I',
        'İ',
        'ı',
        'i',
        '＃',
      ]
      for (const username of usernames) await User.create({ username }).execute()
      expect(await items()).toHaveLength(usernames.length)
      for (const username of usernames) {
        expect(await User.get({ username }).execute()).toEqual({ username })
      }
    })

    test('half of a surrogate pair is refused, because all halves would be one key', async () => {
      const { table, sent } = await libraryTable(engine, accountsSchema(encode))
      const { User } = table.entities
      for (const username of ['\uD800', 'a\uDBFF', '\uDC00b', '\uDC00\uD800']) {
        await refuses(() => User.put({ username }).execute(), ...KEY_REFUSED)
        await refuses(() => User.get({ username }).execute(), ...KEY_REFUSED)
        await refuses(() => User.put({ username: 'a', bio: username }).execute(), 'INPUT_INVALID')
      }
      expect(sent).toEqual([])
    })

    test('with normalize all forms of a text are one user, in every call', async () => {
      const username = { type: String, required: true, encode, normalize: 'NFC' } as const
      const { table, items } = await libraryTable(engine, {
        indexes: { primary: { hash: 'pk' } },
        models: {
          User: {
            key: { pk: 'USER#${username}' },
            attributes: { username, bio: { type: String } },
          },
        },
      })
      const { User } = table.entities
      await User.put({ username: 'e\u0301' }).execute()
      await refuses(() => User.create({ username: 'é' }).execute(), 'ITEM_EXISTS')
      await User.update({ username: 'e\u0301' }).set({ bio: 'x' }).execute()
      const expected = { username: 'é', bio: 'x' }
      for (const form of ['é', 'e\u0301']) {
        expect(await User.get({ username: form }).execute()).toEqual(expected)
        expect(await User.query({ username: form }).execute()).toEqual([expected])
        expect(await User.batchGet([{ username: form }]).execute()).toEqual([expected])
      }
      await User.delete({ username: 'e\u0301' }).execute()
      expect(await items()).toEqual([])
    })
  },
)

// The other half of A9, a policy for IAM made from the id of a tenant, needs tenant scopes, which
// the library does not have so far.
describe.each(POLICIES)(
  'A9, the id of a tenant says more than a tenant, with separators $policy',
  ({ encode }) => {
    test('signs that policies understand reach no other tenant', async () => {
      const text = { type: String, required: true, encode } as const
      const { table } = await libraryTable(engine, {
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: {
          Invoice: {
            key: { pk: 'TENANT#${tenant}#INVOICES', sk: 'INVOICE#${id}' },
            attributes: { tenant: text, id: text },
          },
        },
      })
      const { Invoice } = table.entities
      for (const tenant of ['acme', 'acme1', 'acmex'])
        await Invoice.put({ tenant, id: '1' }).execute()
      for (const tenant of ['acme*', '*', 'acme?', 'acme%', 'ac']) {
        expect(await Invoice.query({ tenant }).execute()).toEqual([])
      }
      for (const tenant of ['acme#x', 'acme#INVOICES', 'acme#', '#']) {
        const error = await Invoice.query({ tenant })
          .execute()
          .then(
            (found) => expect(found).toEqual([]),
            (reason: unknown) => reason,
          )
        if (!encode) expect(SingletableError.is(error)).toBe(true)
      }
    })
  },
)

describe('a value that carries the literal text before its placeholder', () => {
  test('can be read with as if it were bare, and never be written', async () => {
    const { table, warnings, sent } = await libraryTable(engine, accountsSchema(false))
    const { User } = table.entities
    await User.put({ username: 'alice' }).execute()
    sent.length = 0
    for (const username of ['USER#alice', 'USER#USER#alice', 'USER#']) {
      await refuses(() => User.put({ username }).execute(), ...KEY_REFUSED)
      await refuses(() => User.create({ username }).execute(), ...KEY_REFUSED)
      await refuses(
        () => User.update({ username: 'alice' }).set({ username }).execute(),
        ...KEY_REFUSED,
      )
      await refuses(() => User.update({ username }).set({ bio: 'x' }).execute(), ...KEY_REFUSED)
      await refuses(() => User.delete({ username }).execute(), ...KEY_REFUSED)
    }
    expect(sent).toEqual([])
    expect(await User.get({ username: 'USER#alice' }).execute()).toEqual({ username: 'alice' })
    expect(warnings).toHaveLength(1)
    for (const username of ['USER#USER#alice', 'USER#', 'USER#alice#ADMIN', 'user#alice']) {
      await refuses(() => User.get({ username }).execute(), ...KEY_REFUSED)
    }
  })

  test('is a value of its own where separators are escaped', async () => {
    const { table, warnings } = await libraryTable(engine, accountsSchema(true))
    const { User } = table.entities
    await User.put({ username: 'alice' }).execute()
    expect(await User.get({ username: 'USER#alice' }).execute()).toBeUndefined()
    expect(await User.query({ username: 'USER#alice' }).execute()).toEqual([])
    await failureOf(() => User.update({ username: 'USER#alice' }).set({ bio: 'x' }).execute())
    await User.delete({ username: 'USER#alice' }).execute()
    expect(await User.get({ username: 'alice' }).execute()).toEqual({ username: 'alice' })
    expect(warnings).toEqual([])
  })
})
