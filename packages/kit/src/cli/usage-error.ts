import { PlacedError } from '../schema-file/environment-error.ts'

export { EnvironmentError } from '../schema-file/environment-error.ts'

/** An unknown word, and the known words in its place. */
export interface Mistyped {
  readonly word: string
  readonly known: readonly string[]
}

/** The command line can't be carried out as it was typed. */
export class UsageError extends Error {
  /** What can be typed instead. */
  readonly fix: string
  /** What the report looks for the word in that was meant. */
  readonly mistyped: Mistyped | undefined

  constructor(message: string, fix: string, mistyped?: Mistyped) {
    super(message)
    this.fix = fix
    this.mistyped = mistyped
  }
}

/** It was understood and tried, and can't be done as things are. */
export class FailureError extends PlacedError {}

/** Exit codes of all commands. */
export const EXIT_DONE = 0
/** It was understood, but could not be done, or found something. */
export const EXIT_FAILED = 1
/** It could not be understood. */
export const EXIT_USAGE = 2
/**
 * What it needs could not be had: a schema that can't be loaded, a connection that can't be made.
 */
export const EXIT_ENVIRONMENT = 3
