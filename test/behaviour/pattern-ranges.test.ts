import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { readSchema } from 'singletable/tools'
import { expect, test } from 'vitest'
import { readDesign } from '../../packages/kit/src/check/design/design.ts'
import { exercisePatterns } from '../../packages/kit/src/check/exercise/exercise-patterns.ts'
import { wrongOrder } from '../../packages/kit/src/check/rules/patterns/p11-wrong-order.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
  models: {
    File: {
      key: { pk: 'DRIVE#${drive}', sk: 'FILE#${path}' },
      attributes: {
        drive: { type: String, required: true },
        path: { type: Array, items: { type: String }, required: true },
        bytes: { type: Number, default: 0 },
      },
    },
    Order: {
      key: { pk: 'USER#${userId}', sk: 'ORDER#${createdAt:day}#${orderId}' },
      attributes: {
        userId: { type: String, required: true },
        orderId: { type: String, required: true },
        createdAt: { type: Date, required: true },
      },
    },
  },
  patterns: {
    filesBelow: { op: 'query', entity: 'File', by: ['drive'], range: 'path' },
    ordersBetween: { op: 'query', entity: 'Order', by: ['userId'], range: 'createdAt' },
  },
})

async function createTable() {
  const table = new Table({ name: 'Files', schema, client: createEngine() })
  await table.create()
  return table
}

test('a pattern reads everything below a node of a path', async () => {
  const table = await createTable()
  const paths = ['docs', 'docs!', 'docs/a', 'docs/a/b', 'docs/a!/b', 'docs/ab', 'doc/a', 'other']
  for (const path of paths) {
    await table.entities.File.create({ drive: 'c', path: path.split('/') }).execute()
  }
  await table.entities.File.create({ drive: 'd', path: ['docs', 'a'] }).execute()
  const below = async (...beginsWith: string[]) => {
    const { items } = await table.patterns.filesBelow({ drive: 'c', path: { beginsWith } })
    return items.map(({ path }) => path.join('/'))
  }
  expect(await below('docs')).toEqual(['docs', 'docs/a', 'docs/a!/b', 'docs/a/b', 'docs/ab'])
  expect(await below('docs', 'a')).toEqual(['docs/a', 'docs/a/b'])
  expect(await below('docs', 'a', 'b')).toEqual(['docs/a/b'])
  expect(await below('nothing')).toEqual([])
  const { items } = await table.patterns.filesBelow({ drive: 'c', path: ['docs', 'ab'] })
  expect(items).toMatchObject([{ path: ['docs', 'ab'] }])
  expect((await table.patterns.filesBelow({ drive: 'c' })).items).toHaveLength(paths.length)
  expect(table.patterns.filesBelow.plan().key).toEqual({
    pk: { eq: 'DRIVE#${drive}' },
    sk: {
      between: ['FILE#${path.beginsWith}', 'FILE#${path.beginsWith}#\u{10FFFF}'],
      else: { beginsWith: 'FILE#' },
    },
  })
  // Keys are not in the order of lists.
  const wrong = table.patterns.filesBelow({ drive: 'c', path: { from: ['docs'] } })
  await expect(wrong).rejects.toThrow(/"path.from" is not a bound; use beginsWith/)
  const word = table.patterns.filesBelow({ drive: 'c', path: { gte: ['docs'] } as never })
  await expect(word).rejects.toThrow(/"path.gte" is not a bound; use beginsWith/)
})

test('a range of a time of which keys have the day is answered exactly', async () => {
  const table = await createTable()
  const at = (time: string) => new Date(`2026-01-${time}Z`)
  const times = ['01T10:00', '01T12:00', '02T09:00', '02T11:00', '03T08:00'].map(at)
  for (const [number, createdAt] of times.entries()) {
    const orderId = String(9 - number)
    await table.entities.Order.create({ userId: 'u', orderId, createdAt }).execute()
  }
  const found = async (range: object) => {
    const { items } = await table.patterns.ordersBetween({ userId: 'u', createdAt: range })
    return items.map(({ createdAt }) => createdAt).sort((a, b) => Number(a) - Number(b))
  }
  for (const [from, to] of [
    [0, 4],
    [1, 3],
    [1, 2],
    [2, 2],
  ] as const) {
    expect(await found({ from: times[from], to: times[to] })).toEqual(times.slice(from, to + 1))
    expect(await found({ gt: times[from], lt: times[to] })).toEqual(times.slice(from + 1, to))
  }
  // Only the days are read.
  const { KeyConditionExpression, ExpressionAttributeValues } = table.patterns.ordersBetween.params(
    { userId: 'u', createdAt: { from: times[1]!, to: times[3]! } },
  )
  expect(KeyConditionExpression).toContain('BETWEEN')
  expect(Object.values(ExpressionAttributeValues as object)).toEqual(
    expect.arrayContaining(['ORDER#2026-01-01', 'ORDER#2026-01-02#\u{10FFFF}']),
  )
})

test('check --run exercises both, and finds nothing wrong', async () => {
  const { patterns } = await exercisePatterns(readSchema(schema))
  expect(patterns).toMatchObject([
    { pattern: 'filesBelow', failures: [] },
    { pattern: 'ordersBetween', failures: [] },
  ])
})

test('check warns of an order that keys have only by days', () => {
  const ordered = { ...schema.patterns.ordersBetween, order: 'desc' } as const
  const design = readDesign({ ...schema, patterns: { ordered } })
  expect([...wrongOrder.check(design)]).toMatchObject([
    {
      message:
        'ordered wants createdAt order but "ORDER#${createdAt:day}#${orderId}" has only its day.',
      severity: 'warning',
    },
  ])
})
