/** What was asked for can't be written for this target, or read from this file. */
export class InfraError extends Error {
  /** What can be done instead. */
  readonly fix: string

  constructor(message: string, fix: string) {
    super(message)
    this.fix = fix
  }
}

/** What was typed can't be meant: a name that is not there, or a value that is not valid. */
export class InfraUsageError extends InfraError {}
