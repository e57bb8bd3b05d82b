import type { SchemaDefinition } from 'singletable'
import { expect, test } from 'vitest'
import { checkDesign } from '../../../packages/kit/src/check/check-design.ts'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'

const text = { type: String, required: true } as const
const right = { key: { pk: 'U#${a}', sk: 'U' }, attributes: { a: text } }
const indexes = { primary: { hash: 'pk', sort: 'sk' } }
const other = { key: { pk: 'V#${a}', sk: '${a}' }, attributes: { a: text } }

const withModel = (model: unknown): object => ({ indexes, models: { Model: model, Other: other } })
const withPattern = (pattern: unknown): object => ({
  indexes,
  models: { Model: right, Other: other },
  patterns: { asked: pattern },
})

/** What JavaScript can hand over where the types ask for a schema. */
const UNSOUND: readonly (readonly [string, object])[] = [
  ['a model that is null', withModel(null)],
  ['a model without anything', withModel({})],
  ['a model that is a text', withModel('x')],
  ['a model without attributes', withModel({ key: right.key })],
  ['a key that is a number', withModel({ ...right, key: 5 })],
  ['a template that is a number', withModel({ ...right, key: { pk: 5, sk: null } })],
  [
    'a template whose value is a number',
    withModel({ ...right, key: { pk: { value: 7 }, sk: 'x' } }),
  ],
  ['an attribute that is null', withModel({ ...right, attributes: { a: null } })],
  ['an attribute that is a text', withModel({ ...right, attributes: { a: 'String' } })],
  [
    'an enum that is a text',
    withModel({ ...right, attributes: { a: { type: String, enum: 'x' } } }),
  ],
  ['a copy that is null', withModel({ ...right, copies: { Copy: null } })],
  [
    'a shard of many',
    withModel({ ...right, key: { pk: 'U#${a}#${shard}', sk: 'x' }, shard: { count: 'many' } }),
  ],
  [
    'a shard without end',
    withModel({ ...right, key: { pk: 'U#${a}#${shard}', sk: 'x' }, shard: { count: 1e300 } }),
  ],
  ['a template that is not closed', withModel({ ...right, key: { pk: 'U#${a', sk: 'x' } })],
  [
    'a width beyond all numbers',
    withModel({ ...right, key: { pk: '${a:pad(999999999)}', sk: 'x' } }),
  ],
  ['half a surrogate pair', withModel({ ...right, key: { pk: 'U\ud83d#${a}', sk: 'x\udc00' } })],
  ['an index that is null', { indexes: { ...indexes, gsi1: null }, models: { Other: other } }],
  [
    'an index by a number',
    { indexes: { ...indexes, gsi1: { hash: 7 } }, models: { Other: other } },
  ],
  ['no primary index', { indexes: {}, models: { Other: other } }],
  ['a pattern that is null', withPattern(null)],
  ['a pattern without anything', withPattern({})],
  ['a pattern by a text', withPattern({ op: 'query', entity: 'Model', by: 'a' })],
  [
    'a pattern that sets a number',
    withPattern({ op: 'update', entity: 'Model', by: ['a'], set: 7 }),
  ],
  [
    'a query of an index by nothing',
    {
      indexes: { ...indexes, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },
      models: { Model: { ...right, index: { gsi1pk: 'ALL', gsi1sk: '${a}' } }, Other: other },
      patterns: { asked: { op: 'query', entity: 'Model', index: 'gsi1' } },
    },
  ],
  ['a transaction of nothing', withPattern({ op: 'transact', steps: [null, 'x'] })],
  [
    'a filter of no kind',
    withPattern({ op: 'query', entity: 'Model', by: ['a'], filter: { a: { near: 1 } } }),
  ],
  ['params that are a number', { indexes, models: { Other: other }, params: 7 }],
  ['a separator that is a number', { indexes, models: { Other: other }, params: { separator: 7 } }],
]

test.each(UNSOUND)('%s is reported, and the rest is checked', (_, definition) => {
  // Just what the types forbid.
  const { findings, counts } = checkDesign(readDesign(definition as SchemaDefinition), {
    today: '2026-11-16',
  })
  expect(counts.error).toBeGreaterThan(0)
  expect(findings.map(({ code, place }) => `${code} ${place.model}`)).toContain('K05 Other')
})
