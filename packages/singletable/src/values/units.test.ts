import { expect, test } from 'vitest'
import { READ_STEP_BYTES, unitsToRead, unitsToWrite, WRITE_STEP_BYTES } from './units.ts'

test.each([
  [0, 1],
  [READ_STEP_BYTES - 1, 1],
  [READ_STEP_BYTES, 1],
  [READ_STEP_BYTES + 1, 2],
  [2 * READ_STEP_BYTES + 1, 3],
])('reading %i bytes takes %i steps', (bytes, steps) => {
  expect(unitsToRead(bytes, 'eventual')).toBe(steps / 2)
  expect(unitsToRead(bytes, 'strong')).toBe(steps)
  expect(unitsToRead(bytes, 'transactional')).toBe(2 * steps)
})

test.each([
  [0, 1],
  [WRITE_STEP_BYTES - 1, 1],
  [WRITE_STEP_BYTES, 1],
  [WRITE_STEP_BYTES + 1, 2],
  [2 * WRITE_STEP_BYTES + 1, 3],
])('writing %i bytes takes %i units', (bytes, units) => {
  expect(unitsToWrite(bytes)).toBe(units)
})
