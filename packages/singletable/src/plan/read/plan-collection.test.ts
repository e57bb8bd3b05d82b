import { describe, expect, it } from 'vitest'
import { compileRead } from '../../request/compile-read.ts'
import { systemEnvironment as environment } from '../../values/environment.ts'
import { compileSchema } from '../compile-schema.ts'
import { operators as op } from '../operators.ts'
import { referencesOf } from '../references.ts'
import type { QueryState } from '../state.ts'
import { explainRead } from './explain-read.ts'
import { planRead } from './plan-read.ts'
import type { ReadPlan } from './read-plan.ts'

const text = { type: String, required: true } as const
const schema = compileSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byDay: { hash: 'gsi1pk', sort: 'gsi1sk' },
    small: { hash: 'gsi2pk', sort: 'sk', project: 'keys' },
    byNumber: { hash: ['p', 'kind'], sort: ['n'] },
  },
  models: {
    A: {
      key: { pk: 'P#${p}', sk: 'A' },
      index: { gsi1pk: 'DAY', gsi1sk: 'A#${d}', gsi2pk: 'P#${p}' },
      attributes: { p: text, d: text, kind: text, n: { type: Number, required: true } },
    },
    B: {
      key: { pk: 'P#${p}', sk: 'B#${x}#${y}' },
      index: { gsi1pk: 'DAY', gsi1sk: 'B#${d}', gsi2pk: 'P#${p}' },
      attributes: {
        p: text,
        x: text,
        y: text,
        d: text,
        kind: text,
        n: { type: Number, required: true },
      },
    },
    C: { key: { pk: 'P#${p}', sk: 'C#${x}' }, attributes: { p: text, x: text, note: text } },
    Elsewhere: { key: { pk: 'Q#${p}', sk: 'C#${x}' }, attributes: { p: text, x: text } },
    Open: {
      key: { pk: 'P#${p}', sk: '${x}#${y}#OPEN#KEY' },
      attributes: { p: text, x: text, y: text },
    },
  },
})

function plan(
  names: readonly string[],
  values: { readonly [name: string]: unknown },
  more: Partial<QueryState> = {},
): ReadPlan {
  const members = names.map((name) => {
    const model = schema.models.get(name)!
    const attr = referencesOf(model) as { readonly [name: string]: unknown }
    const conditions = Object.entries(values)
      .filter(([each]) => Object.hasOwn(attr, each))
      .map(([each, value]) => op.eq(attr[each], value))
    return { model, where: conditions.length > 0 ? op.and(...conditions) : undefined }
  })
  return planRead(
    {
      model: members[0]?.model ?? schema.models.get('A')!,
      members,
      verb: 'query',
      where: undefined,
      select: undefined,
      segment: undefined,
      hydrate: false,
      consistentRead: false,
      includeExpired: false,
      capacity: undefined,
      index: undefined,
      forward: true,
      limit: undefined,
      pageSize: undefined,
      cursor: undefined,
      ...more,
    },
    CONTEXT,
  )
}

const CONTEXT = { tableName: 'T', environment }
const keysOf = (made: ReadPlan): string | undefined => explainRead(made, CONTEXT).keyCondition
const filterOf = (made: ReadPlan): string | undefined => explainRead(made, CONTEXT).filter

describe('the range of sort keys', () => {
  it.each([
    [['A'], {}, 'sk = "A"'],
    [['B'], {}, 'begins_with(sk, "B#")'],
    [['B'], { x: '1' }, 'begins_with(sk, "B#1#")'],
    [['A', 'B'], {}, 'sk BETWEEN "A" AND "B#\\u{10ffff}"'],
    [['B', 'A'], { x: '1' }, 'sk BETWEEN "A" AND "B#1#\\u{10ffff}"'],
    [['B', 'C'], { x: '1' }, 'sk BETWEEN "B#1#" AND "C#1"'],
    [['B', 'C'], { x: '1', y: '2' }, 'sk BETWEEN "B#1#2" AND "C#1"'],
  ])('of %j with %j is the smallest that has them all', (names, values, range) => {
    expect(keysOf(plan(names, { p: '7', ...values }))).toBe(`pk = "P#7" AND ${range}`)
  })

  it('is the whole partition where a key can begin with anything', () => {
    expect(keysOf(plan(['A', 'Open'], { p: '7' }))).toBe('pk = "P#7"')
  })

  it('is open above where its end would be longer than a key can be', () => {
    const x = 'x'.repeat(1020)
    expect(compileRead(plan(['A', 'B'], { p: '7', x })).KeyConditionExpression).toMatch(/>= :\w+$/)
  })

  it('of conditions that are not strings is used if it is the same for all', () => {
    const builder = { index: 'byNumber' }
    expect(keysOf(plan(['A', 'B'], { p: '7', kind: 'k', n: 3 }, builder))).toBe(
      'p = "7" AND kind = "k" AND n = 3',
    )
    expect(keysOf(plan(['A', 'B'], { p: '7', kind: 'k' }, builder))).toBe('p = "7" AND kind = "k"')
  })
})

describe('the filter', () => {
  it('leaves out models whose keys can lie in the range, and no others', () => {
    expect(filterOf(plan(['A', 'C'], { p: '7' }))).toBe('NOT _type IN ("B", "Open")')
    expect(filterOf(plan(['B', 'C'], { p: '7' }))).toBe('NOT _type IN ("Open")')
  })

  it('asks for what keys do not contain, of the models that have it', () => {
    const filter = filterOf(plan(['A', 'B', 'C', 'Open'], { p: '7', note: 'n' }))
    expect(filter).toBe('_type <> "C" OR note = "n"')
  })
})

describe('the index', () => {
  it('is the primary one if its partition key is given', () => {
    expect(plan(['A', 'B'], { p: '7', d: '1' }).index.name).toBe('primary')
  })

  it('that holds everything in one partition is read only if it is named', () => {
    expect(() => plan(['A', 'B'], { d: '1' })).toThrow('PLAN_NO_INDEX')
    const named = plan(['A', 'B'], { d: '1' }, { index: 'byDay' })
    expect(keysOf(named)).toBe('gsi1pk = "DAY" AND gsi1sk BETWEEN "A#1" AND "B#1"')
    expect(compileRead(named).IndexName).toBe('byDay')
  })

  it.each([
    ['models in several partitions', ['B', 'Elsewhere'], { p: '7' }, {}, 'another partition'],
    [
      'an index that a model is not in',
      ['A', 'C'],
      { p: '7' },
      { index: 'byDay' },
      'PLAN_NO_INDEX',
    ],
    ['an index of parts of items', ['A', 'B'], { p: '7' }, { index: 'small' }, 'PLAN_PROJECTION'],
    [
      'a consistent read of a global one',
      ['A', 'B'],
      { p: '7', kind: 'k' },
      { index: 'byNumber', consistentRead: true },
      'PLAN_INVALID',
    ],
    ['a limit that is none', ['A', 'B'], { p: '7' }, { limit: 0 }, 'INPUT_INVALID'],
    ['a model twice', ['A', 'A'], { p: '7' }, {}, 'PLAN_INVALID'],
    ['no model', [], { p: '7' }, {}, 'PLAN_INVALID'],
  ])('can not be chosen for %s', (_, names, values, more, problem) => {
    expect(() => plan(names, values, more)).toThrow(problem)
  })

  it('that was not chosen is listed with the reason', () => {
    expect(explainRead(plan(['A', 'B'], { p: '7' }), CONTEXT).refused).toEqual([
      { index: 'byDay', reason: expect.stringContaining('one partition for all') },
      { index: 'small', reason: 'could not answer all of it' },
      { index: 'byNumber', reason: 'A needs kind' },
    ])
  })
})

it('a model of which there can be only one item is named', () => {
  expect(plan(['A', 'B', 'C'], { p: '7', x: '1' }).members.map(({ single }) => single)).toEqual([
    true,
    false,
    true,
  ])
})
