import type { Item } from 'singletable/tools'
import { describe, expect, test } from 'vitest'
import { type Design, readDesign } from '../../../packages/kit/src/check/design/design.ts'
import type { RecordedShape } from '../../../packages/kit/src/check/evidence/recording.ts'
import { HEAT_RULES } from '../../../packages/kit/src/check/rules/heat-rules.ts'
import type { Notice } from '../../../packages/kit/src/check/rules/rule.ts'
import { HEAT_FIXTURES, posts } from './fixtures/heat-fixtures.ts'

function noticesOf(code: string, design: Design): readonly Notice[] {
  return [...(HEAT_RULES.find((each) => each.code === code)?.check(design) ?? [])]
}

function messagesOf(code: string, design: Design): readonly string[] {
  return noticesOf(code, design).map(({ message }) => message)
}

describe.each(HEAT_FIXTURES)('$code', ({ code, fires, messages, silent }) => {
  test('reports the fault', () => {
    expect(messagesOf(code, fires())).toEqual(messages)
  })

  test('says nothing about its near neighbour', () => {
    expect(messagesOf(code, silent())).toEqual([])
  })
})

describe('the spread of a partition key', () => {
  const reported = (gsi1pk: string): readonly string[] =>
    ['H01', 'H02', 'H03'].filter((code) => messagesOf(code, posts({ gsi1pk })).length > 0)

  test.each([
    ['POST', ['H01']],
    ['POST#${published}', ['H02']],
    ['POST#${state}', ['H02']],
    ['POST#${at:hour}', ['H03']],
    ['POST#${day}', ['H03']],
    ['POST#${at:day}#${published}', ['H03']],
    ['POST#${author}', []],
    ['POST#${author}#${at:month}', []],
    ['POST#${at}', []],
    ['POST#${author}#${published}', []],
  ])('%s is reported by %j', (gsi1pk, codes) => {
    expect(reported(gsi1pk)).toEqual(codes)
  })

  test('a condition holds an attribute to some of its values', () => {
    const design = posts({
      gsi1pk: '${status}',
      post: { when: { gsi1: { status: ['draft', 'live'] } } },
    })
    expect(messagesOf('H02', design)).toEqual([
      '"${status}" of Post in gsi1 has at most 2 values: all Post items there share 2 partitions.',
    ])
  })

  test('the name of a string without enum shows that it has few values', () => {
    expect(messagesOf('H02', posts({ gsi1pk: 'POST#${state}' }))).toEqual([
      '"POST#${state}" of Post in gsi1 has few values, going by the name of "state": all Post items there share as many partitions.',
    ])
  })

  test('few items that stay few are information', () => {
    const severity = (count: number): unknown =>
      noticesOf('H01', posts({ post: { stats: { count, growth: 'bounded' } } }))[0]?.severity
    expect(severity(1000)).toBe('info')
    expect(severity(1001)).toBe('warning')
  })

  test('declared rates that one partition bears easily make it information', () => {
    const severity = (writes: object, reads: object): unknown =>
      noticesOf(
        'H01',
        posts({
          patterns: {
            create: { op: 'create', entity: 'Post', expect: writes },
            latest: {
              op: 'query',
              entity: 'Post',
              index: 'gsi1',
              by: [],
              limit: 20,
              expect: reads,
            },
          },
        }),
      )[0]?.severity
    // A new post takes one unit in the index, and twenty of 900 B take 2.5 to read.
    expect(severity({ peakRps: 100 }, { rps: 120 })).toBe('info')
    expect(severity({ peakRps: 101 }, { rps: 120 })).toBe('warning')
    expect(severity({ peakRps: 100 }, { rps: 121 })).toBe('warning')
    expect(severity({ peakRps: 100 }, {})).toBe('warning')
  })

  test('a model of which there is one item has no partition to spread', () => {
    const post = {
      key: { pk: 'CONFIG', sk: 'CONFIG' },
      index: { gsi1pk: 'CONFIG', gsi1sk: 'CONFIG' },
    }
    expect(messagesOf('H01', posts({ post }))).toEqual([])
  })

  test('a native key of several attributes is as one that joins them', () => {
    const { definition } = posts({})
    const native = readDesign({
      ...definition,
      indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: ['status', 'author'] } },
      models: { Post: { ...definition.models.Post!, index: {} } },
    })
    expect(messagesOf('H02', native)).toEqual([])
    const few = readDesign({
      ...definition,
      indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: ['status'], sort: ['at'] } },
      models: { Post: { ...definition.models.Post!, index: {} } },
    })
    expect(messagesOf('H02', few)).toEqual([
      '"${status}" of Post in gsi1 has at most 3 values: all Post items there share 3 partitions.',
    ])
  })
})

describe('H04 and H05, declared rates', () => {
  const creating = (peakRps: number, itemBytes?: number): Design =>
    posts({
      post: itemBytes === undefined ? { stats: {} } : { stats: { itemBytes } },
      patterns: { create: { op: 'create', entity: 'Post', expect: { peakRps } } },
    })

  test('an index over its limit is an error, also by the smallest items', () => {
    expect(noticesOf('H05', creating(499, 900))).toEqual([])
    expect(noticesOf('H05', creating(500, 900))).toMatchObject([{ severity: 'warning' }])
    expect(noticesOf('H05', creating(1000, 900))).toMatchObject([{ severity: 'warning' }])
    expect(noticesOf('H05', creating(501, 2000))).toMatchObject([{ severity: 'error' }])
    expect(noticesOf('H05', creating(1001))).toMatchObject([{ severity: 'error' }])
  })

  test('a rate on sizes that nobody declares is a warning while smaller items would do', () => {
    const reading = (peakRps: number): Design =>
      posts({
        post: { stats: {} },
        patterns: {
          all: {
            op: 'query',
            entity: 'Post',
            index: 'gsi1',
            by: [],
            expect: { peakRps, itemsRead: 400 },
          },
        },
      })
    expect(noticesOf('H04', reading(1000))).toMatchObject([{ severity: 'warning' }])
    expect(noticesOf('H04', reading(6001))).toMatchObject([{ severity: 'error' }])
  })

  test('steps are called as often as their transaction', () => {
    const step = { op: 'update', entity: 'Post', by: ['postId'], add: ['votes'] } as const
    const expected = { peakRps: 1500, distinctKeys: 1 }
    const design = posts({
      patterns: { vote: { op: 'transact', steps: { post: step }, expect: expected } },
    })
    expect(noticesOf('H04', design)).toMatchObject([
      { severity: 'error', place: { pattern: 'vote.post' } },
    ])
  })
})

describe('H06, what is measured', () => {
  const shape = (key: string, count: number, operation = 'Query'): RecordedShape => ({
    operation,
    index: 'gsi1',
    key,
    filter: null,
    pattern: null,
    count,
    itemsRead: count,
    itemsReturned: count,
  })

  test('fewer than a hundred items say nothing, and an even spread neither', () => {
    const items = (total: number, keys: number): Item[] =>
      Array.from({ length: total }, (_, at) => ({
        pk: { S: `P#${at % keys}` },
        sk: { S: `${at}` },
      }))
    const sampled = (total: number, keys: number): readonly string[] =>
      messagesOf(
        'H06',
        posts(
          {},
          { sample: { items: items(total, keys), itemCount: undefined, takenOn: '2026-11-16' } },
        ),
      )
    expect(sampled(99, 1)).toEqual([])
    expect(sampled(100, 1)).toEqual([
      'pk = P#0 takes 100% of the 100 sampled items in primary, and is the only one.',
    ])
    expect(sampled(100, 3)).toEqual([])
  })

  test('recorded requests to one key without variables are reported, reads and writes separately', () => {
    const shapes = [
      shape('gsi1pk = POST', 30),
      shape('gsi1pk = POST AND begins_with(gsi1sk, 2026)', 20),
      shape('pk = POST#${…} AND sk = POST', 150),
      shape('pk = CONFIG AND sk = CONFIG', 90, 'UpdateItem'),
    ]
    expect(messagesOf('H06', posts({}, { recording: { shapes } }))).toEqual([
      'gsi1pk = POST takes 25% of the 200 recorded reads.',
    ])
  })
})
