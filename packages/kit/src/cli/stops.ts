import { setMaxListeners } from 'node:events'

/** The signals that stop a long command. */
export interface Stops {
  /** Calls back at each signal; the result ends that. */
  onSignal(callback: (signal: 'SIGINT' | 'SIGTERM') => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
  /** How long work may take to end after the first signal; without it, as long as it needs. */
  readonly endsWithinMs?: number
}

const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 }
const SIGNAL_EXIT_BASE = 128

/** The signals of this process. */
export const processStops: Stops = {
  onSignal(callback) {
    const signals = ['SIGINT', 'SIGTERM'] as const
    for (const signal of signals) process.on(signal, callback)
    return () => {
      for (const signal of signals) process.off(signal, callback)
    }
  },
  exit: (code) => process.exit(code),
  endsWithinMs: 800,
}

/** The exit code of a program that a signal ended. */
export function signalExitCode(signal: 'SIGINT' | 'SIGTERM'): number {
  return SIGNAL_EXIT_BASE + SIGNAL_NUMBERS[signal]
}

/** Work that a signal asks to end. */
export interface Interruption {
  /** Aborted by the first signal: finish what is in progress and note where to continue. */
  readonly signal: AbortSignal
  /** What the process should end with, if it was interrupted. */
  readonly exitCode: number | undefined
  /** Does what Ctrl-C does. */
  interrupt(): void
  /** Leaves signals alone again. */
  end(): void
}

/**
 * The first signal asks the work to end, the second ends the process, and so does the time it has
 * to end: a request may wait for its answer for long. What can be resumed is resumed as after a
 * crash. `onFirst` can show the user what it waits for.
 */
export function interruptible(stops: Stops, onFirst: () => void): Interruption {
  const controller = new AbortController()
  let exitCode: number | undefined
  let timer: NodeJS.Timeout | undefined
  const interrupt = (signal: 'SIGINT' | 'SIGTERM'): void => {
    const code = signalExitCode(signal)
    if (exitCode !== undefined) {
      stops.exit(code)
      return
    }
    exitCode = code
    if (stops.endsWithinMs !== undefined) {
      timer = setTimeout(() => stops.exit(code), stops.endsWithinMs)
    }
    onFirst()
    controller.abort()
  }
  const ignore = stops.onSignal(interrupt)
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    interrupt: () => interrupt('SIGINT'),
    end: () => {
      clearTimeout(timer)
      ignore()
    },
  }
}

/** What is under way may take this long after a signal; then it is given up. */
const GRACE_MS = 500

/** A signal that is aborted a moment after the other one, for requests that are not answered. */
export function afterGrace(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  // As many as there are requests at a time.
  setMaxListeners(0, controller.signal)
  const abort = (): void => void setTimeout(() => controller.abort(), GRACE_MS).unref()
  signal.addEventListener('abort', abort, { once: true })
  return controller.signal
}

/** Resolves at the first signal; the second one does not wait for anything. */
export function untilSignal(stops: Stops): Promise<void> {
  return new Promise((resolve) => {
    interruptible(stops, resolve)
  })
}
