import { expect, test } from 'vitest'
import { createProgress } from './progress.ts'

test('a line has the part that is done, the rate, the time left and what else is counted', () => {
  const lines: string[] = []
  let nowMs = 0
  const output = {
    print() {},
    printError() {},
    progress: (line: string) => void lines.push(line),
    now: () => nowMs,
  }
  const progress = createProgress({ output, title: 'move', unit: 'items' })
  nowMs = 10_000
  progress.update(1_000, 4_000, ['3 conflicts', '120 units'])
  progress.update(1_001, 4_000)
  nowMs = 20_000
  progress.update(5_000, 4_000)
  expect(lines).toEqual([
    'move: 1,000 of about 4,000 items (25%), 100/s, 0:30 left, 3 conflicts, 120 units',
    // The total was an estimate.
    'move: 5,000 items, 250/s',
  ])
})
