import { defineSchema } from 'singletable'
import { expect, test } from 'vitest'
import { codeOf, failureOf } from './failure-of.ts'
import { onEachTarget, type Target } from './on-each-target.ts'
import { requestsOf } from './requests-of.ts'

const text = { type: String, required: true } as const

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byStatus: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byYear: { hash: 'year', sort: 'sk' },
  },
  models: {
    Task: {
      key: { pk: 'USER#${owner}', sk: 'TASK#${taskId}' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'TASK#${taskId}' },
      attributes: {
        owner: text,
        taskId: text,
        status: { type: String, enum: ['open', 'done', 'gone'], default: 'open' },
        points: { type: Number, default: 0 },
        year: { type: Number },
        title: { type: String },
      },
    },
    Order: {
      key: { pk: 'ORDER#${orderId}', sk: 'ORDER' },
      attributes: {
        orderId: text,
        userId: text,
        status: { type: String, default: 'open' },
        note: { type: String },
      },
      copies: { UserOrder: { key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' } } },
    },
    Log: { key: { pk: 'LOG#${logId}', sk: 'LOG' }, attributes: { logId: text } },
  },
  patterns: {
    titles: { op: 'query', entity: 'Task', by: ['owner'], select: ['title'] },
    found: {
      op: 'query',
      entity: 'Task',
      by: ['owner'],
      where: { points: { gte: '$least?' }, title: { contains: '$part?' }, status: '$status?' },
    },
    countOpen: {
      op: 'count',
      entity: 'Task',
      index: 'byStatus',
      by: ['status'],
      where: { points: { gte: '$least?' } },
    },
    hasTasks: { op: 'exists', entity: 'Task', by: ['owner'], range: 'taskId' },
    withStatus: { op: 'query', entity: 'Task', index: 'byStatus', by: [], in: ['status'] },
    newest: {
      op: 'query',
      entity: 'Task',
      index: 'byStatus',
      by: [],
      in: ['status'],
      range: 'taskId',
      order: 'desc',
      limit: 3,
    },
    ofYears: { op: 'query', entity: 'Task', index: 'byYear', by: [], in: ['year'] },
    saveTask: { op: 'upsert', entity: 'Task', by: ['owner', 'taskId'], set: ['title', 'points'] },
    finish: {
      op: 'update',
      entity: 'Task',
      by: ['owner', 'taskId'],
      set: ['status'],
      where: { status: 'open', points: { gte: '$least?' } },
    },
    raise: {
      op: 'update',
      entity: 'Task',
      by: ['owner', 'taskId'],
      set: ['points'],
      where: { points: { lt: '$points' } },
    },
    replace: { op: 'put', entity: 'Task', where: { points: '$before' } },
    drop: { op: 'delete', entity: 'Task', by: ['owner', 'taskId'], where: { status: '$status' } },
    createOrder: { op: 'create', entity: 'Order' },
    ship: {
      op: 'transact',
      steps: {
        log: { op: 'create', entity: 'Log' },
        order: {
          op: 'update',
          entity: 'Order',
          by: ['orderId'],
          set: ['status'],
          given: ['userId', 'note'],
        },
      },
    },
    cancel: {
      op: 'transact',
      steps: {
        log: { op: 'check', entity: 'Log', by: ['logId'], where: { logId: { ne: '$not' } } },
        order: { op: 'delete', entity: 'Order', by: ['orderId'], given: ['userId'] },
      },
    },
  },
})

const ids = (items: readonly { readonly taskId: string }[]): string =>
  items.map(({ taskId }) => taskId).join(' ')

/** Al has tasks 1 to 4, Bo has 5 and 6; odd ones are open. */
async function seeded(target: Target) {
  const table = await target.table(schema)
  await table.entities.Task.batchWrite(
    [1, 2, 3, 4, 5, 6].map((number) => ({
      owner: number < 5 ? 'al' : 'bo',
      taskId: `t${number}`,
      status: number % 2 === 1 ? ('open' as const) : ('done' as const),
      points: number * 10,
      year: 2020 + number,
      title: `Task ${number}`,
    })),
  )
  return table
}

onEachTarget((target) => {
  test('select and where are the words of builders; a condition with ? is left out where it is not given', async () => {
    const { patterns } = await seeded(target)
    expect((await patterns.titles({ owner: 'bo' })).items).toEqual([
      { title: 'Task 5' },
      { title: 'Task 6' },
    ])
    expect(ids((await patterns.found({ owner: 'al' })).items)).toBe('t1 t2 t3 t4')
    expect(ids((await patterns.found({ owner: 'al', least: 20 })).items)).toBe('t2 t3 t4')
    expect(ids((await patterns.found({ owner: 'al', status: 'open' })).items)).toBe('t1 t3')
    const all = { owner: 'al', least: 20, part: '4', status: 'done' } as const
    expect(ids((await patterns.found(all)).items)).toBe('t4')
    expect(ids((await patterns.found({ owner: 'al', least: undefined })).items)).toBe('t1 t2 t3 t4')
  })

  test('count counts without sending items, and exists reads no further than the first', async () => {
    const table = await seeded(target)
    const { patterns } = table
    expect((await patterns.countOpen({ status: 'open' })).count).toBe(3)
    expect((await patterns.countOpen({ status: 'open', least: 30 })).count).toBe(2)
    expect((await patterns.countOpen({ status: 'gone' })).count).toBe(0)
    expect(patterns.countOpen.plan()).toMatchObject({ op: 'Query', gives: 'count' })
    expect((await patterns.hasTasks({ owner: 'al' })).exists).toBe(true)
    expect((await patterns.hasTasks({ owner: 'cy' })).exists).toBe(false)
    expect((await patterns.hasTasks({ owner: 'al', taskId: { gt: 't4' } })).exists).toBe(false)
    const run = await patterns.hasTasks({ owner: 'al' }).measure()
    expect([run.requests, run.itemsRead, run.result]).toEqual([1, 1, { exists: true }])
  })

  test('in reads the partitions of all listed values, merged in order', async () => {
    const table = await seeded(target)
    const { patterns } = table
    expect(ids((await patterns.withStatus({ status: ['done', 'open'] })).items)).toBe(
      't1 t2 t3 t4 t5 t6',
    )
    expect(ids((await patterns.newest({ status: ['done', 'open', 'gone'] })).items)).toBe(
      't6 t5 t4',
    )
    const input = { status: ['open', 'done'], taskId: { lt: 't6' } } as const
    const page = await patterns.newest(input).page()
    expect(ids(page.items)).toBe('t5 t4 t3')
    expect(ids((await patterns.newest(input).page({ cursor: page.cursor })).items)).toBe('t2 t1')
    expect(patterns.newest.plan(input).requests).toBe(2)
    expect(patterns.newest.plan()).toMatchObject({ in: ['status'], requests: 1 })
    const none = await requestsOf(table, async () => {
      expect((await patterns.withStatus({ status: [] })).items).toEqual([])
    })
    expect(none).toEqual([])
    // A caller without types can give anything.
    const loose = patterns.withStatus as unknown as (input: object) => Promise<unknown>
    const failure = await failureOf(() => loose({ status: 'open' }))
    expect(failure.message).toContain('"status" is not a list')
  })

  test('in on a key that is a number reads each of its values', async () => {
    const { patterns, entities } = await seeded(target)
    expect(ids((await patterns.ofYears({ year: [2026, 2021] })).items)).toBe('t1 t6')
    const built = await entities.Task.query().where((attr, op) => op.in(attr.year, [2022, 2023]))
    expect(ids(built)).toBe('t2 t3')
  })

  test('upsert makes the item or changes it', async () => {
    const { patterns } = await seeded(target)
    const made = await patterns.saveTask({ owner: 'cy', taskId: 'x', title: 'New' })
    expect(made.item).toMatchObject({ title: 'New', status: 'open', points: 0 })
    const changed = await patterns.saveTask({ owner: 'al', taskId: 't1', points: 7 })
    expect(changed.item).toMatchObject({ title: 'Task 1', points: 7, status: 'open' })
  })

  test('writes have conditions, with values of the definition and of the input', async () => {
    const { patterns } = await seeded(target)
    const key = { owner: 'al', taskId: 't1' }
    const refused = await patterns.finish({ ...key, status: 'done', least: 11 }).result()
    expect(refused).toMatchObject({ ok: false, reason: 'CONDITION_FAILED', item: { points: 10 } })
    expect((await patterns.finish({ ...key, status: 'done' })).item.status).toBe('done')
    expect(await codeOf(() => patterns.finish({ ...key, status: 'gone' }))).toBe('CONDITION_FAILED')
    expect((await patterns.raise({ ...key, points: 11 })).item.points).toBe(11)
    expect(await codeOf(() => patterns.raise({ ...key, points: 11 }))).toBe('CONDITION_FAILED')
    const put = await patterns.replace({ ...key, title: 'Other', before: 11 })
    expect(put.item).toEqual({ ...key, title: 'Other', status: 'open', points: 0 })
    expect(await codeOf(() => patterns.replace({ ...key, before: 11 }))).toBe('CONDITION_FAILED')
    expect(await codeOf(() => patterns.drop({ ...key, status: 'done' }))).toBe('CONDITION_FAILED')
    expect((await patterns.drop({ ...key, status: 'open' })).item?.title).toBe('Other')
  })

  test('a transaction changes what copies are made of, by the current values that are given', async () => {
    const table = await target.table(schema)
    const { patterns, entities } = table
    await patterns.createOrder({ orderId: '1', userId: 'u' })
    const order = { orderId: '1', status: 'sent', given: { userId: 'u' } }
    const operations = await requestsOf(table, () =>
      patterns.ship({ log: { logId: 'l' }, order }).execute(),
    )
    expect(operations).toEqual(['TransactWriteItems'])
    const copy = { userId: 'u', orderId: '1' }
    expect(await entities.UserOrder.get(copy)).toMatchObject({ status: 'sent' })
    const wrong = { ...order, given: { userId: 'u', note: 'x' } }
    expect(await codeOf(() => patterns.ship({ log: { logId: 'm' }, order: wrong }))).toBe(
      'TRANSACTION_CANCELED',
    )
    const unknown = { ...order, given: { userId: 'u', status: 'sent' } }
    // A caller without types can give more.
    const failure = await failureOf(() => patterns.ship({ log: { logId: 'm' }, order: unknown }))
    expect(failure.message).toContain('"order.given.status" is not one of the current values')
    const check = { logId: 'l', not: 'l' }
    const deletion = { orderId: '1', given: { userId: 'u' } }
    expect(await codeOf(() => patterns.cancel({ log: check, order: deletion }))).toBe(
      'TRANSACTION_CANCELED',
    )
    await patterns.cancel({ log: { logId: 'l', not: 'x' }, order: deletion })
    expect(await entities.UserOrder.get(copy)).toBeUndefined()
  })
})
