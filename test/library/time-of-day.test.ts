import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'

/** A day in the partition key and the time of day in the sort key are one attribute. */

const schema = defineSchema({
  indexes: { primary: { hash: 'PK', sort: 'SK' } },
  models: {
    Metric: {
      key: { PK: 'METRICS#${server}#${at:day}', SK: '${at:time}' },
      attributes: {
        server: { type: String, required: true },
        at: { type: Date, required: true },
        cpu: { type: Number },
      },
    },
  },
  patterns: {
    metrics: { op: 'query', entity: 'Metric', by: ['server'], range: 'at' },
  },
})

const TIMES = [
  '2024-01-14T23:59:59.900Z',
  '2024-01-15T00:00:00.000Z',
  '2024-01-15T14:30:00.000Z',
  '2024-01-15T14:30:01.500Z',
  '2024-01-16T09:00:00.000Z',
  '2024-01-17T08:00:00.000Z',
  '2024-01-17T14:30:00.000Z',
  '2024-01-17T20:00:00.000Z',
]

async function metrics() {
  const engine = createEngine()
  const table = new Table({ name: 'Metrics', schema, client: engine })
  await table.create()
  const { Metric } = table.entities
  for (const [cpu, at] of TIMES.entries()) {
    await Metric.put({ server: 's1', at: new Date(at), cpu }).execute()
  }
  const between = async (from: string, to: string) => {
    const found = await Metric.query({ server: 's1' })
      .where((attr, op) => op.between(attr.at, new Date(from), new Date(to)))
      .execute()
    return found.map(({ at }) => at.toISOString())
  }
  return { engine, table, Metric, between }
}

describe('a time of day in the sort key', () => {
  test('is what the keys have, in addition to the day', async () => {
    const { Metric } = await metrics()
    expect(Metric.renderKey({ server: 's1', at: new Date('2024-01-15T14:30:00Z') })).toEqual({
      PK: 'METRICS#s1#2024-01-15',
      SK: '14:30:00',
    })
    expect(Metric.parseKey({ PK: 'METRICS#s1#2024-01-15', SK: '14:30:00' })).toEqual({
      server: 's1',
      at: new Date('2024-01-15T14:30:00Z'),
    })
  })

  test('a range of several days gives just what is between its ends, in order', async () => {
    const { between } = await metrics()
    for (const [low, from] of TIMES.entries()) {
      for (const [high, to] of TIMES.entries()) {
        if (high < low) continue
        expect(await between(from, to)).toEqual(TIMES.slice(low, high + 1))
      }
    }
    expect(await between('2024-01-15T14:30:00.500Z', '2024-01-17T14:29:59.999Z')).toEqual(
      TIMES.slice(3, 6),
    )
  })

  test('the first and the last day are cut by their sort keys', async () => {
    const { engine } = await metrics()
    const asked: unknown[] = []
    const client = {
      send: ((operation, request) => {
        asked.push((request as { ExpressionAttributeValues?: object }).ExpressionAttributeValues)
        return engine.send(operation, request)
      }) as typeof engine.send,
    }
    const { Metric } = new Table({ name: 'Metrics', schema, client }).entities
    const query = Metric.query({ server: 's1' }).where((attr, op) =>
      op.between(attr.at, new Date('2024-01-15T14:30:00Z'), new Date('2024-01-17T14:30:00Z')),
    )
    await query.execute()
    expect(asked).toMatchObject([
      { ':v0': { S: 'METRICS#s1#2024-01-15' }, ':v1': { S: '14:30:00' } },
      { ':v0': { S: 'METRICS#s1#2024-01-16' } },
      { ':v0': { S: 'METRICS#s1#2024-01-17' }, ':v1': { S: '14:30:00\u{10ffff}' } },
    ])
    expect(JSON.stringify(query.explain())).toContain('limited by the time of day')
  })

  test('a single item is read, changed and deleted by its time', async () => {
    const { Metric } = await metrics()
    const key = { server: 's1', at: new Date('2024-01-15T14:30:01.500Z') }
    expect((await Metric.get(key).execute())?.cpu).toBe(3)
    await Metric.update(key).set({ cpu: 30 }).execute()
    expect((await Metric.get(key).execute())?.cpu).toBe(30)
    await Metric.delete(key).execute()
    expect(await Metric.get(key).execute()).toBeUndefined()
  })

  test('pages continue from one day to the next, in both directions', async () => {
    const { Metric } = await metrics()
    const query = (forward: boolean) =>
      Metric.query({ server: 's1' })
        .where((attr, op) => op.between(attr.at, new Date(TIMES[1]!), new Date(TIMES[6]!)))
        .scanIndexForward(forward)
        .limit(2)
    for (const forward of [true, false]) {
      const found: string[] = []
      let page = await query(forward).executeWithPagination()
      for (;;) {
        found.push(...page.items.map(({ at }) => at.toISOString()))
        if (page.cursor === undefined) break
        page = await query(forward).startFrom(page.cursor).executeWithPagination()
      }
      const expected = TIMES.slice(1, 7)
      expect(found).toEqual(forward ? expected : expected.reverse())
    }
  })

  test('an item that other code wrote has its time from its keys', async () => {
    const { engine, Metric } = await metrics()
    const PK = { S: 'METRICS#s2#2024-01-15' }
    await engine.send('PutItem', { TableName: 'Metrics', Item: { PK, SK: { S: '14:30:00' } } })
    const got = await Metric.get({ server: 's2', at: new Date('2024-01-15T14:30:00Z') }).execute()
    expect(got?.at).toEqual(new Date('2024-01-15T14:30:00Z'))
  })

  test('is refused without the day in the partition key', () => {
    const model = (PK: string, SK: string) => () =>
      defineSchema({
        indexes: { primary: { hash: 'PK', sort: 'SK' } },
        models: {
          Metric: {
            key: { PK, SK },
            attributes: { server: { type: String }, at: { type: Date } },
          },
        },
      })
    for (const [PK, SK] of [
      ['M#${server}', '${at:time}'],
      ['M#${server}#${at:month}', '${at:time}'],
      ['M#${server}#${at:time}', '${at:day}'],
    ] as const) {
      expect(model(PK, SK)).toThrow('which needs a sort key whose partition key has the day')
    }
    expect(model('M#${server}#${at:hour}', 'AT#${at:time}')).not.toThrow()
  })
})
