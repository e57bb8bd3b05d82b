import { expect, test } from 'vitest'
import { colorsFor } from '../../cli/terminal.ts'
import type { Report } from '../check-design.ts'
import type { PatternExercise } from '../evidence/exercise.ts'
import { reportPretty } from './report-pretty.ts'

const colors = colorsFor({ print: () => {}, printError: () => {} })

const QUIET: Report = {
  findings: [],
  suppressed: [],
  counts: { error: 0, warning: 0, info: 0 },
  rulesRun: 58,
}

const passed: PatternExercise = {
  pattern: 'posts',
  runs: 1_500,
  matching: 11,
  others: 40,
  failures: [],
  units: 1,
}
const failed: PatternExercise = {
  ...passed,
  pattern: 'feed',
  failures: [{ expected: '1 item', got: '2 items', call: 'feed({})' }],
}
const skipped: PatternExercise = { ...passed, pattern: 'search', skipped: 'OpenSearch answers it' }

test.each<readonly [patterns: readonly PatternExercise[], ms: number | undefined, line: string]>([
  [[passed], 812, 'run: 1 pattern passed in 1,500 runs on 51 items in 812 ms (seed 7)'],
  [
    [passed, passed],
    12_340,
    'run: 2 patterns passed in 3,000 runs on 102 items in 12.3 s (seed 7)',
  ],
  [
    [passed, failed],
    999.6,
    'run: 1 of 2 patterns passed in 3,000 runs on 102 items in 1.0 s (seed 7)',
  ],
  [
    [passed, skipped],
    undefined,
    'run: 1 pattern passed in 1,500 runs on 51 items (seed 7)\n  not run: search: OpenSearch answers it',
  ],
])('of %j, run in %s ms, it says so', (patterns, exerciseMs, line) => {
  const text = reportPretty(QUIET, {
    colors,
    rules: 75,
    exercise: { patterns, seed: 7 },
    exerciseMs,
  })
  expect(text).toBe(`${line}\n\nnothing found (58 of 75 rules ran)`)
})
