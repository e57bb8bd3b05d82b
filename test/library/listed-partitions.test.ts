import { defineSchema, PlanError, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { describe, expect, test } from 'vitest'

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byStatus: { hash: 'statusPk', sort: 'statusSk' },
    byTeam: { hash: 'teamPk', sort: 'statusSk' },
    byShard: { hash: 'shardPk', sort: 'statusSk' },
  },
  models: {
    Task: {
      key: { pk: 'TASK#${id}', sk: 'TASK' },
      index: {
        statusPk: 'STATUS#${status}',
        statusSk: 'AT#${at:pad(4)}',
        teamPk: 'TEAM#${team}#${status}',
        shardPk: 'SPREAD#${kind}#${shard}',
      },
      shard: { count: 3, by: ['id'] },
      attributes: {
        id: { type: String, required: true },
        status: { type: String, required: true },
        team: { type: String, required: true },
        kind: { type: String, required: true },
        at: { type: Number, required: true },
      },
    },
  },
})

async function tasks() {
  const engine = createEngine()
  const sent: string[] = []
  const client = {
    send(operation: string, request: object, options: object) {
      sent.push(operation)
      return engine.send(operation as 'Query', request as never, options)
    },
  }
  const table = new Table({ name: 'tasks', schema, client: client as unknown as typeof engine })
  await table.create()
  const { Task } = table.entities
  await Task.batchWrite(
    Array.from({ length: 30 }, (_, at) => ({
      id: String(at),
      at,
      status: ['open', 'waiting', 'closed'][(at * 7) % 3]!,
      team: ['red', 'blue'][at % 2]!,
      kind: ['a', 'b'][at % 2]!,
    })),
  ).execute()
  sent.length = 0
  return { Task, sent }
}

const isListed = (at: number): boolean => (at * 7) % 3 !== 2
const LISTED = Array.from({ length: 30 }, (_, at) => at).filter(isListed)

describe('in() on an attribute of the partition key', () => {
  test('reads a partition for each value and merges them by sort key', async () => {
    const { Task, sent } = await tasks()
    const query = Task.query().where((attr, op) => op.in(attr.status, ['waiting', 'open']))
    expect((await query.execute()).map(({ at }) => at)).toEqual(LISTED)
    expect(sent).toEqual(['Query', 'Query'])
    const backwards = await query.scanIndexForward(false).limit(4).execute()
    expect(backwards.map(({ at }) => at)).toEqual(LISTED.toReversed().slice(0, 4))
    expect(await query.count()).toBe(20)
    expect(query.explain()).toMatchObject({
      index: 'byStatus',
      filter: undefined,
      partitions: '2 partitions, "STATUS#waiting" to "STATUS#open": 2 values, merged by sort key',
      requests: '2: 1 per partition and page',
    })
  })

  test.each([true, false])('has one cursor for all partitions, forward: %s', async (forward) => {
    const { Task } = await tasks()
    const query = Task.query()
      .where((attr, op) => op.in(attr.status, ['open', 'waiting']))
      .scanIndexForward(forward)
      .limit(3)
    const found: number[] = []
    let cursor: string | undefined
    do {
      const page = await query.startFrom(cursor).executeWithPagination()
      found.push(...page.items.map(({ at }) => at))
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(found).toEqual(forward ? LISTED : LISTED.toReversed())
    const first = await query.executeWithPagination()
    const other = Task.query().where((attr, op) => op.in(attr.status, ['open', 'closed']))
    await expect(other.startFrom(first.cursor).execute()).rejects.toThrow('CURSOR_INVALID')
  })

  test('combines with an equality, a range of the sort key, another list and shards', async () => {
    const { Task } = await tasks()
    const red = Task.query()
      .useIndex('byTeam')
      .where((attr, op) =>
        op.and(
          op.eq(attr.team, 'red'),
          op.in(attr.status, ['open', 'closed']),
          op.between(attr.at, 4, 20),
        ),
      )
    expect(red.explain()).toMatchObject({ index: 'byTeam', filter: undefined })
    const wanted = (at: number): boolean => at % 2 === 0 && (at * 7) % 3 !== 1
    expect((await red.execute()).map(({ at }) => at)).toEqual(
      Array.from({ length: 17 }, (_, at) => at + 4).filter(wanted),
    )
    const both = Task.query()
      .useIndex('byTeam')
      .where((attr, op) =>
        op.and(op.in(attr.status, ['open', 'waiting']), op.in(attr.team, ['red', 'blue'])),
      )
    expect((await both.execute()).map(({ at }) => at)).toEqual(LISTED)
    expect(both.explain().partitions).toContain('4 partitions')
    const spread = Task.query().where((attr, op) => op.in(attr.kind, ['a', 'b']))
    expect(spread.explain().partitions).toContain('6 partitions')
    expect((await spread.execute()).map(({ at }) => at)).toEqual(
      Array.from({ length: 30 }, (_, at) => at),
    )
  })

  test('reads a partition once that is listed twice, and one that is given as it is stored', async () => {
    const { Task, sent } = await tasks()
    const twice = Task.query().where((attr, op) => op.in(attr.status, ['open', 'open']))
    expect(await twice.count()).toBe(10)
    expect(sent).toEqual(['Query'])
    const stored = Task.query().where((attr, op) =>
      op.in(attr.statusPk, ['STATUS#open', 'STATUS#waiting']),
    )
    expect((await stored.execute()).map(({ at }) => at)).toEqual(LISTED)
  })

  test('prefers an index of which one partition is read', async () => {
    const { Task } = await tasks()
    const query = Task.query({ id: '3' }).where((attr, op) =>
      op.in(attr.status, ['open', 'closed']),
    )
    expect(query.explain()).toMatchObject({ index: 'primary' })
  })

  test('takes 100 values, and refuses combinations that make more partitions', async () => {
    const { Task } = await tasks()
    const hundred = Array.from({ length: 99 }, (_, at) => `s${at}`)
    const query = Task.query().where((attr, op) => op.in(attr.status, [...hundred, 'open']))
    expect(await query.count()).toBe(10)
    expect(query.explain().partitions).toContain('100 partitions')
    const wide = Task.query()
      .useIndex('byTeam')
      .where((attr, op) => op.and(op.in(attr.status, hundred), op.in(attr.team, ['red', 'blue'])))
    expect(() => wide.explain()).toThrow(PlanError)
    expect(() => wide.explain()).toThrow('PLAN_RANGE_WIDE')
  })
})

describe('in() with an empty list', () => {
  test('gives nothing, without a request, whatever is asked besides', async () => {
    const { Task, sent } = await tasks()
    const none = Task.query().where((attr, op) => op.in(attr.status, []))
    expect(await none.execute()).toEqual([])
    expect(await none.count()).toBe(0)
    expect(await none.first()).toBeUndefined()
    expect(await none.executeWithPagination()).toMatchObject({ items: [], cursor: undefined })
    const filtered = Task.query({ status: 'open' }).where((attr, op) => op.in(attr.team, []))
    expect(await filtered.scanIndexForward(false).execute()).toEqual([])
    expect(
      await Task.scan()
        .where((attr, op) => op.in(attr.team, []))
        .execute(),
    ).toEqual([])
    expect(none.explain().partitions).toBe('0 partitions: a list of values is empty')
    expect(sent).toEqual([])
  })

  test('is refused where DynamoDB would have to be asked', async () => {
    const { Task, sent } = await tasks()
    const either = Task.query({ status: 'open' }).where((attr, op) =>
      op.or(op.in(attr.team, []), op.eq(attr.kind, 'a')),
    )
    await expect(either.execute()).rejects.toThrow('empty list of values')
    expect(sent).toEqual([])
  })
})
