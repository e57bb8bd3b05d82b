import { createEngine, type Engine } from 'singletable/engine'
import { CONTROL_TYPE } from 'singletable/tools'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StoredItem } from '../../../packages/kit/src/studio/api/contract.ts'
import { type OpenApp, openApp } from './open-app.ts'

let app: OpenApp
let engine: Engine
/** Somebody who is faster than the studio: done right before its next write. */
let overtake: (() => Promise<unknown>) | undefined
beforeAll(async () => {
  engine = createEngine()
  app = await openApp({
    send: async (operation, request, options) => {
      const first = overtake
      if (/^(Update|Delete)Item$/.test(operation)) {
        overtake = undefined
        await first?.()
      }
      return engine.send(operation, request, options)
    },
  })
})
afterEach(async () => {
  expect(app.faults).toEqual([])
  const { Items } = await engine.send('Scan', { TableName: 'Blog' })
  for (const { pk, sk } of Items ?? []) {
    await engine.send('DeleteItem', { TableName: 'Blog', Key: { pk, sk } as never })
  }
})
afterAll(() => engine.close())

const KEY = { pk: { S: 'stray, 50% #1/2 😀' }, sk: { S: '' } } as const
/** All types, each with what forms and JavaScript numbers would lose. */
const STRAY: StoredItem = {
  pk: { S: 'stray, 50% #1/2 😀' },
  sk: { S: '\u202eright to left' },
  digits: { N: '12345678901234567890.123456789012345678' },
  empty: { S: '' },
  bytes: { B: 'AAECAwQ=' },
  strings: { SS: ['a', 'b'] },
  numbers: { NS: ['1', '99999999999999999999999999999999999999'] },
  binary: { BS: ['AA==', 'AQ=='] },
  nothing: { NULL: true },
  is: { BOOL: false },
  nested: { L: [{ M: { ' ': { S: 'x' }, ['__proto__']: { N: '1' } } }, { L: [] }] },
}

async function stored(item: StoredItem): Promise<StoredItem | undefined> {
  const { pk, sk } = item as { pk: { S: string }; sk: { S: string } }
  const { Item } = await engine.send('GetItem', { TableName: 'Blog', Key: { pk, sk } })
  return Item as StoredItem | undefined
}
async function put(item: StoredItem): Promise<void> {
  await engine.send('PutItem', { TableName: 'Blog', Item: item as never })
}
const raw = (before: StoredItem | null, after: StoredItem | null, rest: object = {}): object => ({
  change: { kind: 'raw', before, after },
  ...rest,
})

describe('an item of no entity', () => {
  test('is written with all its values as they were typed, and taken back', async () => {
    expect(await app.call('/api/change', raw(null, STRAY, { isDryRun: true }))).toMatchObject({
      state: 'planned',
      writes: ['PutItem'],
    })
    expect(await stored(STRAY)).toBeUndefined()
    const saved = await app.call('/api/change', raw(null, STRAY))
    expect(saved).toMatchObject({ state: 'saved', undo: { after: null } })
    expect(await stored(STRAY)).toEqual(STRAY)
    const undo = 'undo' in saved ? saved.undo : null
    expect(await app.call('/api/change', { change: undo })).toMatchObject({ state: 'saved' })
    expect(await stored(STRAY)).toBeUndefined()
  })

  test('is changed only where it differs, if it is still as it was read', async () => {
    await put(STRAY)
    const { empty: _, ...rest } = STRAY
    const after = {
      ...rest,
      digits: { N: '-0.00000000000000000000000000000000000001' },
      é: { S: '' },
    }
    const saved = await app.call('/api/change', raw(STRAY, after as StoredItem))
    expect(saved).toMatchObject({ state: 'saved', writes: ['UpdateItem'] })
    const now = await stored(STRAY)
    expect(now).toMatchObject({ nested: STRAY.nested, é: { S: '' } })
    expect(now).not.toHaveProperty('empty')
    expect(Number(now?.digits?.N)).toBe(-1e-38)
    expect(await app.call('/api/change', raw(STRAY, after as StoredItem))).toMatchObject({
      state: 'conflict',
      failure: { what: 'Somebody changed the item after it was read.' },
    })
    const undo = 'undo' in saved ? saved.undo : null
    await app.call('/api/change', { change: undo })
    expect(await stored(STRAY)).toEqual(STRAY)
  })

  test('that changes while it is saved is a conflict, whatever attribute it was', async () => {
    await put(STRAY)
    const other = (): Promise<unknown> =>
      engine.send('UpdateItem', {
        TableName: 'Blog',
        Key: { pk: STRAY.pk, sk: STRAY.sk } as never,
        UpdateExpression: 'SET #is = :is',
        ExpressionAttributeNames: { '#is': 'is' },
        ExpressionAttributeValues: { ':is': { BOOL: true } },
      })
    overtake = other
    const after = { ...STRAY, empty: { S: 'x' } }
    expect(await app.call('/api/change', raw(STRAY, after))).toMatchObject({ state: 'conflict' })
    await put(STRAY)
    overtake = other
    expect(await app.call('/api/change', raw(STRAY, null))).toMatchObject({ state: 'conflict' })
    expect(await stored(STRAY)).toMatchObject({ is: { BOOL: true }, empty: { S: '' } })
  })

  test('with more attributes than a condition can name is still saved', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`a${n}`, { N: String(n) }] as const),
    )
    const item = { ...STRAY, ...many }
    await put(item)
    const after = { ...item, a399: { S: 'x' } }
    expect(await app.call('/api/change', raw(item, after))).toMatchObject({ state: 'saved' })
    expect(await app.call('/api/change', raw(after, null))).toMatchObject({ state: 'saved' })
    expect(await stored(item)).toBeUndefined()
  })

  test('is refused without its key, with another one, or where an item is already', async () => {
    await put(STRAY)
    const { sk: _, ...rest } = STRAY
    const refusals: readonly (readonly [object, string])[] = [
      [raw(null, rest as StoredItem), 'The key attribute sk is missing, or not of type S.'],
      [
        raw(null, { ...STRAY, sk: { N: '1' } }),
        'The key attribute sk is missing, or not of type S.',
      ],
      [
        raw(STRAY, { ...STRAY, sk: { S: 'x' } }),
        "The key of an item can't be changed, and sk is part of it.",
      ],
      [raw(null, STRAY), 'An item with this key is there already.'],
    ]
    for (const [body, what] of refusals) {
      expect(await app.call('/api/change', body)).toMatchObject({
        state: 'failed',
        failure: { what },
      })
    }
  })

  test.each([
    ['text', { a: 'text' }, 'The value of a has no type.'],
    ['two types', { a: { S: 'x', N: '1' } }, 'The value of a has no type.'],
    ['an inherited name', { a: { constructor: 'x' } }, 'The value of a has no type.'],
    ['a number without quotes', { a: { N: 1 } }, 'The value of a is not of type N.'],
    ['digits that are none', { a: { N: '1,5' } }, 'The value of a is not of type N.'],
    ['base64 that is none', { a: { B: 'é' } }, 'The value of a is not of type B.'],
    ['a set with a value twice', { a: { SS: ['x', 'x'] } }, 'The value of a is not of type SS.'],
    ['an empty set', { a: { NS: [] } }, 'The value of a is not of type NS.'],
    [
      'a wrong value inside',
      { a: { M: { b: { L: [{ S: 1 }] } } } },
      'The value of a.b[0] is not of type S.',
    ],
  ])('with %s is refused with its place', async (_, members, what) => {
    const after = { ...KEY, ...members } as never
    expect(await app.refused('/api/change', raw(null, after))).toMatchObject({ status: 400, what })
  })

  test('nested more than 32 levels is refused', async () => {
    const nested = (levels: number): object => {
      let value: object = { S: 'x' }
      for (let n = 1; n < levels; n++) value = { L: [value] }
      return value
    }
    const item = (levels: number): never => ({ ...STRAY, deep: nested(levels) }) as never
    expect(await app.call('/api/change', raw(null, item(32)))).toMatchObject({ state: 'saved' })
    expect(await app.refused('/api/change', raw(item(32), item(33)))).toMatchObject({
      what: 'The item is nested too deeply.',
    })
  })

  test('whose key an entity may take for its own is written with a warning', async () => {
    const after = { pk: { S: 'USER#eve' }, sk: { S: 'USER' }, _type: { S: 'Person' } }
    expect(await app.call('/api/change', raw(null, after, { isDryRun: true }))).toMatchObject({
      state: 'planned',
      notes: ['its key has the form of User'],
    })
  })
})

describe('an item of an entity in DynamoDB JSON', () => {
  const POST = { pk: { S: 'USER#ada' }, sk: { S: 'POST#p1' } }
  let post: StoredItem
  let user: StoredItem
  beforeEach(async () => {
    const { User, Post } = app.table.entities
    await User.put({ username: 'ada', email: 'ada@example.com' })
    await Post.create({ username: 'ada', postId: 'p1', title: 'One', status: 'live' })
    post = (await stored(POST)) as StoredItem
    user = (await stored({ ...POST, sk: { S: 'USER' } })) as StoredItem
  })

  test('is saved through the library, so that index keys and unique values follow', async () => {
    const saved = await app.call('/api/change', raw(post, { ...post, status: { S: 'draft' } }))
    expect(saved).toMatchObject({ state: 'saved' })
    expect((await stored(POST))?.gsi1pk).toEqual({ S: 'STATUS#draft' })
    await app.call('/api/change', raw(user, { ...user, email: { S: 'other@example.com' } }))
    const again = { username: 'eve', email: 'ada@example.com' }
    await app.table.entities.User.create(again)
    expect(await app.call('/api/change', raw(post, null))).toMatchObject({ state: 'conflict' })
    await app.call('/api/change', raw((await stored(POST)) as StoredItem, null))
    expect((await app.table.entities.User.get({ username: 'ada' }))?.posts).toBe(0)
  })

  test('keeps its keys, its type and what the library keeps', async () => {
    const refusals: readonly (readonly [StoredItem, StoredItem, string])[] = [
      [
        post,
        { ...post, gsi1pk: { S: 'STATUS#x' } },
        '"gsi1pk" is made by Post from other attributes.',
      ],
      [post, { ...post, _type: { S: 'Thing' } }, 'The item would not be a Post any more.'],
      [user, { ...user, posts: { N: '7' } }, '"posts" is kept by the library.'],
      [
        post,
        { ...post, title: { S: 'x' }, extra: { S: 'y' } },
        "Attributes of Post and others can't be changed at once.",
      ],
    ]
    for (const [before, after, what] of refusals) {
      expect(await app.call('/api/change', raw(before, after))).toMatchObject({
        state: 'failed',
        failure: { what },
      })
    }
    expect(await stored(POST)).toEqual(post)
  })

  test('may have attributes that the schema does not declare', async () => {
    const after = { ...post, extra: { N: '12345678901234567890123456789012345678' } }
    expect(await app.call('/api/change', raw(post, after))).toMatchObject({
      state: 'saved',
      writes: ['UpdateItem'],
    })
    expect(await stored(POST)).toEqual(after)
  })

  test('that the entity can not read is corrected as it is', async () => {
    const broken = { ...post, status: { L: [] } }
    await put(broken)
    const notes = [
      "Post can't read the item, so it is written as it is, without its counters: User.posts",
    ]
    expect(
      await app.call('/api/change', raw(broken, { ...post, gsi1pk: { S: 'x' } })),
    ).toMatchObject({
      state: 'failed',
      failure: {
        what: '"gsi1pk" does not fit the key template of Post.',
        fix: 'for these attributes it is {"S":"STATUS#live"}',
      },
    })
    expect(await app.call('/api/change', raw(broken, post))).toMatchObject({
      state: 'saved',
      notes,
    })
    expect(await stored(POST)).toEqual(post)
  })

  test('is made by its keys: whole, and with its derived items', async () => {
    const after = { ...post, sk: { S: 'POST#p2' }, postId: { S: 'p2' }, gsi1sk: { S: 'POST#p2' } }
    expect(
      await app.call('/api/change', raw(null, { ...after, gsi1sk: { S: 'POST#p1' } })),
    ).toMatchObject({
      state: 'failed',
      failure: { code: 'KEY_BROKEN' },
    })
    expect(await app.call('/api/change', raw(null, { ...after, more: { S: 'x' } }))).toMatchObject({
      state: 'failed',
      failure: { what: 'Post has no attribute that is stored as "more".' },
    })
    expect(await app.call('/api/change', raw(null, after))).toMatchObject({ state: 'saved' })
    expect((await app.table.entities.User.get({ username: 'ada' }))?.posts).toBe(2)
  })

  test('an item of none can not become one without its derived items', async () => {
    const before = { ...post, sk: { S: 'POST#p3' }, _type: { S: 'Thing' } }
    await put(before)
    const after = { ...before, _type: { S: 'Post' }, postId: { S: 'p3' }, gsi1sk: { S: 'POST#p3' } }
    expect(await app.call('/api/change', raw(before, after))).toMatchObject({
      state: 'failed',
      failure: {
        what: 'The item would become a Post without its copies, unique values and counters.',
      },
    })
  })

  test('guards of unique values are not edited, and the journal of migrations not at all', async () => {
    const { Items } = await engine.send('Scan', { TableName: 'Blog' })
    const guard = Items?.find(({ _type }) => !/^(User|Post)$/.test(_type?.S ?? '')) as StoredItem
    const found = (await app.call('/api/item', { key: { pk: guard.pk, sk: guard.sk } })).detail
      ?.found
    expect(found?.kept).toBe('guard')
    expect(await app.call('/api/change', raw(guard, { ...guard, x: { S: 'y' } }))).toMatchObject({
      state: 'failed',
      failure: { what: 'The item is a guard that the library keeps.' },
    })
    const journal = { ...STRAY, _type: { S: CONTROL_TYPE } }
    await put(journal)
    for (const after of [null, { ...journal, x: { S: 'y' } }]) {
      expect(await app.call('/api/change', raw(journal, after))).toMatchObject({
        state: 'failed',
        failure: { what: 'The item belongs to the migrations of the table.' },
      })
    }
  })
})

test('a read-only studio and one on AWS without the typed name write nothing raw', async () => {
  const readOnly = await openApp(createEngine(), { isReadOnly: true })
  expect(await readOnly.refused('/api/change', raw(null, STRAY))).toMatchObject({
    status: 403,
    code: 'READ_ONLY',
  })
  const aws = await openApp(createEngine(), { isAws: true })
  expect(await aws.refused('/api/change', raw(null, STRAY))).toMatchObject({
    code: 'TABLE_UNCONFIRMED',
  })
  expect(await aws.call('/api/change', raw(null, STRAY, { table: 'Blog' }))).toMatchObject({
    state: 'saved',
  })
})
