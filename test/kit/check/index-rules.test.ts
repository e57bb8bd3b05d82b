import { Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import type { Item } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { type Design, readDesign } from '../../../packages/kit/src/check/design/design.ts'
import type { TableSample } from '../../../packages/kit/src/check/evidence/table-sample.ts'
import { INDEX_RULES } from '../../../packages/kit/src/check/rules/index-rules.ts'
import type { Notice } from '../../../packages/kit/src/check/rules/rule.ts'
import { INDEX_FIXTURES, orders } from './fixtures/index-fixtures.ts'

interface Builder {
  execute(): Promise<unknown>
}

function noticesOf(code: string, design: Design): readonly Notice[] {
  return [...(INDEX_RULES.find((each) => each.code === code)?.check(design) ?? [])]
}

function messagesOf(code: string, design: Design): readonly string[] {
  return noticesOf(code, design).map(({ message }) => message)
}

describe.each(INDEX_FIXTURES)('$code', ({ code, fires, messages, silent }) => {
  test('reports the fault', () => {
    expect(messagesOf(code, fires())).toEqual(messages)
  })

  test('says nothing about its near neighbour', () => {
    expect(messagesOf(code, silent())).toEqual([])
  })
})

const byCustomer = { op: 'query', entity: 'Order', index: 'gsi1', by: ['customerId'] } as const
const getOrder = { op: 'get', entity: 'Order', by: ['orderId'] } as const

/** An order as it is stored. */
function storedOrder(at: number, status: string): Item {
  return {
    _type: { S: 'Order' },
    pk: { S: `ORDER#${at}` },
    sk: { S: 'META' },
    status: { S: status },
    orderId: { S: String(at) },
  }
}

function sampleOf(statuses: readonly string[]): TableSample {
  return {
    items: statuses.map((status, at) => storedOrder(at, status)),
    itemCount: statuses.length,
    takenOn: '2026-11-16',
  }
}

describe('I01, an index that nothing reads', () => {
  test('is not reported where no pattern is declared, or where recorded tests have read it', () => {
    expect(messagesOf('I01', orders({}))).toEqual([])
    const shape = {
      operation: 'Query',
      index: 'gsi1',
      key: 'gsi1pk = CUSTOMER#${…}',
      filter: null,
      pattern: null,
      count: 1,
      itemsRead: 1,
      itemsReturned: 1,
    }
    const design = orders({ patterns: { getOrder } }, { recording: { shapes: [shape] } })
    expect(messagesOf('I01', design)).toEqual([])
  })
})

describe('I07, a local index', () => {
  test('that a pattern reads consistently is good to know and no more', () => {
    const design = orders({
      indexes: { byNote: { type: 'local', hash: 'pk', sort: 'note' } },
      models: { Order: { index: {} } },
      patterns: {
        notes: { op: 'query', entity: 'Order', index: 'byNote', by: ['orderId'], consistent: true },
      },
    })
    expect(noticesOf('I07', design)).toMatchObject([
      { severity: 'info', message: expect.stringContaining('notes reads it consistently') },
    ])
  })
})

describe('I06, limits of projections', () => {
  const names = Array.from({ length: 26 }, (_, at) => `a${at}`)
  const attributes = {
    orderId: { type: String, required: true },
    ...Object.fromEntries(names.map((name) => [name, { type: String }])),
  } as const
  const projecting = (counts: readonly number[]): Design =>
    orders({
      indexes: Object.fromEntries(
        counts.map((count, at) => [`gsi${at}`, { hash: `h${at}`, project: names.slice(0, count) }]),
      ),
      models: { Order: { index: {}, attributes } },
    })

  test('count what the library adds: an index lists the type as well', () => {
    expect(messagesOf('I06', projecting([19, 19, 19, 19, 19]))).toEqual([])
    expect(messagesOf('I06', projecting([20]))).toEqual([
      'The number of attributes that the projection of gsi0 lists is 21; the limit is 20.',
    ])
    expect(messagesOf('I06', projecting([19, 19, 19, 19, 19, 1]))).toEqual([
      'The number of attributes that projections list is 102; the limit is 100.',
    ])
  })
})

describe('I08, a key that changes', () => {
  const changing = (expect: object): Design =>
    orders({
      models: {
        Order: { index: { gsi1pk: 'CUSTOMER#${customerId}', gsi1sk: '${status}#${orderId}' } },
      },
      patterns: {
        place: { op: 'create', entity: 'Order', expect: { rps: 5 } },
        setStatus: { op: 'update', entity: 'Order', by: ['orderId'], set: ['status'], expect },
      },
    })

  test('is a warning where it changes as often as items are made', () => {
    expect(noticesOf('I08', changing({ rps: 4 }))).toMatchObject([{ severity: 'info' }])
    expect(noticesOf('I08', changing({ rps: 5 }))).toMatchObject([{ severity: 'warning' }])
  })
})

describe('I09, an update of a part of a key', () => {
  const design = INDEX_FIXTURES.find(({ code }) => code === 'I09')!.fires()

  test('is an error only in a transaction, where the library really refuses it', async () => {
    const severities = noticesOf('I09', design).map(({ severity }) => severity)
    expect(severities).toEqual(['info', 'error', 'warning'])
    const table = new Table({ name: 'Orders', schema: design.definition, client: createEngine() })
    await table.create()
    // The types of a schema that is not a literal know no names.
    const { Order } = table.entities as unknown as { Order: { create(input: object): Builder } }
    const order = { orderId: '1', customerId: 'c', placedAt: new Date(0) }
    await Order.create(order).execute()
    const { close, setStatus } = table.patterns as unknown as {
      [name: string]: (input: object) => Promise<unknown>
    }
    const change = { orderId: '1', status: 'done' }
    await expect(close!({ order: change })).rejects.toMatchObject({
      code: 'UPDATE_NEEDS_ATTRIBUTES',
    })
    expect(await setStatus!(change)).toMatchObject({ item: { ...order, status: 'done' } })
  })
})

describe('I12, an index for some of the items', () => {
  const openOrders = { ...byCustomer, filter: { status: 'open' } } as const
  const statuses = (open: number): TableSample =>
    sampleOf(Array.from({ length: 100 }, (_, at) => (at < open ? 'open' : 'done')))

  test('says with a sample how many items the patterns read, and nothing if it is half of them', () => {
    const design = (open: number): Design =>
      orders({ patterns: { openOrders } }, { sample: statuses(open) })
    expect(messagesOf('I12', design(7))).toEqual([
      'openOrders needs 7% of Order, whose status is "open"; make gsi1 sparse.',
    ])
    expect(messagesOf('I12', design(49))).toHaveLength(1)
    expect(messagesOf('I12', design(50))).toEqual([])
  })

  test('is not reported where another pattern reads the rest, or the caller gives the value', () => {
    expect(messagesOf('I12', orders({ patterns: { openOrders, byCustomer } }))).toEqual([])
    const asked = { ...byCustomer, filter: { status: '$status' } } as const
    expect(messagesOf('I12', orders({ patterns: { asked } }))).toEqual([])
  })
})

test('I09: a step is named, and is suppressed by the name of its transaction', () => {
  const step = { op: 'update', entity: 'Order', by: ['orderId'], set: ['status'] } as const
  const index = { gsi1pk: 'S#${status}', gsi1sk: '${at}' }
  const models = {
    Order: {
      key: { pk: 'O#${orderId}', sk: 'O' },
      index,
      attributes: {
        orderId: { type: String },
        status: { type: String, required: true },
        at: { type: Date, required: true },
      },
    },
  } as const
  const patterns = { ship: { op: 'transact', steps: { order: step } } } as const
  const indexes = {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
  } as const
  const design = readDesign({ indexes, models, patterns })
  expect(noticesOf('I09', design)).toMatchObject([
    {
      severity: 'error',
      message:
        'ship.order changes status but not at; gsi1 would keep a stale key, so the library refuses the transaction.',
      place: { pattern: 'ship', model: 'Order', index: 'gsi1' },
    },
  ])
})
