import type { CommandOutput } from './command.ts'
import { describeFailure, printFailure } from './failure-report.ts'
import { UsageError } from './usage-error.ts'

/** Reports an unknown word as text or JSON and returns the exit code. */
export function refuseWord(
  output: CommandOutput,
  parameters: readonly string[],
  about: {
    /** What it should be: `command`. */
    readonly what: string
    readonly word: string
    /** The word before it: `table`. */
    readonly after?: string
    readonly known: readonly string[]
    readonly fix: string
  },
): number {
  const { what, word, after, known, fix } = about
  const typed = after === undefined ? word : `${after} ${word}`
  const report = describeFailure(
    new UsageError(`There is no ${what} "${typed}".`, fix, { word, known }),
  )
  output.printError(
    parameters.includes('--json')
      ? JSON.stringify({ error: report })
      : `singletable: ${printFailure(report)}`,
  )
  return report.exitCode
}
