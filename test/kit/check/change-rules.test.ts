import { compileSchema, type ModelDefinition } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import type { Design } from '../../../packages/kit/src/check/design/design.ts'
import { CHANGE_RULES } from '../../../packages/kit/src/check/rules/change-rules.ts'
import { CHANGE_FIXTURES, change, order, schemaWith } from './fixtures/change-fixtures.ts'

/** What a rule says: the severity where it is not its own, and the message. */
function found(code: string, design: Design): readonly string[] {
  const rule = CHANGE_RULES.find((each) => each.code === code)
  if (rule === undefined) return ['no such rule']
  return Array.from(rule.check(design), ({ severity, message }) =>
    severity === undefined ? message : `${severity}: ${message}`,
  )
}

describe.each(CHANGE_FIXTURES)('$code', ({ code, fires, messages, silent }) => {
  test('reports every fault in full', () => {
    expect(found(code, fires())).toEqual(messages)
  })

  test('is silent on the neighbour', () => {
    expect(found(code, silent())).toEqual([])
  })

  test('is silent without a schema from before, and on one that is the same', () => {
    expect(found(code, { ...fires(), before: undefined })).toEqual([])
    expect(found(code, change({}, {}))).toEqual([])
  })
})

const key = (sk: string): Partial<ModelDefinition> => ({
  key: { pk: 'CUSTOMER#${customerId}', sk },
})

describe('M01, a key that is made otherwise', () => {
  test.each([
    ['ORDER#${orderId}', 'ORDERS#${orderId}'],
    ['ORDER#${placedAt}#${orderId}', 'ORDER#${placedAt:day}#${orderId}'],
    ['ORDER#${placedAt}#${orderId}', 'ORDER#${orderId}#${placedAt}'],
    ['ORDER#${total:pad(4)}', 'ORDER#${total:pad(8)}'],
  ])('%s to %s is an error', (before, now) => {
    expect(found('M01', change({ order: key(before) }, { order: key(now) }))).toEqual([
      `Order key changed: sk was "${before}" and is "${now}". Existing Order items become unreachable.`,
    ])
  })

  test('what changes the keys of some values only is a warning', () => {
    const now = 'ORDER#${orderId:lower}'
    const before = { order: key('ORDER#${orderId}') }
    expect(found('M01', change(before, { order: key(now) }))).toEqual([
      `warning: Order key changed: sk was "ORDER#\${orderId}" and is "${now}". Existing Order items become unreachable if their values are written differently now.`,
    ])
  })

  test('the number of digits may be written in either place', () => {
    const attributes = { total: { type: Number, pad: 4 } } as const
    const before = { order: key('ORDER#${total:pad(4)}') }
    expect(found('M01', change(before, { order: key('ORDER#${total}'), attributes }))).toEqual([])
  })

  test('an attribute with another name is a warning, since its values may be the same', () => {
    const now = {
      order: key('ORDER#${id}'),
      attributes: { id: { type: String } },
      lacks: ['orderId'],
    } as const
    expect(found('M01', change({}, now))).toEqual([
      'warning: Order key changed: sk was "ORDER#${orderId}" and is "ORDER#${id}". Existing Order items become unreachable if their values are written differently now.',
    ])
  })

  test('another type under the same name is reported as such', () => {
    const now = { attributes: { orderId: { type: Number, encode: true } } } as const
    expect(found('M01', change({}, now))).toEqual([
      'warning: Order key changed: sk is "ORDER#${orderId}" as before, with other options of its attributes. Existing Order items become unreachable if their values are written differently now.',
    ])
  })

  test('another count of shards moves items', () => {
    const sharded = (count: number): Partial<ModelDefinition> => ({
      key: { pk: 'ORDERS#${shard}', sk: 'ORDER#${orderId}' },
      shard: { count },
    })
    expect(found('M01', change({ order: sharded(4) }, { order: sharded(8) }))).toEqual([
      'Order key changed: pk is "ORDERS#${shard}" as before, with other options of its attributes. Existing Order items become unreachable.',
    ])
    expect(found('M01', change({ order: sharded(4) }, { order: sharded(4) }))).toEqual([])
  })

  test('other key attributes need another table', () => {
    const now = change({}, {})
    const indexes = { primary: { hash: 'PK', sort: 'SK' } }
    const before = change({}, {})
    const renamed: Design = {
      ...now,
      before: {
        ...before,
        schema: compileSchema({
          indexes,
          models: {
            Order: {
              ...schemaWith().models.Order!,
              key: { PK: 'O#${orderId}', SK: 'O' },
              index: {},
            },
          },
        }),
      },
    }
    expect(found('M01', renamed)).toEqual([
      'The primary key of the table was (PK, SK) and is (pk, sk); no update can change it.',
    ])
  })

  test('a sample of the whole table says how many items are left, and when none is', () => {
    const now = { order: key('O#${orderId}') }
    const moved = order('1', { sk: { S: 'O#1' } })
    expect(found('M01', change({}, now, [moved, order('2')]))).toEqual([
      'Order key changed: sk was "ORDER#${orderId}" and is "O#${orderId}". 1 Order item (of all 2) becomes unreachable.',
    ])
    expect(found('M01', change({}, now, [moved]))).toEqual([])
    expect(found('M01', change({}, now, []))).toEqual([])
  })
})

describe('M02, changes of global indexes', () => {
  test('local indexes and settings of the table do not count', () => {
    const local = { byTotal: { type: 'local', hash: 'pk', sort: 'total' } } as const
    expect(found('M02', change({}, { indexes: local, table: { stream: 'new' } }))).toEqual([])
  })

  test('another name is a deletion and a creation', () => {
    const indexes = { byStatus: undefined, byState: { hash: 'gsi1pk', sort: 'gsi1sk' } }
    expect(found('M02', change({}, { indexes, patterns: { ordersByStatus: undefined } }))).toEqual([
      'CloudFormation, SAM, CDK and UpdateTable apply one GSI change per update; 2 are pending: create byState and delete byStatus.',
    ])
  })
})

describe('M03, keys of indexes that items from before do not have', () => {
  test('a changed template leaves them where they are', () => {
    const index = { gsi1pk: 'STATE#${status}', gsi1sk: '${placedAt}' }
    expect(found('M03', change({}, { order: { index } }))).toEqual([
      'Existing Order items will not move in byStatus: gsi1pk was "STATUS#${status}" and is "STATE#${status}".',
    ])
  })

  test('so does a changed condition', () => {
    const when = { byStatus: { status: ['open', 'paid'] } }
    expect(found('M03', change({}, { order: { when } }))).toEqual([
      'Existing Order items will not move in byStatus: its condition (when) has changed.',
    ])
    const same = { byStatus: { status: ['paid', 'open'] } }
    expect(found('M03', change({ order: { when } }, { order: { when: same } }))).toEqual([])
  })

  test('a template with an attribute that is new itself has no place for them', () => {
    const now = {
      indexes: { byTag: { hash: 'gsi2pk', sort: 'sk' } },
      order: { index: { ...schemaWith().models.Order?.index, gsi2pk: 'TAG#${tag}' } },
      attributes: { tag: { type: String } },
    } as const
    expect(found('M03', change({}, now))).toEqual([])
  })

  test('an inverted index needs nothing', () => {
    expect(found('M03', change({}, { indexes: { inverted: { hash: 'sk', sort: 'pk' } } }))).toEqual(
      [],
    )
  })

  test('a sample of the whole table says how many items are left, and when none is', () => {
    const now = {
      indexes: { byRegion: { hash: 'gsi2pk', sort: 'sk' } },
      order: { index: { ...schemaWith().models.Order?.index, gsi2pk: 'REGION#${region}' } },
    }
    const filled = order('1', { gsi2pk: { S: 'REGION#eu' } })
    expect(found('M03', change({}, now, [filled, order('2'), order('3')]))).toEqual([
      '2 Order items (of all 3) will not appear in byRegion: nothing has written gsi2pk for them.',
    ])
    expect(found('M03', change({}, now, [filled]))).toEqual([])
  })
})

describe('M04, items that could no longer be read', () => {
  test('a required attribute is missing from them, whatever its default is', () => {
    const { models } = compileSchema(
      schemaWith({ attributes: { currency: { type: String, required: true, default: 'EUR' } } }),
    )
    expect(() => models.get('Order')?.decode(order('1'), false)).toThrow('"currency" is missing')
  })

  test('a sample of the whole table says how many items are left, and when none is', () => {
    const now = { attributes: { note: { type: String, required: true } } } as const
    const noted = order('1', { note: { S: 'x' } })
    expect(found('M04', change({}, now, [noted, order('2')]))).toEqual([
      '1 Order item (of all 2) would fail validation: "note" is required now.',
    ])
    expect(found('M04', change({}, now, [noted]))).toEqual([])
  })

  test('an attribute that the key contains is not missing', () => {
    const before = { attributes: { orderId: { type: String } } } as const
    const now = { attributes: { orderId: { type: String, required: true } } } as const
    expect(found('M04', change(before, now))).toEqual([])
  })
})

describe('M05, local indexes', () => {
  test.each([
    [{ sort: 'total' }, undefined, 'is gone'],
    [{ sort: 'total' }, { sort: 'note' }, 'has other keys or projections'],
    [{ sort: 'total' }, { sort: 'total', project: 'keys' }, 'has other keys or projections'],
  ] as const)('from %o to %o', (before, now, what) => {
    const indexes = (index: object | undefined) => ({
      indexes: { local: index && { hash: 'pk', type: 'local' as const, ...index } },
    })
    expect(found('M05', change(indexes(before), indexes(now)))).toEqual([
      `The local index local ${what}. LSIs are fixed at creation; a new table is needed.`,
    ])
  })
})

describe('M06, an index that goes', () => {
  const gone = { indexes: { byStatus: undefined }, order: { index: {} } }

  test('together with its pattern is a warning: the code that runs still queries it', () => {
    expect(found('M06', change({}, { ...gone, patterns: { ordersByStatus: undefined } }))).toEqual([
      'warning: ordersByStatus used byStatus until now, which is no longer in the schema; code that is still running will fail.',
    ])
  })

  test('and comes again under its name is missing for a while', () => {
    const byStatus = { hash: 'gsi1pk', sort: 'gsi1sk', project: ['note'] }
    expect(found('M06', change({}, { indexes: { byStatus } }))).toEqual([
      'ordersByStatus uses byStatus, which has to be deleted and created again.',
    ])
  })

  test('and that nothing uses may go', () => {
    const before = { patterns: { ordersByStatus: undefined } }
    expect(found('M06', change(before, { ...gone, ...before }))).toEqual([])
  })
})

describe('M07, data that is lost', () => {
  test('is only reported where the table can be restored', () => {
    const now = { lacks: ['note'], table: { pointInTimeRecovery: true } }
    expect(found('M07', change({}, now))).toEqual([
      'info: Order.note is no longer declared: the next put of an item drops its value, which cannot be undone; point-in-time recovery is on.',
    ])
    expect(found('M07', change({}, { lacks: ['note'] }))).toEqual([
      'Order.note is no longer declared: the next put of an item drops its value, which cannot be undone; point-in-time recovery is not declared.',
    ])
  })
})
