import fc from 'fast-check'
import { readSchema } from 'singletable/tools'
import { expect, test } from 'vitest'
import { exercisePatterns } from '../../../packages/kit/src/check/exercise/exercise-patterns.ts'
import { randomSchema } from './random-schema.ts'

// A long run: PROPERTY_RUNS=1000 PROPERTY_SEED=1. A failure prints its seed in any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 12)
const parameters: fc.Parameters<unknown> = {
  numRuns: runs,
  ...(process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }),
}

test('patterns that the library accepts have no failure on sample data', {
  timeout: 120_000 + 4_000 * runs,
}, async () => {
  let exercised = 0
  await fc.assert(
    fc.asyncProperty(randomSchema, fc.nat(), async (schema, seed) => {
      const { patterns } = await exercisePatterns(readSchema(schema), { seed })
      expect(patterns.filter(({ failures }) => failures.length > 0)).toEqual([])
      exercised += patterns.filter(({ skipped }) => skipped === undefined).length
    }),
    parameters,
  )
  // If hardly any pattern were accepted and run, the test would say nothing.
  expect(exercised).toBeGreaterThan(4 * runs)
})
