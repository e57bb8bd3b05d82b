import { defineSchema, OutcomeUnknownError, Table, type Transport } from 'singletable'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ShopSchema } from '../behaviour/shop-schema.ts'

/** What happens to items that are written together when answers are lost. */

let engine: Engine
let sent: { readonly operation: string; readonly token?: string | undefined }[] = []

beforeEach(() => {
  engine = createEngine()
  sent = []
})
afterEach(() => engine.close())

async function shop(): Promise<Table<typeof ShopSchema>> {
  const client: Transport = {
    send(operation, request, sendOptions) {
      const { ClientRequestToken: token } = request as { ClientRequestToken?: string }
      sent.push({ operation, token })
      return engine.send(operation, request, sendOptions)
    },
  }
  const retry = { attemptsMax: 3, delayMsBase: 0, delayMsMax: 0 }
  const table = new Table({ name: 'shop', schema: ShopSchema, client, retry })
  await table.create()
  const { User, Group, Order } = table.entities
  await User.create({ userId: 'ann', email: 'ann@x.org' }).execute()
  await Group.create({ groupId: 'g' }).execute()
  await Order.create({ orderId: '1', userId: 'ann', total: 1 }).execute()
  sent = []
  return table
}

function loseAnswers(count: number): void {
  engine.faults.add({ kind: 'error', when: 'after', operation: 'TransactWriteItems', count })
}

describe('an answer that is lost', () => {
  test('a create is done once', async () => {
    const table = await shop()
    loseAnswers(1)
    const { Membership, Group } = table.entities
    expect(await Membership.create({ groupId: 'g', userId: 'u' }).execute()).toEqual({
      groupId: 'g',
      userId: 'u',
      role: 'member',
    })
    expect(await Group.get({ groupId: 'g' }).execute()).toMatchObject({ memberCount: 1 })
  })

  test('a put is done once', async () => {
    const table = await shop()
    loseAnswers(1)
    const { Membership, Group } = table.entities
    await Membership.put({ groupId: 'g', userId: 'u' }).execute()
    expect(await Group.get({ groupId: 'g' }).execute()).toMatchObject({ memberCount: 1 })
  })

  test('an update is done once, and gives what it made', async () => {
    const table = await shop()
    loseAnswers(1)
    const { Order, UserOrder } = table.entities
    expect(await Order.update({ orderId: '1' }).add('total', 1).execute()).toMatchObject({
      total: 2,
      version: 2,
    })
    expect(await Order.get({ orderId: '1' }).execute()).toMatchObject({ total: 2, version: 2 })
    expect(await UserOrder.get({ orderId: '1', userId: 'ann' }).execute()).toMatchObject({
      total: 2,
    })
  })

  test('a move is done once', async () => {
    const table = await shop()
    loseAnswers(1)
    const { Order, UserOrder, User } = table.entities
    expect(await Order.update({ orderId: '1' }).set({ orderId: '2' }).execute()).toMatchObject({
      orderId: '2',
    })
    expect(await UserOrder.query({ userId: 'ann' }).execute()).toMatchObject([{ orderId: '2' }])
    expect(await User.get({ userId: 'ann' }).execute()).toMatchObject({ orderCount: 1 })
  })

  test('a delete is done once', async () => {
    const table = await shop()
    loseAnswers(1)
    const { Order, User } = table.entities
    await Order.delete({ orderId: '1' }).execute()
    expect(await User.get({ userId: 'ann' }).execute()).toMatchObject({ orderCount: 0 })
  })
})

test('a repeated request has the same token, a new plan has another', async () => {
  const table = await shop()
  loseAnswers(1)
  await table.entities.Order.update({ orderId: '1' }).set({ total: 5 }).execute()
  const tokens = sent.flatMap(({ token }) => token ?? [])
  expect(tokens).toHaveLength(2)
  expect(new Set(tokens).size).toBe(1)
  await table.entities.Order.update({ orderId: '1' }).set({ total: 6 }).execute()
  expect(new Set(sent.flatMap(({ token }) => token ?? [])).size).toBe(2)
})

test('of an outcome that is not known, all has happened or nothing', async () => {
  const table = await shop()
  const { Membership, UserGroup, Group } = table.entities
  for (const [when, count] of [
    ['before', 0],
    ['after', 1],
  ] as const) {
    const fault = engine.faults.add({ kind: 'error', when, operation: 'TransactWriteItems' })
    await expect(Membership.create({ groupId: 'g', userId: 'u' }).execute()).rejects.toThrow(
      OutcomeUnknownError,
    )
    fault.remove()
    expect(await Membership.query({ groupId: 'g' }).count()).toBe(count)
    expect(await UserGroup.query({ userId: 'u' }).count()).toBe(count)
    expect(await Group.get({ groupId: 'g' }).execute()).toMatchObject({ memberCount: count })
  }
})

test('a batch that is stopped says what is done and what is not', async () => {
  const table = await shop()
  const { Membership, Group } = table.entities
  const members = Array.from({ length: 20 }, (_, index) => ({ groupId: 'g', userId: `u${index}` }))
  const missing = { groupId: 'nowhere', userId: 'x' }
  const error = await Membership.batchWrite([...members, missing])
    .execute()
    .catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'BATCH_INCOMPLETE', cause: { code: 'PARENT_MISSING' } })
  const { done, remaining } = error as { done: unknown[]; remaining: unknown[] }
  expect(new Set([...done, ...remaining])).toEqual(new Set([...members, missing]))
  expect(remaining).toContain(missing)
  expect(await Group.get({ groupId: 'g' }).execute()).toMatchObject({ memberCount: done.length })
})

test('copies can have shards and time buckets in their keys', async () => {
  const schema = defineSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      Event: {
        key: { pk: 'EVENT#${id}', sk: 'EVENT' },
        shard: { count: 4, by: ['id'] },
        attributes: {
          id: { type: String, required: true },
          at: { type: Date, required: true },
          note: { type: String },
        },
        copies: {
          DayEvent: { key: { pk: 'DAY#${at:day}#${shard}', sk: '${at}#${id}' }, attributes: [] },
        },
      },
    },
  })
  const table = new Table({ name: 'events', schema, client: engine })
  await table.create()
  const { Event, DayEvent } = table.entities
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 16, hour))
  for (const hour of [3, 1, 2]) await Event.create({ id: `e${hour}`, at: at(hour) }).execute()
  const found = await DayEvent.query()
    .where((attr, op) => op.between(attr.at, at(0), at(23)))
    .execute()
  expect(found.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3'])
  await Event.update({ id: 'e1' })
    .set({ at: new Date(Date.UTC(2026, 10, 17)) })
    .execute()
  expect(await DayEvent.get({ id: 'e2', at: at(2) }).execute()).toEqual({ id: 'e2', at: at(2) })
  const { Items = [] } = await engine.send('Scan', { TableName: 'events' })
  expect(Items).toHaveLength(6)
})

test('an item that is created again with the same version is not taken for the one that was read', async () => {
  const other = await shop()
  let isFirst = true
  const client: Transport = {
    async send(operation, request, sendOptions) {
      if (operation === 'TransactWriteItems' && isFirst) {
        isFirst = false
        await other.entities.User.create({ userId: 'bob' }).execute()
        await other.entities.Order.delete({ orderId: '1' }).execute()
        await other.entities.Order.create({ orderId: '1', userId: 'bob', total: 9 }).execute()
      }
      return engine.send(operation, request, sendOptions)
    },
  }
  const table = new Table({ name: 'shop', schema: ShopSchema, client })
  const { Order, UserOrder } = table.entities
  expect(await Order.update({ orderId: '1' }).add('total', 1).execute()).toMatchObject({
    userId: 'bob',
    total: 10,
  })
  expect(await UserOrder.query({ userId: 'ann' }).execute()).toEqual([])
  expect(await UserOrder.query({ userId: 'bob' }).execute()).toMatchObject([{ total: 10 }])
})

describe('a token of the caller', () => {
  test('makes a transaction once, also where parts of it had to be left out', async () => {
    const table = await shop()
    const { Group, Membership } = table.entities
    const join = (groupId: string) => Membership.create({ groupId, userId: 'ann' }).execute()
    const leave = (groupId: string) =>
      Membership.delete({ groupId, userId: 'ann' }).given({ role: 'member' })
    await Group.create({ groupId: 'h' }).execute()
    await join('g')
    await join('h')
    // A group that is gone counts nothing down.
    await Group.delete({ groupId: 'g' }).execute()
    const leaveBoth = () =>
      table
        .transactWrite()
        .add(leave('g'))
        .add(leave('h'))
        .withClientRequestToken('leave-both')
        .execute()
    await leaveBoth()
    await leaveBoth()
    await Group.create({ groupId: 'g' }).execute()
    await join('g')
    await leaveBoth()
    expect(await Group.get({ groupId: 'g' }).execute()).toMatchObject({ memberCount: 1 })
    expect(await Group.get({ groupId: 'h' }).execute()).toMatchObject({ memberCount: 0 })
    expect(await Membership.get({ groupId: 'g', userId: 'ann' }).execute()).toBeDefined()
    // Another transaction under the same token is still refused.
    const other = table.transactWrite().add(leave('g')).withClientRequestToken('leave-both')
    await expect(other.execute()).rejects.toMatchObject({
      cause: { name: 'IdempotentParameterMismatchException' },
    })
  })
})
