import { expect, test } from 'vitest'
import { interruptible, type Stops } from './stops.ts'

/** Signals that the test sends, and the exit codes that followed. */
function fakeStops(endsWithinMs?: number): {
  readonly stops: Stops
  readonly send: (signal: 'SIGINT' | 'SIGTERM') => void
  readonly exited: Promise<number>
} {
  let callback: ((signal: 'SIGINT' | 'SIGTERM') => void) | undefined
  let exit = (_code: number): void => {}
  const exited = new Promise<number>((resolve) => {
    exit = resolve
  })
  return {
    stops: {
      onSignal(each) {
        callback = each
        return () => {
          callback = undefined
        }
      },
      exit: (code) => exit(code),
      ...(endsWithinMs !== undefined && { endsWithinMs }),
    },
    send: (signal) => callback?.(signal),
    exited,
  }
}

test('the first signal asks the work to end, the second ends the process', async () => {
  const { stops, send, exited } = fakeStops()
  const { signal } = interruptible(stops, () => {})
  send('SIGINT')
  expect(signal.aborted).toBe(true)
  send('SIGTERM')
  expect(await exited).toBe(143)
})

test('work that does not end in its time is ended with the process', async () => {
  const { stops, send, exited } = fakeStops(1)
  interruptible(stops, () => {})
  send('SIGINT')
  expect(await exited).toBe(130)
})

test('work that has ended is not followed by the end of the process', async () => {
  const { stops, send, exited } = fakeStops(1)
  const interruption = interruptible(stops, () => {})
  send('SIGTERM')
  interruption.end()
  expect(interruption.exitCode).toBe(143)
  const later = new Promise<string>((resolve) => setTimeout(() => resolve('later'), 5))
  expect(await Promise.race([exited, later])).toBe('later')
})
