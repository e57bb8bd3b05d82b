import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDesign } from '../../packages/kit/src/check/design/design.ts'
import { randomSchema } from '../kit/check/random-schema.ts'
import { exercisePatterns } from './exercise-patterns.ts'

/** Whatever keys a schema has and whatever patterns it declares: those that the library accepts do
 * what they say, among all that can be next to their items. */

// A long run: PROPERTY_RUNS=1000 PROPERTY_SEED=1. A failure prints its seed in any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 6)
const timeoutMs = 300_000 + 20_000 * runs
const seed = process.env.PROPERTY_SEED
const parameters: fc.Parameters<unknown> = { numRuns: runs, ...(seed && { seed: Number(seed) }) }

test('patterns of any schema are exercised', { timeout: timeoutMs }, async () => {
  let exercised = 0
  await fc.assert(
    fc.asyncProperty(randomSchema, fc.nat(), async (schema, seed) => {
      const { patterns } = await exercisePatterns(readDesign(schema), { seed })
      expect(patterns.filter(({ failures }) => failures.length > 0)).toEqual([])
      exercised += patterns.filter(({ skipped }) => skipped === undefined).length
    }),
    parameters,
  )
  // If hardly any pattern were accepted and run, the test would say nothing.
  expect(exercised).toBeGreaterThan(4 * runs)
})
