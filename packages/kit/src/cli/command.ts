/** The world as a command sees it, so that tests need no process. */
export interface CommandOutput {
  /** A line of the answer, to standard output. */
  print(text: string): void
  /** A line about what went wrong, to standard error. */
  complain(text: string): void
}

/** One subcommand of `singletable`. */
export interface Command {
  readonly name: string
  /** What it does, in one line of the help. */
  readonly summary: string
  /** Does it and returns the exit code. */
  run(parameters: readonly string[], output: CommandOutput): Promise<number>
}
