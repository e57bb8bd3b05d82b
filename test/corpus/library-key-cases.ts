import {
  defineSchema,
  InputError,
  type SchemaDefinition,
  SingletableError,
  Table,
} from 'singletable'
import { expect } from 'vitest'
import { type CorpusCase, row, type Setup } from './corpus-case.ts'
import { failureOf, type LibraryTable, libraryTable, refuses } from './library-table.ts'

/** Users and their grants, whose partition keys begin alike. */
function usersSchema(encode: boolean) {
  const username = { type: String, required: true, encode } as const
  return defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      User: {
        key: { pk: 'USER#${username}', sk: 'META' },
        attributes: { username, note: { type: String } },
      },
      Grant: {
        key: { pk: 'USER#${username}#ADMIN', sk: 'META' },
        attributes: { username, by: { type: String } },
      },
    },
  })
}

/** Items whose sort key is made of two strings. */
function postsSchema(encode: boolean) {
  const text = { type: String, required: true, encode } as const
  return defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      Post: {
        key: { pk: 'FEED', sk: 'POST#${category}#${id}' },
        attributes: { category: text, id: text },
      },
    },
  })
}

type Loose = LibraryTable<SchemaDefinition>['loose']

/** Every call that makes a key of a user from a value. */
const KEY_CALLS: Readonly<Record<string, (user: Loose[string], username: unknown) => unknown>> = {
  put: (user, username) => user.put({ username }).execute(),
  create: (user, username) => user.create({ username }).execute(),
  batchWrite: (user, username) => user.batchWrite([{ username }]).execute(),
  upsert: (user, username) => user.upsert({ username }).set({ note: 'x' }).execute(),
  update: (user, username) => user.update({ username }).set({ note: 'x' }).execute(),
  move: (user, username) => user.update({ username: 'a' }).set({ username }).execute(),
  delete: (user, username) => user.delete({ username }).execute(),
  get: (user, username) => user.get({ username }).execute(),
  batchGet: (user, username) => user.batchGet([{ username }]).execute(),
  query: (user, username) => user.query({ username }).execute(),
  where: (user, username) =>
    user
      .query()
      .where((attr: Loose, op: Loose) => op.eq(attr.username, username))
      .execute(),
  renderKey: (user, username) => user.renderKey({ username }),
  dbParams: (user, username) => user.get({ username }).dbParams(),
}

/** A value that no call takes as part of a key; nothing is sent, and the error names the
 * attribute. */
const refusedInKeys = (
  id: string,
  name: string,
  values: readonly unknown[],
  { encode = false, except = [] as readonly string[] } = {},
): CorpusCase =>
  row(id, name, async ({ engine }) => {
    const { loose, sent } = await libraryTable(engine, usersSchema(encode))
    for (const value of values) {
      for (const [call, run] of Object.entries(KEY_CALLS)) {
        if (except.includes(call)) continue
        const error = await failureOf(() => run(loose.User, value))
        expect(SingletableError.is(error), `${call} of ${String(value)}: ${error}`).toBe(true)
        expect(error.message, call).toContain('username')
      }
    }
    expect(sent).toEqual([])
  })

/** Strings that are different users, found again under exactly their names by every kind of
 * read. */
async function areDistinct(
  { engine }: Setup,
  usernames: readonly string[],
  encode: boolean,
): Promise<void> {
  const { table, items } = await libraryTable(engine, usersSchema(encode))
  const { User } = table.entities
  for (const username of usernames)
    await User.create({ username, note: `of ${username}` }).execute()
  expect(await items()).toHaveLength(usernames.length)
  for (const username of usernames) {
    const expected = { username, note: `of ${username}` }
    expect(await User.get({ username }).execute()).toEqual(expected)
    expect(await User.query({ username }).execute()).toEqual([expected])
    expect(User.parseKey(User.renderKey({ username }))).toEqual({ username })
  }
}

const distinct = (id: string, name: string, usernames: readonly string[]): CorpusCase[] =>
  [false, true].map((encode) =>
    row(id, encode ? `${name}, also escaped` : name, (setup) =>
      areDistinct(setup, usernames, encode),
    ),
  )

/** A definition that can't be used. */
const refusedSchema = (id: string, name: string, code: string, schema: unknown): CorpusCase =>
  row(id, name, async ({ engine }) => {
    const definition = schema as SchemaDefinition
    await refuses(() => new Table({ name: 'x', schema: definition, client: engine }), code)
  })

const PRIMARY = { primary: { hash: 'pk', sort: 'sk' } } as const
const text = { type: String, required: true } as const

/** A table with one kind of event, whose sort key is made from a number or a date. */
const events = (
  { engine }: Setup,
  sk: string,
  attributes: SchemaDefinition['models'][string]['attributes'],
) =>
  libraryTable(engine, {
    indexes: PRIMARY,
    models: { Event: { key: { pk: 'EVENTS', sk }, attributes } },
  } as SchemaDefinition)

/** What users write into keys. */
export const libraryKeyCases: readonly CorpusCase[] = [
  refusedInKeys('K1', 'a username can not say more than a username', [
    'alice#ADMIN',
    '#',
    'a#b',
    '#ADMIN',
  ]),
  row('K1', 'an escaped username with a separator is a user, and no grant', async ({ engine }) => {
    const { table, items } = await libraryTable(engine, usersSchema(true))
    const { User, Grant } = table.entities
    await Grant.put({ username: 'alice', by: 'root' }).execute()
    await User.put({ username: 'alice#ADMIN' }).execute()
    expect(await Grant.get({ username: 'alice' }).execute()).toEqual({
      username: 'alice',
      by: 'root',
    })
    expect(await User.get({ username: 'alice#ADMIN' }).execute()).toEqual({
      username: 'alice#ADMIN',
    })
    expect((await items()).map(({ pk }) => pk?.S).sort()).toEqual([
      'USER#alice#ADMIN',
      'USER#alice$SADMIN',
    ])
  }),

  row('K2', 'a separator in one part is refused', async ({ engine }) => {
    const { table, sent } = await libraryTable(engine, postsSchema(false))
    const { Post } = table.entities
    for (const post of [
      { category: 'x#y', id: 'z' },
      { category: 'x', id: 'y#z' },
    ]) {
      await refuses(() => Post.put(post).execute(), 'KEY_COMPONENT_INVALID', 'INPUT_INVALID')
      await refuses(() => Post.get(post).execute(), 'KEY_COMPONENT_INVALID', 'INPUT_INVALID')
    }
    expect(sent).toEqual([])
  }),
  row('K2', 'parts that read the same in a row are two items when escaped', async ({ engine }) => {
    const { table, items } = await libraryTable(engine, postsSchema(true))
    const { Post } = table.entities
    const posts = [
      { category: 'x#y', id: 'z' },
      { category: 'x', id: 'y#z' },
      { category: 'x$Sy', id: 'z' },
    ]
    for (const post of posts) await Post.create(post).execute()
    expect(await items()).toHaveLength(3)
    for (const post of posts) {
      expect(await Post.get(post).execute()).toEqual(post)
      expect(await Post.query({ category: post.category }).execute()).toEqual([post])
    }
  }),

  ...distinct('K3', 'the beginning of a placeholder is text', ['${', '${x', '$', '{', '${}']),
  row(
    'K3',
    'the beginning of a placeholder does not turn a query into one by prefix',
    async ({ engine }) => {
      for (const encode of [false, true]) {
        const { table } = await libraryTable(engine, usersSchema(encode), {
          name: `users-${encode}`,
        })
        const { User } = table.entities
        for (const username of ['alice', 'bob']) await User.put({ username }).execute()
        for (const username of ['${', '${username', '${username}']) {
          expect(await User.query({ username }).execute()).toEqual([])
          expect(await User.get({ username }).execute()).toBeUndefined()
        }
        const posts = await libraryTable(engine, postsSchema(encode), { name: `posts-${encode}` })
        const { Post } = posts.table.entities
        await Post.put({ category: 'news', id: '1' }).execute()
        for (const category of ['${', '${category', '${id}']) {
          expect(await Post.query({ category }).useIndex('primary').execute()).toEqual([])
        }
      }
    },
  ),
  ...distinct('K4', 'the name of a placeholder is text', ['${id}', '${username}', '${sk}']),
  ...distinct('K5', 'what replace() would understand is text', [
    '$&',
    '$`',
    "$'",
    '$$',
    '$1',
    '$<username>',
    '$0',
  ]),

  refusedInKeys('K6', 'an empty string is not part of a key', ['']),
  refusedInKeys('K6', 'an empty string is not part of a key, also escaped', [''], { encode: true }),
  // To set an attribute to undefined means to leave it, and an update of nothing is an error that
  // has no attribute to name.
  refusedInKeys('K7', 'undefined is not part of a key', [undefined], { except: ['move'] }),
  row(
    'K7',
    'an update that sets only undefined changes nothing and is refused',
    async ({ engine }) => {
      const { loose, sent } = await libraryTable(engine, usersSchema(false))
      await refuses(
        () => loose.User.update({ username: 'a' }).set({ username: undefined }).execute(),
        'INPUT_INVALID',
      )
      expect(sent).toEqual([])
    },
  ),
  refusedInKeys('K8', 'null is not part of a key', [null]),
  refusedInKeys('K9', 'an object is not part of a key', [
    {},
    { toString: () => 'alice' },
    new String('alice'),
    new Date(0),
    { S: 'alice' },
    () => 'alice',
    Symbol.for('alice'),
  ]),
  refusedInKeys('K10', 'an array is not part of a key', [['a'], [], [['a']]]),
  refusedInKeys('K11', 'a boolean is not a string', [true, false]),
  refusedSchema('K11', 'a boolean attribute can not be a key as it is', 'SCHEMA_INVALID', {
    indexes: { primary: { hash: 'pk' }, byFlag: { hash: 'flag' } },
    models: { M: { key: { pk: 'M#${id}' }, attributes: { id: text, flag: { type: Boolean } } } },
  }),
  refusedInKeys('K12', 'a number is not a string', [0, 1, -1, Number.NaN, 1n]),
  refusedSchema(
    'K12',
    'a number in a template needs a form that keeps its order',
    'TEMPLATE_INVALID',
    {
      indexes: PRIMARY,
      models: {
        Event: {
          key: { pk: 'EVENTS', sk: 'N#${number}' },
          attributes: { number: { type: Number, required: true } },
        },
      },
    },
  ),
  row('K13', 'a padded number is not negative and has no fraction', async (setup) => {
    const { loose, sent } = await events(setup, 'N#${number:pad(4)}', {
      number: { type: Number, required: true },
    })
    for (const number of [-5, -1, 0.5, 1e-7, Number.NaN, Number.POSITIVE_INFINITY, '7', 7n]) {
      for (const call of [
        () => loose.Event.put({ number }).execute(),
        () => loose.Event.get({ number }).execute(),
        () => loose.Event.query({ number }).useIndex('primary').execute(),
      ]) {
        await refuses(call, 'KEY_COMPONENT_INVALID', 'INPUT_INVALID')
      }
    }
    expect(sent).toEqual([])
  }),
  row('K13', 'an encoded number may be negative, and keeps its order', async (setup) => {
    const { loose } = await events(setup, 'N#${number}', {
      number: { type: Number, required: true, encode: true },
    })
    const numbers = [7, -5, 0, -0.25, 1e15, -1e-7, 1000, 0.5]
    for (const number of numbers) await loose.Event.put({ number }).execute()
    const all = await loose.Event.query()
      .where((attr: Loose, op: Loose) => op.gte(attr.number, -10))
      .useIndex('primary')
      .execute()
    expect(all.map((event: { number: number }) => event.number)).toEqual(
      [...numbers].sort((a, b) => a - b),
    )
  }),
  row('K14', 'a number has no more digits than its place', async (setup) => {
    const { loose, sent } = await events(setup, 'N#${number:pad(4)}', {
      number: { type: Number, required: true },
    })
    await refuses(() => loose.Event.put({ number: 10_000 }).execute(), 'KEY_COMPONENT_INVALID')
    await refuses(() => loose.Event.get({ number: 10_000 }).execute(), 'KEY_COMPONENT_INVALID')
    expect(sent).toEqual([])
    await loose.Event.put({ number: 9_999 }).execute()
    expect(await loose.Event.get({ number: 9_999 }).execute()).toEqual({ number: 9_999 })
  }),
  row('K15', 'a date that is none is refused', async (setup) => {
    const { loose, sent } = await events(setup, 'AT#${at}', { at: { type: Date, required: true } })
    for (const at of [new Date(Number.NaN), new Date('tomorrow'), 0, '2026-01-01', null, {}]) {
      await refuses(
        () => loose.Event.put({ at }).execute(),
        'KEY_COMPONENT_INVALID',
        'INPUT_INVALID',
      )
      await refuses(
        () => loose.Event.get({ at }).execute(),
        'KEY_COMPONENT_INVALID',
        'INPUT_INVALID',
      )
    }
    expect(sent).toEqual([])
  }),
  row('K16', 'years whose strings would not sort are refused', async (setup) => {
    const { loose, sent } = await events(setup, 'AT#${at}', { at: { type: Date, required: true } })
    for (const at of [new Date(Date.UTC(10_000, 0)), new Date('-000001-12-31T23:59:59.999Z')]) {
      expect(at.getTime()).not.toBeNaN()
      await refuses(
        () => loose.Event.put({ at }).execute(),
        'KEY_COMPONENT_INVALID',
        'INPUT_INVALID',
      )
      await refuses(
        () => loose.Event.get({ at }).execute(),
        'KEY_COMPONENT_INVALID',
        'INPUT_INVALID',
      )
    }
    expect(sent).toEqual([])
    for (const at of [new Date('9999-12-31T23:59:59.999Z'), new Date('0000-01-01T00:00:00.000Z')]) {
      await loose.Event.put({ at }).execute()
      expect(await loose.Event.get({ at }).execute()).toEqual({ at })
    }
  }),
  ...distinct('K17', 'blanks are text like any other, and each counts', [
    ' ',
    '  ',
    'a',
    'a ',
    ' a',
  ]),
  ...distinct('K18', 'what only looks like a separator is none', [
    '%23',
    '&num;',
    '＃',
    '﹟',
    '\\u0023',
    'a％23b',
  ]),
  refusedInKeys('K18', 'a separator inside an entity of HTML is a separator', ['&#35;']),
  refusedInKeys('K19', 'a separator at the end is refused', ['a#', 'a##']),
  row(
    'K20',
    'a query by the first part of a sort key does not read parts that begin alike',
    async ({ engine }) => {
      for (const encode of [false, true]) {
        const { table } = await libraryTable(engine, postsSchema(encode), {
          name: `posts-${encode}`,
        })
        const { Post } = table.entities
        for (const category of ['new', 'news', 'new-private', 'ne']) {
          await Post.put({ category, id: '1' }).execute()
        }
        const categories = async (category: string) =>
          (await Post.query({ category }).execute()).map((post) => post.category)
        expect(await categories('new')).toEqual(['new'])
        expect(await categories('ne')).toEqual(['ne'])
        expect(await categories('n')).toEqual([])
        await refuses(
          () => Post.query({ category: '' }).execute(),
          'KEY_COMPONENT_INVALID',
          'INPUT_INVALID',
        )
      }
    },
  ),
  ...distinct('K21', 'upper and lower case are different strings', [
    'aB',
    'Ab',
    'ab',
    'AB',
    'İ',
    'i',
    'I',
    'ı',
  ]),
  row(
    'K22',
    'a text that the escape makes too long for a sort key is refused',
    async ({ engine }) => {
      const { table, sent } = await libraryTable(engine, postsSchema(true))
      const { Post } = table.entities
      const long = { category: 'a', id: '#'.repeat(700) }
      const error = await refuses(() => Post.put(long).execute(), 'INPUT_INVALID')
      expect(error).toBeInstanceOf(InputError)
      await refuses(() => Post.get(long).execute(), 'INPUT_INVALID')
      expect(sent).toEqual([])
      // `POST#a#` and 508 escaped characters of two bytes are 1,023 bytes.
      const fits = { category: 'a', id: '#'.repeat(508) }
      await Post.put(fits).execute()
      expect(await Post.get(fits).execute()).toEqual(fits)
      await refuses(() => Post.put({ ...fits, id: `${fits.id}#` }).execute(), 'INPUT_INVALID')
    },
  ),
  row('K22', 'a partition key has 2,048 bytes at most, counted as UTF-8', async ({ engine }) => {
    const { table, sent } = await libraryTable(engine, usersSchema(false))
    const { User } = table.entities
    // `USER#` and 681 characters of three bytes are 2,048 bytes.
    const username = '中'.repeat(681)
    await User.put({ username }).execute()
    expect(await User.get({ username }).execute()).toEqual({ username })
    const before = sent.length
    await refuses(() => User.put({ username: `${username}a` }).execute(), 'INPUT_INVALID')
    await refuses(() => User.get({ username: `${username}a` }).execute(), 'INPUT_INVALID')
    await refuses(() => User.query({ username: `${username}a` }).execute(), 'INPUT_INVALID')
    expect(sent).toHaveLength(before)
  }),
  refusedSchema('K23', 'templates that can make the same key are refused', 'KEYS_MEET', {
    indexes: PRIMARY,
    models: {
      A: { key: { pk: '${x}#A', sk: 'META' }, attributes: { x: text } },
      B: { key: { pk: 'B#${y}', sk: 'META' }, attributes: { y: text } },
    },
  }),
  refusedSchema('K23', 'a template of any text meets one of given text', 'KEYS_MEET', {
    indexes: PRIMARY,
    models: {
      Post: { key: { pk: 'USER#${u}', sk: '${id}' }, attributes: { u: text, id: text } },
      Profile: { key: { pk: 'USER#${u}', sk: 'PROFILE' }, attributes: { u: text } },
    },
  }),
  row(
    'K23',
    'templates that only a separator in a value could make equal are allowed',
    async ({ engine }) => {
      for (const encode of [false, true]) {
        const { table } = await libraryTable(engine, usersSchema(encode), {
          name: `users-${encode}`,
        })
        expect(Object.keys(table.entities)).toEqual(['User', 'Grant'])
      }
    },
  ),
  refusedSchema('K24', 'one template for two models is refused', 'KEYS_MEET', {
    indexes: PRIMARY,
    models: {
      A: { key: { pk: 'X#${a}', sk: 'META' }, attributes: { a: text } },
      B: { key: { pk: 'X#${b}', sk: 'META' }, attributes: { b: text } },
    },
  }),
  row('K25', 'separators in literal text count as borders of parts', async ({ engine }) => {
    const { table, items } = await libraryTable(engine, {
      indexes: PRIMARY,
      models: {
        Short: { key: { pk: 'A#${x}', sk: 'META' }, attributes: { x: text } },
        Long: { key: { pk: 'A#B#${x}', sk: 'META' }, attributes: { x: text } },
        Framed: { key: { pk: 'A#B#${x}#C#D', sk: 'META' }, attributes: { x: text } },
      },
    })
    const { Short, Long, Framed } = table.entities
    for (const entity of [Short, Long, Framed]) await entity.put({ x: 'B' }).execute()
    expect(await items()).toHaveLength(3)
    expect(Framed.renderKey({ x: 'B' })).toEqual({ pk: 'A#B#B#C#D', sk: 'META' })
    expect(Framed.parseKey('A#B#B#C#D')).toEqual({ x: 'B' })
    expect(Short.parseKey('A#B#B')).toBeUndefined()
  }),
  refusedSchema(
    'K25',
    'a value that equals the literal part of another model meets it',
    'KEYS_MEET',
    {
      indexes: PRIMARY,
      models: {
        A: { key: { pk: 'A#${x}', sk: 'META' }, attributes: { x: text } },
        B: { key: { pk: 'A#B', sk: '${y}' }, attributes: { y: text } },
      },
    },
  ),
  row('K27', 'an update can not write a key attribute', async ({ engine }) => {
    const { table, loose, sent, items } = await libraryTable(engine, usersSchema(false))
    await table.entities.User.put({ username: 'alice' }).execute()
    sent.length = 0
    for (const change of [{ pk: 'USER#bob' }, { sk: 'OTHER' }, { _type: 'Grant' }]) {
      await refuses(
        () => loose.User.update({ username: 'alice' }).set(change).execute(),
        'INPUT_INVALID',
        'KEY_MISMATCH',
      )
    }
    for (const name of ['username', 'pk', '_type']) {
      await refuses(
        () => loose.User.update({ username: 'alice' }).remove(name).execute(),
        'INPUT_INVALID',
      )
    }
    expect(sent).toEqual([])
    expect(await items()).toHaveLength(1)
  }),
  row(
    'K27',
    'an attribute of the key is changed by moving the item, never by a copy',
    async ({ engine }) => {
      const { table, items } = await libraryTable(engine, usersSchema(false))
      const { User } = table.entities
      await User.put({ username: 'alice', note: 'x' }).execute()
      await User.update({ username: 'alice' }).set({ username: 'bob' }).execute()
      expect((await items()).map(({ pk }) => pk?.S)).toEqual(['USER#bob'])
      const move = User.update({ username: 'bob' }).set({ username: 'carol' })
      await refuses(() => move.dbParams(), 'UPDATE_MOVES_ITEM')
      await refuses(() => table.transactWrite().addUpdate(move).execute(), 'UPDATE_MOVES_ITEM')
      await User.put({ username: 'dave', note: 'here first' }).execute()
      await failureOf(() => User.update({ username: 'bob' }).set({ username: 'dave' }).execute())
      expect(await User.get({ username: 'dave' }).execute()).toEqual({
        username: 'dave',
        note: 'here first',
      })
      expect(await User.get({ username: 'bob' }).execute()).toEqual({ username: 'bob', note: 'x' })
    },
  ),
  row(
    'K28',
    'an item without a part of an index key has no key attribute of that index',
    async ({ engine }) => {
      const { table, items } = await libraryTable(engine, {
        indexes: { ...PRIMARY, byOwner: { hash: 'gsi1pk', sort: 'gsi1sk' } },
        models: {
          Task: {
            key: { pk: 'TASK#${id}', sk: 'TASK' },
            index: { gsi1pk: 'OWNER#${owner}', gsi1sk: 'DUE#${due}' },
            attributes: { id: text, owner: { type: String }, due: { type: String } },
          },
        },
      })
      const { Task } = table.entities
      const keys = async () => {
        const [item] = await items()
        return [item?.gsi1pk?.S, item?.gsi1sk?.S]
      }
      await Task.put({ id: '1', owner: 'ann' }).execute()
      expect(await keys()).toEqual([undefined, undefined])
      await Task.update({ id: '1' }).set({ due: 'soon' }).execute()
      expect(await keys()).toEqual(['OWNER#ann', 'DUE#soon'])
      await Task.update({ id: '1' }).remove('owner').execute()
      expect(await keys()).toEqual([undefined, undefined])
    },
  ),
  row(
    'K30',
    'keys that read the same in a row are two items of the library',
    async ({ engine }) => {
      const { table, items } = await libraryTable(engine, {
        indexes: PRIMARY,
        models: {
          Pair: {
            key: { pk: '${a}', sk: '${b}' },
            attributes: { a: { ...text, encode: true }, b: { ...text, encode: true } },
          },
        },
      })
      const { Pair } = table.entities
      const pairs = [
        { a: 'A#', b: 'B' },
        { a: 'A', b: '#B' },
        { a: 'A#B', b: 'C' },
        { a: 'A', b: 'B#C' },
      ]
      for (const pair of pairs) await Pair.create(pair).execute()
      expect(await items()).toHaveLength(4)
      expect(await Pair.batchGet(pairs).execute()).toEqual(pairs)
    },
  ),

  refusedInKeys('S5', 'half of a surrogate pair is not part of a key', ['\uD800', 'a\uD83Db']),
  refusedInKeys('S5', 'half of a surrogate pair is not part of a key, also escaped', ['a\uD83D'], {
    encode: true,
  }),
  refusedInKeys('S6', 'the second half of a surrogate pair is not part of a key', ['\uDC00a']),
  refusedInKeys('S7', 'a control character is not part of a key', [
    'a\0b',
    '\n',
    '\u007f',
    '\u0085',
  ]),
  row('S7', 'a control character is allowed in a key when it is escaped', (setup) =>
    areDistinct(setup, ['a\0b', 'ab', 'a\nb', '\t'], true),
  ),
]
