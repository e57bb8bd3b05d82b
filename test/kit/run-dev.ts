import { vi } from 'vitest'
import type { CommandOutput } from '../../packages/kit/src/cli/command.ts'
import { runDev } from '../../packages/kit/src/cli/dev-command.ts'
import type { ServeStudio } from '../../packages/kit/src/cli/find-studio.ts'

/** A `dev` that runs until it is stopped. */
export interface RunningDev {
  /** All that was printed and reported so far. */
  text(): string
  /** Waits until something was printed. */
  until(text: string | RegExp): Promise<void>
  /** Sends the signal, and gives the exit code. */
  stop(): Promise<number>
}

export function startDev(
  directory: string,
  parameters: readonly string[],
  studio: ServeStudio | undefined = undefined,
): RunningDev {
  const lines: string[] = []
  let signal: ((name: 'SIGINT') => void) | undefined
  const output: CommandOutput = {
    print: (text) => void lines.push(text),
    printError: (text) => void lines.push(text),
    directory,
    environment: {},
    stops: {
      onSignal(callback) {
        signal = callback
        return () => {}
      },
      exit: () => {},
    },
    now: () => 0,
  }
  const text = (): string => lines.join('\n')
  const ended = runDev(['--port', '0', ...parameters], output, async () => studio)
  return {
    text,
    until: (wanted) =>
      vi.waitFor(
        () => {
          const isThere = typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text())
          if (!isThere) throw new Error(`${wanted} was not printed, but:\n${text()}`)
        },
        { timeout: 60_000, interval: 20 },
      ),
    stop() {
      signal?.('SIGINT')
      return ended
    },
  }
}
