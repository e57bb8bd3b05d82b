import fc from 'fast-check'
import type { ModelDefinition } from 'singletable/tools'
import { expect, test } from 'vitest'
import { meetBound } from './bound-strings.ts'
import { readDesign } from './design.ts'
import { commonKey, keyStrings } from './key-strings.ts'

/** Attributes with all their values, so that every key there is can be written down. */
const VALUES = { x: ['A', 'B'], y: ['B', 'C'] } as const
const attributes: ModelDefinition['attributes'] = {
  x: { type: String, required: true, enum: VALUES.x },
  y: { type: String, required: true, enum: VALUES.y },
}

const part = fc.constantFrom('A', 'B', 'C', '${x}', '${y}')
const template = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('#'))
const key = fc.record({ pk: template, sk: template })

/** All keys of a model. */
function keysOf({ pk, sk }: { readonly pk: string; readonly sk: string }): ReadonlySet<string> {
  const keys = VALUES.x.flatMap((x) =>
    VALUES.y.map((y) => `${pk} / ${sk}`.replaceAll('${x}', x).replaceAll('${y}', y)),
  )
  return new Set(keys)
}

// A long run: PROPERTY_RUNS=10000. A failure prints its seed.
const runs = Number(process.env.PROPERTY_RUNS ?? 300)

test('two models meet if and only if one key is of both', { timeout: 60_000 + 100 * runs }, () => {
  let met = 0
  let apart = 0
  fc.assert(
    fc.property(key, key, (one, other) => {
      const design = readDesign({
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: { One: { key: one, attributes }, Other: { key: other, attributes } },
      })
      const [a, b] = keyStrings(design)
      const found = meetBound(a!, b!, (left, right) => commonKey(left, right) !== undefined)
      const shared = [...keysOf(one)].filter((each) => keysOf(other).has(each))
      expect(found !== undefined).toBe(shared.length > 0)
      if (found) {
        expect(shared).toContain(commonKey(...found)?.join(' / '))
        met++
      } else if (commonKey(a!, b!) !== undefined) apart++
    }),
    {
      numRuns: runs,
      examples: [
        [
          { pk: '${x}', sk: '${x}#${y}' },
          { pk: 'B', sk: 'B#C' },
        ],
        [
          { pk: '${x}', sk: '${x}#${y}' },
          { pk: 'A', sk: 'B#C' },
        ],
      ],
    },
  )
  // Both have come up, or nothing would be shown.
  expect(met).toBeGreaterThan(0)
  expect(apart).toBeGreaterThan(0)
})
