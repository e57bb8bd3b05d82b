/** The signals that stop a long command. */
export interface Stops {
  /** Calls back at each signal; the result ends that. */
  onSignal(callback: (signal: 'SIGINT' | 'SIGTERM') => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
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
  /** Leaves signals alone again. */
  end(): void
}

/**
 * The first signal asks the work to end, the second ends the process. `onFirst` can show the user
 * what it waits for.
 */
export function interruptible(stops: Stops, onFirst: () => void): Interruption {
  const controller = new AbortController()
  let exitCode: number | undefined
  const end = stops.onSignal((signal) => {
    if (exitCode !== undefined) return stops.exit(signalExitCode(signal))
    exitCode = signalExitCode(signal)
    onFirst()
    controller.abort()
  })
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    end,
  }
}

/** Resolves at the first signal; the second one does not wait for anything. */
export function untilSignal(stops: Stops): Promise<void> {
  return new Promise((resolve) => {
    interruptible(stops, resolve)
  })
}
