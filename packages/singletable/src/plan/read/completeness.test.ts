import { describe, expect, it } from 'vitest'
import { compileSchema } from '../compile-schema.ts'
import { operators as op } from '../operators.ts'
import { referencesOf } from '../references.ts'
import type { Where } from '../where.ts'
import { describeGaps, gapsOf } from './completeness.ts'

const { models } = compileSchema({
  indexes: {
    primary: { hash: 'pk' },
    open: { hash: 'gsi1pk', sort: 'gsi1sk' },
    byDue: { hash: 'gsi2pk', sort: 'gsi2sk' },
    byNote: { hash: 'gsi3pk' },
    all: { hash: 'gsi4pk', sort: 'gsi4sk' },
    done: { hash: 'agent', sort: 'rank' },
  },
  models: {
    Ticket: {
      key: { pk: 'TICKET#${id}' },
      index: {
        gsi1pk: 'AGENT#${agent}',
        gsi1sk: 'TICKET#${id}',
        gsi2pk: 'AGENT#${agent}',
        gsi2sk: '${due}',
        gsi3pk: 'NOTE#${note}',
        gsi4pk: 'AGENT#${agent}',
        gsi4sk: '${createdAt}',
      },
      when: { open: { status: ['open', 'waiting'] }, done: { isDone: true, area: ['a', 'b'] } },
      attributes: {
        id: { type: String },
        agent: { type: String, required: true },
        status: { type: String, enum: ['open', 'waiting', 'closed'], default: 'open' },
        due: { type: String },
        note: { type: String, required: true, nulls: true },
        rank: { type: Number, required: true },
        isDone: { type: Boolean, required: true },
        area: { type: String, required: true },
        place: { type: Object, schema: { city: { type: String } } },
      },
    },
  },
  params: { timestamps: true },
})
const Ticket = models.get('Ticket')!
type Attr = { readonly [name: string]: object }
const attr = referencesOf(Ticket) as Attr

function gaps(index: string, where?: Where): string {
  const use = Ticket.indexes.find((each) => each.index.name === index)!
  return describeGaps(gapsOf(Ticket, use, where))
}

const OPEN = 'items whose "status" is not open or waiting'

it('the primary index and one of attributes that every item has are complete', () => {
  expect(gaps('primary')).toBe('')
  expect(gaps('all')).toBe('')
})

describe('an index with when', () => {
  const { status, agent } = attr as { status: object; agent: object }
  it.each([
    ['no condition', undefined, OPEN],
    ['an allowed value', op.eq(status, 'open'), ''],
    ['another value', op.eq(status, 'closed'), OPEN],
    ['allowed values', op.in(status, ['open', 'waiting']), ''],
    ['one that is not allowed among others', op.in(status, ['open', 'closed']), OPEN],
    ['or of allowed values', op.or(op.eq(status, 'open'), op.eq(status, 'waiting')), ''],
    ['or with another attribute', op.or(op.eq(status, 'open'), op.eq(agent, 'a')), OPEN],
    [
      'another value than the one that is left out, which absent items also have',
      op.ne(status, 'closed'),
      OPEN,
    ],
    ['the same, of items that have one', op.and(op.ne(status, 'closed'), op.exists(status)), ''],
    ['not', op.not(op.eq(status, 'closed')), OPEN],
    ['not of a negated value', op.not(op.or(op.notExists(status), op.eq(status, 'closed'))), ''],
    ['a beginning that only allowed values have', op.beginsWith(status, 'o'), ''],
    ['a range that only allowed values are in', op.gte(status, 'd'), ''],
    ['a range with others', op.lte(status, 'open'), OPEN],
    ['between', op.between(status, 'o', 'z'), ''],
    ['the key as it is stored', op.eq(attr.gsi1pk, 'AGENT#a'), ''],
    ['a key that may be missing', op.ne(attr.gsi1pk, 'AGENT#a'), OPEN],
    ['a comparison of attributes', op.eq(status, agent), OPEN],
    ['a value with the literal before its placeholder', op.eq(agent, 'AGENT#a'), OPEN],
  ])('%s', (_, where, expected) => {
    expect(gaps('open', where)).toBe(expected)
  })
})

it('several attributes must each be implied', () => {
  const isDone = op.eq(attr.isDone, true)
  expect(gaps('done', isDone)).toBe('items whose "area" is not a or b')
  expect(gaps('done', op.and(isDone, op.in(attr.area, ['b'])))).toBe('')
  expect(gaps('done', op.and(op.ne(attr.isDone, false), op.eq(attr.area, 'a')))).toBe('')
  expect(gaps('done', op.and(isDone, op.gt(attr.area, 'a')))).toBe(
    'items whose "area" is not a or b',
  )
})

describe('an index with an attribute that can be absent or null', () => {
  const due = attr.due as object
  it.each([
    ['no condition', undefined, 'items without "due"'],
    ['equality', op.eq(due, 'x'), ''],
    ['a comparison', op.lt(due, 'x'), ''],
    ['what part it has', op.contains(due, 'x'), ''],
    ['its size', op.size(due).gt(3), ''],
    ['inequality, which absent ones also have', op.ne(due, 'x'), 'items without "due"'],
    ['existence', op.exists(due), ''],
    ['absence', op.notExists(due), 'items without "due"'],
    [
      'existence in one of two cases',
      op.or(op.exists(due), op.eq(attr.agent, 'a')),
      'items without "due"',
    ],
    ['negated equality', op.not(op.eq(due, 'x')), 'items without "due"'],
  ])('%s', (_, where, expected) => {
    expect(gaps('byDue', where)).toBe(expected)
  })

  it('a required attribute that can be null', () => {
    expect(gaps('byNote')).toBe('items without "note"')
    expect(gaps('byNote', op.exists(attr.note))).toBe('items without "note"')
    expect(gaps('byNote', op.eq(attr.note, 'x'))).toBe('')
    expect(gaps('byNote', op.eq(attr.note, null))).toBe('items without "note"')
    expect(gaps('byNote', op.ne(attr.note, null))).toBe('')
  })
})
