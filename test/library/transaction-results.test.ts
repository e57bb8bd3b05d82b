import {
  defineSchema,
  Table,
  TransactionCanceledError,
  TransactionRepeatedError,
} from 'singletable'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { beforeEach, describe, expect, test } from 'vitest'

/** What a transaction reports: by step, by entity and by the condition that failed. */

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  params: { timestamps: true },
  models: {
    User: {
      key: { pk: 'USER#${id}', sk: 'USER' },
      attributes: {
        id: { type: String, required: true },
        email: { type: String, unique: true },
        posts: { type: Number, counts: 'Post' },
        version: { type: Number, version: true },
      },
    },
    Post: {
      key: { pk: 'USER#${id}', sk: 'POST#${postId}' },
      attributes: {
        id: { type: String, required: true },
        postId: { type: String, generate: 'ulid' },
        state: { type: String, default: 'draft', required: true },
      },
    },
  },
  patterns: {
    publish: {
      op: 'transact',
      steps: {
        author: { op: 'check', entity: 'User', by: ['id'] },
        post: {
          op: 'update',
          entity: 'Post',
          by: ['id', 'postId'],
          set: ['state'],
          where: { state: 'draft' },
        },
      },
    },
    register: { op: 'transact', steps: { user: { op: 'create', entity: 'User' } } },
  },
})

const environment = simulatedEnvironment({ now: 0 })
let engine = createEngine({ environment })
let table = new Table({ name: 'Blog', schema, client: engine, environment })
let { User, Post } = table.entities

beforeEach(async () => {
  engine = createEngine({ environment })
  table = new Table({ name: 'Blog', schema, client: engine, environment })
  await table.create()
  ;({ User, Post } = table.entities)
  await User.create({ id: 'ann', email: 'ann@x' })
  await Post.create({ id: 'ann', postId: '1' })
})

describe('failures', () => {
  test('say which condition of which operation failed, on which item', async () => {
    const error: unknown = await table
      .transactWrite([
        User.create({ id: 'ann' }),
        User.update({ id: 'eve' }).set({ email: 'eve@x' }).given({ email: undefined }),
        User.create({ id: 'bob', email: 'ann@x' }),
        Post.create({ id: 'tom', postId: '2' }),
        Post.update({ id: 'ann', postId: '1' })
          .set({ state: 'done' })
          .where((attr, op) => op.eq(attr.state, 'live')),
      ])
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TransactionCanceledError)
    const { failures, message } = error as TransactionCanceledError
    const shown = failures.map(({ index, operation, entity, code }) => [
      index,
      operation,
      entity,
      code,
    ])
    expect(shown).toEqual([
      [0, 'create User', 'User', 'ITEM_EXISTS'],
      [1, 'update User', 'User', 'ITEM_NOT_FOUND'],
      [4, 'update Post', 'Post', 'CONDITION_FAILED'],
      [2, 'unique "email" of User', 'User', 'UNIQUE_TAKEN'],
      [3, 'count User.posts', 'User', 'PARENT_MISSING'],
    ])
    expect(failures[0]?.item).toMatchObject({ id: 'ann', email: 'ann@x' })
    expect(failures[3]).toMatchObject({ constraint: 'email', attributes: ['email'] })
    expect(failures.every(({ reason }) => reason === 'ConditionalCheckFailed')).toBe(true)
    expect(message).toContain('operation 0 (create User): User exists under this key already;')
    expect(message).toContain('operation 3 (count User.posts): The User whose posts counts this')
  })

  test('of a version that is another by now have the current item', async () => {
    const user = await User.update({ id: 'ann' }).set({ email: 'new@x' })
    const result = await table
      .transactWrite([User.check({ id: 'ann' }).ifVersion(user.version - 1)])
      .result()
    expect(result).toMatchObject({
      ok: false,
      reason: 'VERSION_CONFLICT',
      failures: [{ item: { version: 2 }, message: expect.stringContaining('has version 2') }],
    })
  })

  test('of an access pattern have the name of the step', async () => {
    const publish = () =>
      table.patterns.publish({
        author: { id: 'ann' },
        post: { id: 'ann', postId: '1', state: 'live' },
      })
    const first = await publish().result()
    expect(first).toMatchObject({ ok: true, value: { items: {} } })
    const second = await publish().result()
    expect(second).toMatchObject({
      ok: false,
      reason: 'CONDITION_FAILED',
      failures: [{ index: 1, step: 'post', entity: 'Post', item: { state: 'live' } }],
    })
    await expect(publish()).rejects.toThrow('step "post" (update Post): The condition of')
  })
})

describe('result()', () => {
  test('gives what was written', async () => {
    const result = await table.transactWrite([User.create({ id: 'bob' })]).result()
    expect(result.ok && result.value[0]).toMatchObject({ id: 'bob', posts: 0 })
  })

  test('throws what is not a failed condition', async () => {
    engine.faults.add({ kind: 'conflict', operation: 'TransactWriteItems', count: 100 })
    const stuck = table.transactWrite([User.create({ id: 'bob' })]).result({ deadlineMs: 1 })
    await expect(stuck).rejects.toThrow()
    await expect(table.transactWrite([]).result()).rejects.toThrow('TRANSACTION_INVALID')
  })
})

describe('a token', () => {
  const write = () =>
    table.transactWrite([Post.create({ id: 'ann' })]).withClientRequestToken('request-1')

  test('makes repetitions of one builder the same request, whatever the time', async () => {
    const once = write()
    const first = await once.execute()
    await environment.advance(1000)
    expect(await once.execute()).toEqual(first)
    expect(await Post.query({ id: 'ann' })).toHaveLength(2)
  })

  test('that was used with other times or ids is reported, and nothing is written', async () => {
    await write()
    await environment.advance(1000)
    const second: unknown = await write().catch((reason: unknown) => reason)
    expect(second).toBeInstanceOf(TransactionRepeatedError)
    expect(second).toMatchObject({ code: 'TRANSACTION_REPEATED' })
    expect(await write().result()).toMatchObject({ ok: false, reason: 'TRANSACTION_REPEATED' })
    expect(await Post.query({ id: 'ann' })).toHaveLength(2)
    expect(await User.get({ id: 'ann' })).toMatchObject({ posts: 2 })
  })

  test('is an option of access patterns that are transactions', async () => {
    const register = () => table.patterns.register({ user: { id: 'bob' } }, { token: 'request-2' })
    await register()
    await User.delete({ id: 'bob' })
    await environment.advance(1)
    await expect(register()).rejects.toThrow('TRANSACTION_REPEATED')
    expect(await User.get({ id: 'bob' })).toBeUndefined()
  })
})
