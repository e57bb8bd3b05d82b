import { defineSchema } from 'singletable'
import type { AttributeValue, Item } from 'singletable/tools'
import { expect, test } from 'vitest'
import { type Design, readDesign } from './design.ts'
import { ttlProblems } from './ttl-values.ts'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Session: {
      key: { pk: 'SESSION#${token}' },
      attributes: { token: { type: String }, expires: { type: Date, ttl: true, map: 'exp' } },
    },
  },
})

const session = (exp: AttributeValue | undefined): Item => ({
  pk: { S: 'SESSION#1' },
  ...(exp && { exp }),
})

function withValues(...values: readonly (AttributeValue | undefined)[]): Design {
  const sample = { items: values.map(session), itemCount: undefined, takenOn: '2026-11-15' }
  return readDesign(schema, { sample })
}

test('seconds are right, and so is a missing time', () => {
  const design = withValues({ N: '1763164800' }, { N: '99999999999' }, undefined, { NULL: true })
  expect(ttlProblems(design)).toEqual([])
  expect(ttlProblems({ ...design, sample: undefined })).toEqual([])
})

test('milliseconds would be a year far away', () => {
  expect(ttlProblems(withValues({ N: '1763164800000' }, { N: '100000000000' }))).toEqual([
    {
      attribute: 'exp',
      kind: 'milliseconds',
      items: 2,
      value: '1763164800000',
      year: 57842,
      example: session({ N: '1763164800000' }),
    },
  ])
})

test('a value that is not a number never expires', () => {
  expect(ttlProblems(withValues({ S: '2026-11-15T00:00:00Z' }))).toMatchObject([
    { kind: 'no-number', items: 1, value: 'S', year: undefined },
  ])
})
