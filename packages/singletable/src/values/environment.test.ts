import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemEnvironment } from './environment.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([0, 1000, 2 ** 31 - 1, 2 ** 31, 3 * 2 ** 31 + 5])(
  'what is scheduled in %d ms happens then and not before',
  (delayMs) => {
    const callback = vi.fn()
    systemEnvironment.schedule(callback, delayMs)
    if (delayMs > 0) vi.advanceTimersByTime(delayMs - 1)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(callback).toHaveBeenCalledTimes(1)
  },
)

test('what is cancelled after the first of several timers does not happen', () => {
  const callback = vi.fn()
  const cancel = systemEnvironment.schedule(callback, 2 ** 33)
  vi.advanceTimersByTime(2 ** 32)
  cancel()
  vi.advanceTimersByTime(2 ** 33)
  expect(callback).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('a delay that no clock reaches is waited for', () => {
  const callback = vi.fn()
  systemEnvironment.schedule(callback, Number.MAX_SAFE_INTEGER)
  vi.advanceTimersByTime(2 ** 33)
  expect(callback).not.toHaveBeenCalled()
})
