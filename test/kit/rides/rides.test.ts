import { expect, test } from 'vitest'
import type { Stops } from '../../../packages/kit/src/cli/stops.ts'
import { runCli } from '../run-cli.ts'

const directory = import.meta.dirname

test('every pattern of a design with validators, copies and counters is run, and passes', async () => {
  const { code, printed, complaints } = await runCli(['check', '--run', '--only', 'P16'], {
    directory,
  })
  expect(complaints).toBe('')
  expect(printed).toMatch(/^run: 27 patterns passed in \d+ runs/)
  expect(code).toBe(0)
}, 120_000)

test('dev shows an answer with items for every pattern that reads', async () => {
  const { code, printed } = await runCli(['dev', '--once', '--count', '300'], { directory })
  expect(code).toBe(0)
  expect(printed).toContain('27 patterns · 22 answered · 5 planned and not run')
  // Several items share what an index is asked for.
  expect(printed).toMatch(/ridersInCity[\s\S]*?→ ([2-9]|\d\d) Rider/)
}, 60_000)

test('check --run ends when a signal comes in the middle of its work', async () => {
  const stops: Stops = {
    onSignal: (callback) => {
      const timer = setImmediate(() => callback('SIGTERM'))
      return () => clearImmediate(timer)
    },
    exit: () => {},
  }
  const { code, printed } = await runCli(['check', '--run', '--only', 'P16'], { directory, stops })
  expect(code).toBe(143)
  expect(printed).not.toContain('run:')
})
