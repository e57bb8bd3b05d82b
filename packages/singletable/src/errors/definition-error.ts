import type { ErrorCode } from './codes.ts'
import { type ErrorParts, SingletableError } from './singletable-error.ts'

/** The parts of a schema that an issue is about, by the names they have in it. */
export interface IssueSubject {
  readonly model?: string | undefined
  readonly attribute?: string | undefined
  readonly index?: string | undefined
  readonly pattern?: string | undefined
}

/** One thing wrong with a definition: plain data. */
export interface DefinitionIssue {
  readonly code: ErrorCode
  readonly severity: 'error' | 'warning' | 'info'
  readonly subject: IssueSubject
  readonly what: string
  readonly where: string
  readonly fix: string
  /** The rule of `singletable check` that explains it, such as `K08`. */
  readonly rule?: string | undefined
}

/**
 * A schema, template or option that can't be used; thrown while it is defined, before anything is
 * sent. `issues` has all that is wrong, and the message lists it.
 */
export class DefinitionError extends SingletableError {
  override readonly name: string = 'DefinitionError'
  readonly #issues: readonly DefinitionIssue[]
  readonly #definition: unknown

  constructor(
    code: ErrorCode,
    parts: ErrorParts,
    options: {
      readonly cause?: unknown
      readonly issues?: readonly DefinitionIssue[]
      readonly definition?: unknown
      /** Of the one issue there is. */
      readonly rule?: string | undefined
    } = {},
  ) {
    // A cause that is undefined would be one.
    super(code, parts, 'cause' in options ? { cause: options.cause } : undefined)
    const { what, where, fix } = parts
    const { rule, issues = [{ code, severity: 'error', subject: {}, what, where, fix, rule }] } =
      options
    this.#issues = issues
    this.#definition = options.definition
  }

  get issues(): readonly DefinitionIssue[] {
    return this.#issues
  }

  /** What was to be defined, where it is a schema. */
  get definition(): unknown {
    return this.#definition
  }
}
