import type { Readable, Writable } from 'node:stream'
import type { Transport } from 'singletable'
import type { CommandSpecification } from './help.ts'
import type { Stops } from './stops.ts'

/** The world as a command sees it, so that tests need no process. */
export interface CommandOutput {
  /** A line of the answer, to standard output. */
  print(text: string): void
  /** A line about what went wrong, to standard error. */
  complain(text: string): void
  /** Draws a line over the one drawn before, on a terminal's standard error; an empty text wipes it. None where there is no terminal. */
  readonly progress?: ((text: string) => void) | undefined
  /** Standard output is a terminal. */
  readonly isTerminal?: boolean | undefined
  /** How wide the terminal is. */
  readonly columns?: number | undefined
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Where relative paths begin. */
  readonly directory?: string | undefined
  /** For data too long for `print`. */
  readonly standardOutput?: Writable | undefined
  readonly standardInput?: Readable | undefined
  /** How a long command is told to stop. */
  readonly stops?: Stops | undefined
  /** Milliseconds since 1970. */
  now?(): number
  /** Used in place of what the options of a connection say. */
  readonly transport?: Transport | undefined
}

/** One subcommand of `singletable`. */
export interface Command {
  readonly name: string
  /** What it does, in one line of the help. */
  readonly summary: string
  /** Does it and returns the exit code. */
  run(
    parameters: readonly string[],
    output: CommandOutput,
    available: readonly Command[],
  ): Promise<number>
  /** Its options, for the completion of shells. */
  describe?(): Promise<CommandSpecification>
}
