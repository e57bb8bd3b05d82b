import { expect, test } from 'vitest'
import { httpDate } from './http-date.ts'

test('the date follows the clock, second by second and when it is set back', () => {
  const start = Date.UTC(2026, 10, 16, 12, 0, 0)
  for (const offset of [0, 1, 999, 1000, 1999, 60_000, 59_999, 0, 86_400_000, -1]) {
    expect(httpDate(start + offset)).toBe(new Date(start + offset).toUTCString())
  }
})
