import { defineSchema, Table } from 'singletable'
import { createEngine, simulatedEnvironment } from 'singletable/engine'
import { expect, test } from 'vitest'

const required = { type: String, required: true } as const

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Order: {
      key: { pk: 'ORDER#${id}', sk: 'O' },
      attributes: { id: required, user: required, total: { type: Number, default: 0 } },
      copies: { UserOrder: { key: { pk: 'USER#${user}', sk: 'ORDER#${id}' } } },
    },
    Account: {
      key: { pk: 'ACCOUNT#${id}', sk: 'A' },
      attributes: { id: required, email: { type: String, unique: true }, n: { type: Number } },
    },
    Group: {
      key: { pk: 'G#${g}', sk: 'G' },
      attributes: { g: required, members: { type: Number, counts: 'Member' } },
    },
    Member: {
      key: { pk: 'G#${g}', sk: 'M#${m}' },
      attributes: { g: required, m: required, note: { type: String } },
    },
  },
})

/** A table whose requests and answers are each under way for some milliseconds, by a clock of its
 * own. */
async function createSlowTable() {
  const environment = simulatedEnvironment({ now: Date.UTC(2026, 0, 1) })
  const engine = createEngine()
  const travel = () =>
    new Promise<void>((resolve) => {
      environment.schedule(resolve, (environment.randomBytes(1)[0] ?? 0) % 5)
    })
  const client = {
    send: async (operation: never, request: never, options: never) => {
      await travel()
      const answer = await engine.send(operation, request, options)
      await travel()
      return answer
    },
  }
  const table = new Table({ name: 'Orders', schema, client: client as never, environment })
  /** Moves the clock until all is done. */
  const settle = async <T>(calls: readonly Promise<T>[]): Promise<PromiseSettledResult<T>[]> => {
    let isDone = false
    const all = Promise.allSettled(calls).finally(() => {
      isDone = true
    })
    while (!isDone) await environment.advance(1)
    return all
  }
  await settle([table.create()])
  return { table, engine, settle, environment }
}

const codesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))

test('200 concurrent updates of one item with a copy all succeed', async () => {
  const { table, settle } = await createSlowTable()
  const { Order, UserOrder } = table.entities
  await settle([Order.create({ id: '1', user: 'ann' }).execute()])
  const updates = Array.from({ length: 200 }, () => Order.update({ id: '1' }).add('total', 1))
  expect(codesOf(await settle(updates.map((each) => each.execute())))).toEqual([])
  const reads = [
    Order.get({ id: '1' }).execute(),
    UserOrder.get({ user: 'ann', id: '1' }).execute(),
  ]
  for (const read of await settle(reads)) {
    expect(read).toMatchObject({ value: { id: '1', user: 'ann', total: 200 } })
  }
})

test('concurrent updates of a unique value all succeed, and leave one guard', async () => {
  const { table, settle, engine } = await createSlowTable()
  const { Account } = table.entities
  await settle([Account.create({ id: '1', email: 'a@x' }).execute()])
  const updates = Array.from({ length: 60 }, (_, n) =>
    Account.update({ id: '1' })
      .set({ email: `${n}@x` })
      .execute(),
  )
  expect(codesOf(await settle(updates))).toEqual([])
  const { Items = [] } = await engine.send('Scan', { TableName: 'Orders' })
  expect(Items).toHaveLength(2)
})

test('concurrent creates, updates and deletes of counted items all succeed', async () => {
  const { table, settle } = await createSlowTable()
  const { Group, Member } = table.entities
  await settle([Group.create({ g: 'g' }).execute()])
  const names = Array.from({ length: 60 }, (_, n) => `m${n}`)
  const create = (m: string) => Member.create({ g: 'g', m }).execute()
  expect(codesOf(await settle(names.map(create)))).toEqual([])
  const update = (m: string) => Member.update({ g: 'g', m }).set({ note: 'x' }).execute()
  expect(codesOf(await settle([...names, ...names].map(update)))).toEqual([])
  const remove = (m: string) => Member.delete({ g: 'g', m }).execute()
  expect(codesOf(await settle([...names.slice(20), ...names.slice(40)].map(remove)))).toEqual([])
  const [group] = await settle([Group.get({ g: 'g' }).execute()])
  expect(group).toMatchObject({ value: { g: 'g', members: 20 } })
})

test('transactions that others are in the way of are sent again until the deadline', async () => {
  const { table, settle, engine } = await createSlowTable()
  const { Order } = table.entities
  await settle([Order.create({ id: '1', user: 'ann' }).execute()])
  engine.faults.add({ kind: 'conflict', operation: 'TransactWriteItems', count: 30 })
  const update = () => Order.update({ id: '1' }).set({ total: 7 })
  expect(codesOf(await settle([update().execute()]))).toEqual([])
  engine.faults.add({ kind: 'conflict', operation: 'TransactWriteItems' })
  const late = await settle([update().set({ total: 8 }).execute({ deadlineMs: 30_000 })])
  expect(codesOf(late)).toEqual(['DEADLINE_EXCEEDED'])
})
