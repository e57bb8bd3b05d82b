import { defineSchema, type SchemaDefinition, Table, type Transport } from 'singletable'
import { createEngine } from 'singletable/engine'
import { propagate, propagateCopies } from 'singletable/streams'
import { describe, expect, test } from 'vitest'
import { copySchema, copyTable } from './copy-table.ts'

const picture = new Uint8Array([1, 2, 3])

describe('propagation by stream', () => {
  test('updates all copies of a source that changed, and their index keys', async () => {
    const { table, run } = await copyTable()
    const { User, Comment, Post } = table.entities
    await User.put({ username: 'alice', name: 'Alice' }).execute()
    for (const commentId of ['1', '2', '3']) {
      await Comment.put({ postId: 'p', commentId, username: 'alice', userName: 'Alice' }).execute()
    }
    await Comment.put({ postId: 'p', commentId: '4', username: 'bob', userName: 'Bob' }).execute()
    await Post.put({ postId: 'p', author: 'alice' }).execute()
    await User.update({ username: 'alice' }).set({ name: 'Alicia', picture }).execute()
    await run(propagateCopies(table))
    const comments = await Comment.query({ postId: 'p' }).execute()
    expect(comments.map(({ userName, userPicture }) => [userName, userPicture])).toEqual([
      ['Alicia', picture],
      ['Alicia', picture],
      ['Alicia', picture],
      ['Bob', undefined],
    ])
    expect((await Post.get({ postId: 'p' }).execute())?.authorName).toBe('Alicia')
    const found = await Comment.query({ userName: 'Alicia' }).hydrate().execute()
    expect(found).toHaveLength(3)
  })

  test('removes copies of what was removed, and leaves those of a source that is gone', async () => {
    const { table, run } = await copyTable()
    const { User, Comment } = table.entities
    await User.put({ username: 'alice', name: 'Alice', picture }).execute()
    const key = { postId: 'p', commentId: '1' }
    await Comment.put({ ...key, username: 'alice' }).execute()
    const handler = propagateCopies(table)
    await run(handler)
    expect(await Comment.get(key).execute()).toMatchObject({ userPicture: picture })
    await User.update({ username: 'alice' }).remove('picture').execute()
    await run(handler)
    expect(await Comment.get(key).execute()).not.toHaveProperty('userPicture')
    await User.delete({ username: 'alice' }).execute()
    await run(handler)
    expect(await Comment.get(key).execute()).toMatchObject({ userName: 'Alice' })
  })

  test('brings new and newly linked items in line', async () => {
    const { table, run } = await copyTable()
    const { User, Comment, Post } = table.entities
    await User.put({ username: 'alice', name: 'Alice' }).execute()
    await User.put({ username: 'bob', name: 'Bob' }).execute()
    const key = { postId: 'p', commentId: '1' }
    await Comment.put({ ...key, username: 'alice', userName: 'Al' }).execute()
    await Post.put({ postId: 'p' }).execute()
    const handler = propagateCopies(table)
    await run(handler)
    expect(await Comment.get(key).execute()).toMatchObject({ userName: 'Alice' })
    await Comment.update(key).set({ username: 'bob' }).execute()
    await Post.update({ postId: 'p' }).set({ author: 'bob' }).execute()
    await run(handler)
    expect(await Comment.get(key).execute()).toMatchObject({ userName: 'Bob' })
    expect(await Post.get({ postId: 'p' }).execute()).toMatchObject({ authorName: 'Bob' })
  })

  test('continues with copies of copies', async () => {
    const { table, run } = await copyTable()
    const { User, Post, Note } = table.entities
    await User.put({ username: 'alice', name: 'Alice' }).execute()
    await Post.put({ postId: 'p', author: 'alice' }).execute()
    await Note.put({ postId: 'p', noteId: '1' }).execute()
    const handler = propagateCopies(table)
    await run(handler)
    expect(await Note.get({ postId: 'p', noteId: '1' }).execute()).toMatchObject({
      byline: 'Alice',
    })
    await User.update({ username: 'alice' }).set({ name: 'Alicia' }).execute()
    await run(handler)
    expect(await Note.get({ postId: 'p', noteId: '1' }).execute()).toMatchObject({
      byline: 'Alicia',
    })
  })

  test('writes nothing where everything is right, so that a record can be handled again', async () => {
    const { table, run, engine, streamArn, checkpoints } = await copyTable()
    const { User, Comment } = table.entities
    await User.put({ username: 'alice', name: 'Alice' }).execute()
    await Comment.put({ postId: 'p', commentId: '1', username: 'alice' }).execute()
    await run(propagateCopies(table))
    const { version } = (await Comment.get({ postId: 'p', commentId: '1' }).execute()) ?? {}
    await checkpoints.save(streamArn, { shards: {} })
    await run(propagateCopies(table))
    expect(await Comment.get({ postId: 'p', commentId: '1' }).execute()).toMatchObject({ version })
    await engine.close()
  })
})

describe('the job', () => {
  async function neglected() {
    const { table } = await copyTable()
    const { User, Comment, Post } = table.entities
    for (let number = 0; number < 10; number++) {
      const username = `user${number}`
      await User.put({ username, name: `Name ${number}` }).execute()
      await Comment.put({ postId: 'p', commentId: `${number}`, username, userName: 'x' }).execute()
    }
    await Post.put({ postId: 'p', author: 'user3' }).execute()
    const names = async () =>
      (await Comment.query({ postId: 'p' }).execute()).map(({ userName }) => userName)
    return { table, names }
  }
  const right = Array.from({ length: 10 }, (_, number) => `Name ${number}`)

  test('updates what differs, once', async () => {
    const { table, names } = await neglected()
    expect(await propagate(table, { from: 'User' })).toEqual({
      sources: 10,
      updated: 11,
      cursor: undefined,
    })
    expect(await names()).toEqual(right)
    expect(await propagate(table)).toEqual({ sources: 11, updated: 0, cursor: undefined })
  })

  test('writes what the source is at the end, also if it changed in between', async () => {
    const { engine, table } = await copyTable()
    const { User, Comment } = table.entities
    await User.put({ username: 'a', name: 'Ann' }).execute()
    await Comment.put({ postId: 'p', commentId: '1', username: 'a' }).execute()
    const { send } = engine
    let names = ['Bea', 'Cis']
    // Each time the copy is about to be written, the source gets another name.
    const client: Transport = {
      async send(operation, request, options) {
        const [name, ...others] = names
        if (operation === 'UpdateItem' && name) {
          names = others
          await User.update({ username: 'a' }).set({ name }).execute()
        }
        return send(operation, request, options)
      },
    }
    await propagate(new Table({ name: table.name, schema: copySchema, client }))
    expect(names).toEqual([])
    expect(await Comment.get({ postId: 'p', commentId: '1' }).execute()).toMatchObject({
      userName: 'Cis',
    })
  })

  test('can be stopped and resumed', async () => {
    const { table, names } = await neglected()
    let cursor: string | undefined
    let runs = 0
    for (let ended = false; !ended; runs++) {
      const controller = new AbortController()
      ended = await propagate(table, {
        cursor,
        pageSize: 4,
        signal: controller.signal,
        onProgress(progress) {
          cursor = progress.cursor
          if (cursor !== undefined) controller.abort()
        },
      }).then(
        () => true,
        () => false,
      )
    }
    expect(runs).toBeGreaterThan(3)
    expect(await names()).toEqual(right)
  })

  test('refuses models that nothing is a copy of, and foreign cursors', async () => {
    const { table } = await neglected()
    await expect(propagate(table, { from: 'Usr' })).rejects.toThrow('did you mean "User"')
    for (const cursor of ['', '{', '{"model":"Note"}', 'null']) {
      await expect(propagate(table, { cursor })).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
    }
  })
})

describe('a schema with copyOf', () => {
  const user = {
    key: { pk: 'USER#${username}' },
    attributes: {
      username: { type: String, required: true },
      name: { type: String },
      secret: { type: String, hidden: true },
      age: { type: Number },
    },
  } as const
  const tableOf = (
    attributes: SchemaDefinition['models'][string]['attributes'],
    more: object = {},
  ) => {
    const schema = defineSchema({
      indexes: { primary: { hash: 'pk' }, byUser: { hash: 'gsi1pk' }, byOther: { hash: 'gsi2pk' } },
      models: {
        User: user,
        Post: { key: { pk: 'POST#${postId}' }, attributes, ...more },
      },
    } as SchemaDefinition)
    return new Table({ name: 'Refused', schema, client: createEngine() })
  }
  const base = { postId: { type: String, required: true }, username: { type: String } } as const
  const index = { gsi1pk: 'BY#${username}' }

  test.each([
    ['Usr.name', 'did you mean "User"'],
    ['name', 'names no model'],
    ['User.nam', 'did you mean "name"'],
    ['User.age', '"copy" is of another type than "age"'],
    [{ from: 'User.name', by: { username: 'writer' } }, '"writer" is not an attribute of "Post"'],
    [{ from: 'User.name', by: { user: 'postId' } }, '"user" is not an option'],
    [{ of: 'User.name' }, '"of" is not an option'],
  ])('of %j is refused when it is defined', (copyOf, problem) => {
    const attributes = { ...base, copy: { type: String, copyOf } }
    expect(() => tableOf(attributes as never)).toThrow(problem)
  })

  test('that could not be updated is refused when it is defined', () => {
    const copy = { type: String, copyOf: 'User.name', readonly: true } as const
    expect(() => tableOf({ ...base, copy })).toThrow("an update can't change it")
  })

  const copy = { type: String, copyOf: 'User.name' } as const
  test.each([
    [{ ...base, copy }, {}, 'No index finds the items of Post by username'],
    [
      { ...base, copy, at: { type: String } },
      { index: { gsi1pk: 'BY#${username}#${at}' } },
      'byUser needs at',
    ],
    [{ ...base, copy }, { index, when: { byUser: { username: 'x' } } }, 'leaves some items out'],
    [{ ...base, copy: { ...copy, copyOf: 'User.secret' } }, { index }, 'hidden'],
    [{ ...base, copy: { ...copy, required: true } }, { index }, 'User.name can be absent'],
  ])(
    'whose copies nobody can find or fill is refused by propagateCopies: %#',
    (attributes, more, problem) => {
      const table = tableOf(attributes, more)
      expect(() => propagateCopies(table)).toThrow(problem)
    },
  )

  test('in a circle is refused by propagateCopies', () => {
    const schema = defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: {
        A: {
          key: { pk: 'A#${id}' },
          attributes: { id: { type: String }, a: { type: String, copyOf: 'B.b' } },
        },
        B: {
          key: { pk: 'B#${id}' },
          attributes: { id: { type: String }, b: { type: String, copyOf: 'A.a' } },
        },
      },
    })
    const table = new Table({ name: 'Circle', schema, client: createEngine() })
    expect(() => propagateCopies(table)).toThrow('is a copy of itself')
  })

  test('needs a table', () => {
    expect(() => propagateCopies({ name: 'x', schema: {} as never })).toThrow('is not a table')
  })
})

test('copies are found in an index that is spread over shards', async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' }, byUser: { hash: 'gsi1pk', sort: 'gsi1sk' } },
    models: {
      User: {
        key: { pk: 'USER#${username}', sk: 'PROFILE' },
        attributes: { username: { type: String, required: true }, name: { type: String } },
      },
      Like: {
        key: { pk: 'POST#${postId}', sk: 'LIKE#${username}' },
        index: { gsi1pk: 'LIKES#${username}#${shard}', gsi1sk: 'POST#${postId}' },
        shard: { count: 4 },
        attributes: {
          postId: { type: String, required: true },
          username: { type: String, required: true },
          userName: { type: String, copyOf: 'User.name' },
        },
      },
    },
  })
  const table = new Table({ name: 'Likes', schema, client: createEngine() })
  await table.create()
  const { User, Like } = table.entities
  await User.put({ username: 'a', name: 'Ann' }).execute()
  for (let post = 0; post < 20; post++)
    await Like.put({ postId: `${post}`, username: 'a' }).execute()
  expect(await propagate(table)).toMatchObject({ sources: 1, updated: 20 })
  const names = (await Like.scan().execute()).map(({ userName }) => userName)
  expect(new Set(names)).toEqual(new Set(['Ann']))
})
