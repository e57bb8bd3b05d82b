import type { CommandOutput } from './command.ts'
import { describeFailure, printFailure } from './failure-report.ts'
import { UsageError } from './usage-error.ts'

/** Tells, in text or JSON as was asked for, that a word stands where a known one should; gives the exit code. */
export function refuseWord(
  output: CommandOutput,
  parameters: readonly string[],
  about: {
    /** What it should be: `command`. */
    readonly what: string
    readonly word: string
    /** What stands before it: `table`. */
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
  output.complain(
    parameters.includes('--json')
      ? JSON.stringify({ error: report })
      : `singletable: ${printFailure(report)}`,
  )
  return report.exitCode
}
