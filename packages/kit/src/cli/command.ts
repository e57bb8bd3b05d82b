import type { Readable, Writable } from 'node:stream'
import type { Transport } from 'singletable'
import type { CommandSpecification } from './help.ts'
import type { Stops } from './stops.ts'
import type { Keys } from './terminal-keys.ts'

/** The environment of a command, so that tests need no process. */
export interface CommandOutput {
  /** Prints a line of the result to standard output. */
  print(text: string): void
  /** Prints a line about an error to standard error. */
  printError(text: string): void
  /**
   * Replaces the progress line on standard error; an empty string clears it. Undefined without a
   * terminal.
   */
  readonly progress?: ((text: string) => void) | undefined
  /** Standard output is a terminal. */
  readonly isTerminal?: boolean | undefined
  /** How wide the terminal is. */
  readonly columns?: number | undefined
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** The directory that relative paths start from. */
  readonly directory?: string | undefined
  /** For data too long for `print`. */
  readonly standardOutput?: Writable | undefined
  readonly standardInput?: Readable | undefined
  /** Keys that are pressed meanwhile. Undefined unless there is a terminal on both ends. */
  readonly keys?: Keys | undefined
  /** The signals that stop a long command. */
  readonly stops?: Stops | undefined
  /** Milliseconds since 1970. */
  now?(): number
  /** Replaces the connection that the options name. */
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
