import type { ErrorCode } from './codes.ts'
import { type ErrorParts, SingletableError } from './singletable-error.ts'

/** One thing wrong with a value that was given. */
export interface InputIssue {
  /** Where in the input: attribute names and list positions. */
  readonly path: readonly (string | number)[]
  readonly message: string
  /** The value as messages show it: shortened, and left out for hidden and encrypted attributes. */
  readonly given?: string | undefined
  /** What the validator threw that found this. */
  readonly cause?: unknown
}

/** Values that can't be written or asked for. `issues` names all of them, not only the first;
 * nothing was sent. */
export class InputError extends SingletableError {
  override readonly name: string = 'InputError'
  readonly issues: readonly InputIssue[]

  constructor(
    code: ErrorCode,
    parts: ErrorParts,
    issues: readonly InputIssue[],
    options?: { readonly cause?: unknown },
  ) {
    super(code, parts, options)
    this.issues = issues
  }
}
