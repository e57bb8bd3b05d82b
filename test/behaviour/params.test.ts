import { defineSchema, Table } from 'singletable'
import { describe, expect, test } from 'vitest'
import { codeOf } from './failure-of.ts'
import { onEachTarget } from './on-each-target.ts'

/** Options of the schema, and tables as a whole. */

onEachTarget((target) => {
  /** A clock that a test sets. */
  const clock = (start: string) => {
    let now = Date.parse(start)
    return {
      set: (time: string): void => {
        now = Date.parse(time)
      },
      environment: {
        now: () => now,
        randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
        schedule: (callback: () => void) => {
          const timer = setTimeout(callback, 1)
          return () => clearTimeout(timer)
        },
      },
    }
  }

  describe('timestamps', () => {
    const schema = defineSchema({
      indexes: { primary: { hash: 'pk' }, byTime: { hash: 'gsi1pk', sort: 'gsi1sk' } },
      models: {
        Note: {
          key: { pk: 'NOTE#${id}' },
          index: { gsi1pk: 'NOTES', gsi1sk: '${createdAt}' },
          attributes: { id: { type: String, required: true }, text: { type: String } },
        },
      },
      params: { timestamps: true },
    })
    const first = '2026-01-01T00:00:00.000Z'
    const second = '2026-01-02T00:00:00.000Z'

    test('put sets both, update the second', async () => {
      const time = clock(first)
      const { Note } = (await target.table(schema, { environment: time.environment })).entities
      const made = await Note.put({ id: '1' }).execute()
      expect(made).toEqual({ id: '1', createdAt: new Date(first), updatedAt: new Date(first) })
      time.set(second)
      const changed = await Note.update({ id: '1' }).set({ text: 'x' }).execute()
      expect(changed).toEqual({
        id: '1',
        text: 'x',
        createdAt: new Date(first),
        updatedAt: new Date(second),
      })
      expect(await Note.get({ id: '1' }).execute()).toEqual(changed)
    })

    test('upsert sets createdAt once', async () => {
      const time = clock(first)
      const { Note } = (await target.table(schema, { environment: time.environment })).entities
      await Note.upsert({ id: '1' }).set({ text: 'a' }).execute()
      time.set(second)
      const again = await Note.upsert({ id: '1' }).set({ text: 'b' }).execute()
      expect(again).toMatchObject({ createdAt: new Date(first), updatedAt: new Date(second) })
    })

    test('a createdAt that is given is kept', async () => {
      const time = clock(second)
      const { Note } = (await target.table(schema, { environment: time.environment })).entities
      const made = await Note.put({ id: '1', createdAt: new Date(first) }).execute()
      expect(made).toMatchObject({ createdAt: new Date(first), updatedAt: new Date(second) })
    })

    test('createdAt can be in keys and conditions', async () => {
      const time = clock(first)
      const { Note } = (await target.table(schema, { environment: time.environment })).entities
      await Note.put({ id: '1' }).execute()
      time.set(second)
      await Note.put({ id: '2' }).execute()
      const late = Note.query()
        .where((attr, op) => op.gt(attr.createdAt, new Date(first)))
        .useIndex('byTime')
      expect((await late.execute()).map(({ id }) => id)).toEqual(['2'])
      const scan = Note.scan().where((attr, op) => op.eq(attr.updatedAt, new Date(first)))
      expect((await scan.execute()).map(({ id }) => id)).toEqual(['1'])
    })

    test('declared as a Number or a String they are given so', async () => {
      const time = clock(first)
      const { Note } = (
        await target.table(
          {
            indexes: { primary: { hash: 'pk' } },
            models: {
              Note: {
                key: { pk: 'NOTE#${id}' },
                attributes: {
                  id: { type: String, required: true },
                  createdAt: { type: String },
                  updatedAt: { type: Number },
                },
              },
            },
            params: { timestamps: true },
          },
          { environment: time.environment },
        )
      ).entities
      await Note.put({ id: '1' }).execute()
      expect(await Note.get({ id: '1' }).execute()).toEqual({
        id: '1',
        createdAt: first,
        updatedAt: Date.parse(first),
      })
    })

    test('with isoDates false they are stored as numbers and given as dates', async () => {
      const { Note } = (
        await target.table({ ...schema, params: { timestamps: true, isoDates: false } })
      ).entities
      const made = await Note.put({ id: '1' }).execute()
      expect(made.createdAt).toBeInstanceOf(Date)
      expect(Note.put({ id: '1' }).dbParams().Item.createdAt).toEqual(expect.any(Number))
      expect(await Note.get({ id: '1' }).execute()).toEqual(made)
    })
  })

  test('typeField and separator', async () => {
    const { entities } = await target.table({
      indexes: { primary: { hash: 'PK', sort: 'SK' } },
      models: {
        Post: {
          key: { PK: 'USER|${user}', SK: 'POST|${id}' },
          attributes: {
            user: { type: String, required: true },
            id: { type: String, required: true },
          },
        },
        Reply: {
          key: { PK: 'USER|${user}', SK: 'REPLY|${id}' },
          attributes: {
            user: { type: String, required: true },
            id: { type: String, required: true },
          },
        },
      },
      params: { typeField: 'kind', separator: '|' },
    })
    const { Post, Reply } = entities
    const post = { user: 'a#b', id: '1' }
    expect(Post.put(post).dbParams().Item).toEqual({
      PK: 'USER|a#b',
      SK: 'POST|1',
      kind: 'Post',
      ...post,
    })
    await Post.put(post).execute()
    await Reply.put(post).execute()
    expect(await Post.scan().execute()).toEqual([post])
    expect(await Post.query({ user: 'a#b' }).execute()).toEqual([post])
    expect(await codeOf(() => Post.put({ user: 'a|b', id: '1' }).execute())).toBe(
      'KEY_COMPONENT_INVALID',
    )
  })

  test('cleanInternalKeys false gives key attributes and the type as well', async () => {
    const { entities } = await target.table({
      indexes: { primary: { hash: 'pk' }, gsi1: { hash: 'gsi1pk' } },
      models: {
        Post: {
          key: { pk: 'POST#${id}' },
          index: { gsi1pk: 'TAG#${tag}' },
          attributes: { id: { type: String, required: true }, tag: { type: String } },
        },
      },
      params: { cleanInternalKeys: false },
    })
    const { Post } = entities
    const whole = { id: '1', tag: 'x', pk: 'POST#1', gsi1pk: 'TAG#x', _type: 'Post' }
    expect(await Post.put({ id: '1', tag: 'x' }).execute()).toEqual(whole)
    expect(await Post.get({ id: '1' }).execute()).toEqual(whole)
    expect(await Post.query({ tag: 'x' }).execute()).toEqual([whole])
    // What was read can be written back.
    expect(await Post.put(whole).execute()).toEqual(whole)
  })

  test('the same schema in long, short and upper-case spelling makes the same items', async () => {
    const attributes = {
      id: { type: String, required: true },
      tag: { type: String },
    } as const
    const long = await target.table({
      format: 'dynatable:1.0.0',
      version: '1.0.0',
      indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
      models: {
        Post: {
          key: {
            pk: { type: String, value: 'POST#${id}' },
            sk: { type: String, value: 'POST' },
          },
          attributes: {
            ...attributes,
            gsi1pk: { type: String, value: 'TAG#${tag}' },
            gsi1sk: { type: String, value: 'POST#${id}' },
          },
        },
      },
    })
    const short = await target.table({
      indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
      models: {
        Post: {
          key: { pk: 'POST#${id}', sk: 'POST' },
          index: { gsi1pk: 'TAG#${tag}', gsi1sk: 'POST#${id}' },
          attributes,
        },
      },
    })
    const post = { id: '1', tag: 'x' }
    expect(long.entities.Post.put(post).dbParams().Item).toEqual(
      short.entities.Post.put(post).dbParams().Item,
    )
    await long.entities.Post.put(post).execute()
    await short.entities.Post.put(post).execute()
    expect(await long.entities.Post.query({ tag: 'x' }).execute()).toEqual([post])
    expect(await short.entities.Post.query({ tag: 'x' }).execute()).toEqual([post])
  })

  describe('tables', () => {
    const schema = defineSchema({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Note: {
          key: { pk: 'NOTE#${id}' },
          attributes: { id: { type: String, required: true } },
        },
      },
    })

    test('are created, found and deleted', async () => {
      const table = new Table({
        name: `life-${process.pid}-${target.name.replaceAll(' ', '-')}`,
        client: target.client,
        schema,
      })
      expect(await table.exists()).toBe(false)
      await table.create()
      expect(await table.exists()).toBe(true)
      await table.entities.Note.put({ id: '1' }).execute()
      await table.delete()
      expect(await table.exists()).toBe(false)
    })

    test('that are not there are an error with their name', async () => {
      const table = new Table({ name: 'nobody-made-this', client: target.client, schema })
      expect(await codeOf(() => table.entities.Note.get({ id: '1' }).execute())).toBe(
        'TABLE_NOT_FOUND',
      )
      expect(await codeOf(() => table.delete())).toBe('TABLE_NOT_FOUND')
    })

    test('can not be created twice', async () => {
      const table = await target.table(schema)
      expect(await codeOf(() => table.create())).toBe('REQUEST_REFUSED')
    })
  })

  test('items written by other means, without a type, are adopted', async () => {
    const bare = await target.table({
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Row: {
          key: { pk: '${a}', sk: '${b}' },
          attributes: {
            a: { type: String, required: true, encode: true },
            b: { type: String, required: true, encode: true },
          },
        },
      },
    })
    const { Note } = new Table({
      name: bare.name,
      client: target.client,
      schema: {
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: {
          Note: {
            key: { pk: 'BOOK#${book}', sk: 'NOTE#${id}' },
            attributes: {
              book: { type: String, required: true },
              id: { type: String, required: true },
              text: { type: String },
            },
          },
        },
      },
    }).entities
    const written = Note.put({ book: 'a', id: '1', text: 'x' }).dbParams()
    const { _type, book, id, ...item } = written.Item
    expect([_type, book, id]).toEqual(['Note', 'a', '1'])
    const transport = new Table({
      name: bare.name,
      client: target.client,
      schema: {
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: {
          Any: {
            key: { pk: 'BOOK#${book}', sk: 'NOTE#${id}' },
            attributes: {
              book: { type: String, required: true },
              id: { type: String, required: true },
              text: { type: String },
            },
          },
        },
      },
    })
    await transport.transactWrite().addPut({ TableName: bare.name, Item: item }).execute()
    // The attributes that only the key has are read from there.
    expect(await Note.get({ book: 'a', id: '1' }).execute()).toEqual({
      book: 'a',
      id: '1',
      text: 'x',
    })
    expect(await Note.query({ book: 'a' }).count()).toBe(1)
  })
})
