import fc from 'fast-check'
import type { SchemaDefinition } from 'singletable'
import { expect, test } from 'vitest'
import { readDesign } from '../../../packages/kit/src/check/design/design.ts'
import { PATTERN_RULES } from '../../../packages/kit/src/check/rules/pattern-rules.ts'

// A long run: PROPERTY_RUNS=100000 PROPERTY_SEED=1. A failure prints its seed in any case.
const parameters: fc.Parameters<unknown> = {
  numRuns: Number(process.env.PROPERTY_RUNS ?? 300),
  ...(process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }),
}
const TIMEOUT_MS = 1_800_000

/** Rules whose errors are what the library refuses, with better messages. */
const RULES = PATTERN_RULES.filter(({ code }) => ['P01', 'P08', 'P09', 'P11'].includes(code))

const text = { type: String, required: true } as const
const attributes = {
  a: text,
  b: text,
  c: text,
  at: { type: Date, required: true },
  n: { type: Number, required: true, pad: 8 },
  path: { type: Array, items: { type: String }, required: true },
} as const
const names = Object.keys(attributes)

const parts = [
  '${a}',
  '${b}',
  '${c}',
  '${a:lower}',
  '${at}',
  '${at:day}',
  '${n}',
  '${shard}',
  '${path}',
]
const template = fc
  .tuple(fc.constantFrom('X', 'Y'), fc.subarray(parts, { maxLength: 3 }), fc.boolean())
  .map(([prefix, chosen, isReversed]) =>
    [prefix, ...(isReversed ? chosen.toReversed() : chosen)].join('#'),
  )

const someNames = fc
  .subarray(names)
  .chain((some) => fc.shuffledSubarray(some, { minLength: some.length }))

const query = fc.record(
  {
    op: fc.constant('query' as const),
    entity: fc.constantFrom('Thing', 'Copy'),
    index: fc.constantFrom('primary', 'gsi1', 'gsi2', 'lsi'),
    by: someNames,
    range: fc.constantFrom(...names),
    consistent: fc.boolean(),
    project: fc.subarray(names, { minLength: 1 }),
    // biome-ignore lint/suspicious/noThenProperty: it is the schema's own word, and no function.
    then: fc.constantFrom('Thing', 'Other').map((entity) => ({ op: 'batchGet' as const, entity })),
  },
  { requiredKeys: ['op', 'entity', 'by'] },
)

const keyed = fc.record({
  op: fc.constantFrom(
    'get' as const,
    'batchGet' as const,
    'delete' as const,
    'transactGet' as const,
  ),
  entity: fc.constant('Thing'),
  by: someNames,
})

const schema = fc
  .record({
    key: fc.record({ pk: template, sk: template }),
    index: fc.record(
      { gsi1pk: template, gsi1sk: template, lsisk: template },
      { requiredKeys: ['gsi1pk', 'gsi1sk'] },
    ),
    project: fc.constantFrom('all' as const, 'keys' as const, ['a', 'b'] as const),
    pattern: fc.oneof({ weight: 3, arbitrary: query }, keyed),
  })
  .map(
    ({ key, index, project, pattern }): SchemaDefinition => ({
      indexes: {
        primary: { hash: 'pk', sort: 'sk' },
        gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', project },
        gsi2: { hash: 'sk', sort: 'pk' },
        lsi: { type: 'local', hash: 'pk', sort: 'lsisk' },
      },
      models: {
        Thing: {
          key,
          index,
          attributes,
          ...(JSON.stringify({ key, index }).includes('${shard}') && {
            shard: { count: 3, by: ['a'] },
          }),
          copies: { Copy: { key: { pk: 'COPY#${a}', sk: 'COPY#${b}#${at}#${n}' } } },
        },
        Other: { key: { pk: 'OTHER#${other}', sk: 'OTHER' }, attributes: { other: text } },
      },
      patterns: { asked: pattern },
    }),
  )

test(
  'an error about what a pattern asks is exactly what the library refuses',
  () => {
    let refused = 0
    let served = 0
    fc.assert(
      fc.property(schema, (definition) => {
        const design = readDesign(definition)
        // A model that can't be used is another matter.
        fc.pre(
          design.issues.every(({ subject }) => subject.model === undefined) &&
            design.schema !== undefined,
        )
        const isRefused = design.issues.length > 0
        if (isRefused) refused++
        else served++
        const found = RULES.flatMap((rule) =>
          [...rule.check(design)].map(({ message }) => `${rule.code} ${message}`),
        )
        const why = design.issues.map(({ what }) => what)
        expect(found.length > 0, [...found, ...why].join('\n')).toBe(isRefused)
      }),
      parameters,
    )
    expect(Math.min(refused, served)).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)
