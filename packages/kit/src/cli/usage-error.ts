/** The command line can't be carried out as it was typed. */
export class UsageError extends Error {
  /** What can be typed instead. */
  readonly fix: string

  constructor(message: string, fix: string) {
    super(message)
    this.fix = fix
  }
}

/** Exit codes of all commands. */
export const EXIT_DONE = 0
/** It was understood, but could not be done. */
export const EXIT_FAILED = 1
/** It could not be understood. */
export const EXIT_USAGE = 2
