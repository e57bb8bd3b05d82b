import { describe, expect, test } from 'vitest'
import { compileRead, fingerprintOf, type ReadRequest } from '../../request/compile-read.ts'
import type { ModelDefinition } from '../../schema/schema-definition.ts'
import { hashText } from '../../template/shard-component.ts'
import { systemEnvironment } from '../../values/environment.ts'
import { compileSchema } from '../compile-schema.ts'
import { operators as op } from '../operators.ts'
import { referencesOf } from '../references.ts'
import type { QueryState } from '../state.ts'
import type { Where } from '../where.ts'
import { explainRead } from './explain-read.ts'
import { BUCKETS_MAX, partitionKey } from './fan-out.ts'
import { planRead } from './plan-read.ts'
import type { ReadPlan } from './read-plan.ts'

const NOW = Date.parse('2026-11-16T05:30:00.000Z')
const CONTEXT = { tableName: 'T', environment: { ...systemEnvironment, now: () => NOW } }
const MINUTE_MS = 60_000

const attributes = {
  device: { type: String, required: true },
  at: { type: Date, required: true },
  id: { type: String, required: true },
  city: { type: String },
} as const

type Attributes = { readonly [name in keyof typeof attributes]: unknown }

interface Asked {
  readonly key?: ModelDefinition['key']
  readonly shard?: ModelDefinition['shard']
  readonly index?: ModelDefinition['index']
  readonly start?: string
  readonly where: (attr: Attributes) => readonly unknown[]
  readonly state?: Partial<QueryState>
}

const BUCKETED = { pk: 'LOG#${device}#${at:day}', sk: 'AT#${at}#${id}' }
const SHARDED = { pk: 'LOG#${device}#${shard}', sk: 'AT#${at}#${id}' }
const at = (text: string): Date => new Date(text)

interface Planned extends ReadPlan {
  readonly request: ReadRequest
}

function plan({ key = BUCKETED, shard, index, start, where, state }: Asked): Planned {
  const model = compileSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' }, byCity: { hash: 'cityPk', sort: 'citySk' } },
    models: {
      Event: {
        key,
        attributes: { ...attributes, at: { ...attributes.at, ...(start && { start }) } },
        ...(shard && { shard }),
        ...(index && { index }),
      },
    },
  }).models.get('Event')!
  // The references are those of the attributes above.
  const conditions = where(referencesOf(model) as Attributes) as Where[]
  const made = planRead(
    {
      model,
      verb: 'query',
      select: undefined,
      consistentRead: false,
      capacity: undefined,
      where: conditions.length > 0 ? op.and(...conditions) : undefined,
      index: undefined,
      forward: true,
      limit: undefined,
      pageSize: undefined,
      cursor: undefined,
      segment: undefined,
      hydrate: false,
      includeExpired: false,
      ...state,
    },
    CONTEXT,
  )
  return { ...made, request: compileRead(made) }
}

/** The partition keys that are read, in the order of time and shards. */
function partitions({ fan, request }: Planned): readonly string[] {
  if (fan === undefined) return [request.ExpressionAttributeValues?.[':v0']?.S ?? '']
  const keys: string[] = []
  for (let bucket = fan.first; bucket <= fan.last; bucket++) {
    for (let shard = 0; shard < fan.shards; shard++) {
      keys.push(...partitionKey(fan, bucket, shard).map((value) => value?.S ?? ''))
    }
  }
  return keys
}

describe('time buckets', () => {
  const days = (where: Asked['where'], more: Partial<Asked> = {}): readonly string[] =>
    partitions(plan({ where: (attr) => [op.eq(attr.device, 'd'), ...where(attr)], ...more }))

  test('an equality reads one, and the sort key has the time in full', () => {
    const { request, fan, filter } = plan({
      where: (attr) => [op.eq(attr.device, 'd'), op.eq(attr.at, at('2026-11-16T05:30:00.000Z'))],
    })
    expect(fan).toBeUndefined()
    expect(request.ExpressionAttributeValues).toEqual({
      ':v0': { S: 'LOG#d#2026-11-16' },
      ':v1': { S: 'AT#2026-11-16T05:30:00.000Z#' },
    })
    expect(filter).toBeUndefined()
  })

  test('a range reads those it touches, and no more', () => {
    expect(
      days((attr) => [op.between(attr.at, at('2026-02-27T23:00Z'), at('2026-03-01T00:00Z'))]),
    ).toEqual(['LOG#d#2026-02-27', 'LOG#d#2026-02-28', 'LOG#d#2026-03-01'])
    expect(
      days((attr) => [
        op.gt(attr.at, at('2026-11-15T23:59Z')),
        op.lt(attr.at, at('2026-11-16T00:01Z')),
      ]),
    ).toEqual(['LOG#d#2026-11-15', 'LOG#d#2026-11-16'])
  })

  test('several conditions are taken together', () => {
    expect(
      days((attr) => [
        op.gte(attr.at, at('2026-11-01')),
        op.gte(attr.at, at('2026-11-14')),
        op.lte(attr.at, at('2026-11-15')),
        op.between(attr.at, at('2026-01-01'), at('2026-12-31')),
      ]),
    ).toEqual(['LOG#d#2026-11-14', 'LOG#d#2026-11-15'])
  })

  test('bounds that contradict each other read none', () => {
    expect(
      days((attr) => [op.gte(attr.at, at('2026-11-15')), op.lte(attr.at, at('2026-11-14'))]),
    ).toEqual([])
  })

  test('a range in one bucket is one request as any other', () => {
    const { fan, request } = plan({
      where: (attr) => [
        op.eq(attr.device, 'd'),
        op.between(attr.at, at('2026-11-16T01:00Z'), at('2026-11-16T02:00Z')),
      ],
    })
    expect(fan).toBeUndefined()
    expect(request.FilterExpression).toBeUndefined()
  })

  test('without the time in the sort key the range is a filter, too', () => {
    const { request } = plan({
      key: { pk: 'LOG#${device}#${at:month}', sk: 'ID#${id}' },
      where: (attr) => [
        op.eq(attr.device, 'd'),
        op.gte(attr.at, at('2026-11-16')),
        op.lte(attr.at, at('2026-12-01')),
      ],
    })
    expect(request.FilterExpression).toBe('#n2 >= :v2 AND #n2 <= :v3')
  })

  test('with a start a range can lack an end: it goes until now, or from there on', () => {
    const start = '2026-11-13T12:00Z'
    expect(days((attr) => [op.gte(attr.at, at('2026-11-15'))], { start })).toEqual([
      'LOG#d#2026-11-15',
      'LOG#d#2026-11-16',
    ])
    expect(days((attr) => [op.lt(attr.at, at('2026-11-14T01:00Z'))], { start })).toEqual([
      'LOG#d#2026-11-13',
      'LOG#d#2026-11-14',
    ])
    expect(days(() => [], { start })).toHaveLength(4)
  })

  test('what makes it this query does not depend on the clock', () => {
    const open: Asked = {
      start: '2026-11-13',
      where: (attr) => [op.eq(attr.device, 'd'), op.gte(attr.at, at('2026-11-16'))],
      state: { forward: false },
    }
    expect(plan(open).fan).toMatchObject({ shards: 1, unit: 'day' })
    expect(fingerprintOf(plan(open))).toContain('LOG#d#2026-11-16')
  })

  test.each([
    ['an end', (attr: Attributes) => [op.gte(attr.at, new Date(0))], 'has no end'],
    ['a beginning', (attr: Attributes) => [op.lt(attr.at, new Date(0))], 'has no beginning'],
  ])('a range without %s is refused, with both ways out', (_, where, text) => {
    const asked = (): unknown => days(where)
    expect(asked).toThrow('PLAN_RANGE_OPEN')
    expect(asked).toThrow(`The range of "at" ${text}`)
    expect(asked).toThrow(/op\.between\(attr\.at, from, to\); or declare start/)
  })

  test('no range at all is what the index needs', () => {
    expect(() => days(() => [])).toThrow(/PLAN_NO_INDEX(.|\n)*primary needs at/)
  })

  test.each([
    [BUCKETS_MAX - 1, false],
    [BUCKETS_MAX, false],
    [BUCKETS_MAX + 1, true],
  ])('%i of them are refused: %s', (count, isRefused) => {
    const asked = (): readonly unknown[] => [
      plan({
        key: { pk: 'LOG#${device}#${at:minute}', sk: '${id}' },
        where: (attr) => [
          op.eq(attr.device, 'd'),
          op.between(attr.at, new Date(0), new Date((count - 1) * MINUTE_MS)),
        ],
      }),
    ]
    if (isRefused) expect(asked).toThrow('PLAN_RANGE_WIDE')
    else expect(asked).not.toThrow()
  })

  test('in a sort key a range narrows them, and is still a filter', () => {
    const { request } = plan({
      key: { pk: 'LOG#${device}', sk: 'DAY#${at:day}#${id}' },
      where: (attr) => [op.eq(attr.device, 'd'), op.gt(attr.at, at('2026-11-15T05:00Z'))],
    })
    expect(request.ExpressionAttributeValues).toMatchObject({
      ':v1': { S: 'DAY#2026-11-15' },
      ':v2': { S: 'DAY#\u{10FFFF}' },
    })
    expect(request.FilterExpression).toBe('#n2 > :v3')
  })

  test('an equality on a sort key with a bucket alone is a filter, too', () => {
    const { request } = plan({
      key: { pk: 'LOG#${device}', sk: 'DAY#${at:day}#${id}' },
      where: (attr) => [op.eq(attr.device, 'd'), op.eq(attr.at, at('2026-11-15T05:00Z'))],
    })
    expect(request.KeyConditionExpression).toContain('begins_with')
    expect(request.FilterExpression).toBe('#n2 = :v2')
  })

  test('a value that is not a time is refused by its name', () => {
    expect(() =>
      days((attr) => [op.gte(attr.at, new Date(Number.NaN)), op.lte(attr.at, at('2026-11-14'))]),
    ).toThrow('KEY_COMPONENT_INVALID: The value of "at"')
  })
})

describe('shards', () => {
  test('are all read, unless what they are made of is given', () => {
    const shard = { count: 3, by: ['id'] }
    expect(
      partitions(plan({ key: SHARDED, shard, where: (attr) => [op.eq(attr.device, 'd')] })),
    ).toEqual(['LOG#d#0', 'LOG#d#1', 'LOG#d#2'])
    const one = plan({
      key: SHARDED,
      shard,
      where: (attr) => [op.eq(attr.device, 'd'), op.eq(attr.id, 'x')],
    })
    expect(partitions(one)).toEqual([`LOG#d#${hashText('x') % 3}`])
    expect(one.fan).toBeUndefined()
    // The sort key has the time before the id, so that it can't answer for it.
    expect(one.request.FilterExpression).toBe('#n2 = :v2')
  })

  test('a partition key as it is stored reads that one', () => {
    const { fan } = plan({
      key: SHARDED,
      shard: { count: 3 },
      where: (attr) => [op.eq((attr as unknown as { pk: unknown }).pk, 'LOG#d#2')],
    })
    expect(fan).toBeUndefined()
  })

  test('of all items are read only if the index is named', () => {
    const key = { pk: 'LOG#${shard}', sk: 'AT#${at}#${id}' }
    const asked: Asked = { key, shard: { count: 2 }, where: () => [] }
    expect(() => plan(asked)).toThrow(
      'partitions that can be enumerated, so it is read whole only with useIndex()',
    )
    expect(partitions(plan({ ...asked, state: { index: 'primary' } }))).toEqual(['LOG#0', 'LOG#1'])
  })

  test('and buckets of time together are read in the order of time', () => {
    const both = plan({
      key: { pk: 'LOG#${at:day}#${shard}', sk: 'AT#${at}#${id}' },
      shard: { count: 2 },
      where: (attr) => [op.between(attr.at, at('2026-11-15'), at('2026-11-16'))],
    })
    expect(partitions(both)).toEqual([
      'LOG#2026-11-15#0',
      'LOG#2026-11-15#1',
      'LOG#2026-11-16#0',
      'LOG#2026-11-16#1',
    ])
    expect(explainRead(both, CONTEXT)).toMatchObject({
      partitions:
        '4 partitions, "LOG#2026-11-15#0" to "LOG#2026-11-16#1": one bucket per day, one after the other; in each 2 shards, merged by sort key',
      requests: '4: 1 per partition and page',
    })
  })
})

describe('the choice of the index', () => {
  test('one partition is better than several, also of the primary index', () => {
    const { index } = plan({
      key: SHARDED,
      shard: { count: 4, by: ['id'] },
      index: { cityPk: 'CITY#${device}', citySk: '${id}' },
      where: (attr) => [op.eq(attr.device, 'd')],
    })
    expect(index.name).toBe('byCity')
  })

  test('a range that one index can not read may be read by another', () => {
    const { index } = plan({
      index: { cityPk: 'CITY#${device}', citySk: '${at}' },
      where: (attr) => [op.eq(attr.device, 'd'), op.gte(attr.at, at('2026-11-15'))],
    })
    expect(index.name).toBe('byCity')
  })
})
