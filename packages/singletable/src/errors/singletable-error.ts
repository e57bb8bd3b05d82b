import type { ErrorCode } from './codes.ts'

/** The parts of a message: each is one sentence or phrase, with the caller's own names in it. */
export interface ErrorParts {
  /** What went wrong. */
  readonly what: string
  /** The call, option or definition it went wrong in. */
  readonly where: string
  /** What was tried before giving up, where that helps. */
  readonly tried?: string | undefined
  /** What the caller can do about it. */
  readonly fix: string
  /** Further lines of the message, below what went wrong. */
  readonly details?: string | undefined
}

// A registered symbol is the same in every copy of this module, so the mark is seen across double
// installs.
const MARK = Symbol.for('singletable.error')

/**
 * An error the caller can act on. `code` is stable between major versions; the text is not, so
 * tools read its parts: `what`, `where`, `tried`, `fix`.
 *
 * @example
 * try {
 *   await engine.send('ListTables', {})
 * } catch (error) {
 *   if (SingletableError.is(error) && error.code === 'ENGINE_CLOSED') return
 *   throw error
 * }
 */
export class SingletableError extends Error {
  static {
    Object.defineProperty(SingletableError.prototype, MARK, { value: true })
  }

  override readonly name: string = 'SingletableError'
  readonly code: ErrorCode
  // Private, so that a logged error does not repeat its message.
  readonly #parts: ErrorParts

  constructor(code: ErrorCode, parts: ErrorParts, options?: { readonly cause?: unknown }) {
    super(layOut(code, parts), options)
    this.code = code
    this.#parts = parts
  }

  /** What went wrong. */
  get what(): string {
    return this.#parts.what
  }

  /** The call, option or definition it went wrong in. */
  get where(): string {
    return this.#parts.where
  }

  /** What was tried before giving up. */
  get tried(): string | undefined {
    return this.#parts.tried
  }

  /** What the caller can do about it. */
  get fix(): string {
    return this.#parts.fix
  }

  /** Whether this is an error of ours, also when it was made by another installed copy of the
   * package. */
  static is(error: unknown): error is SingletableError {
    return typeof error === 'object' && error !== null && MARK in error
  }
}

function layOut(code: ErrorCode, { what, details, where, tried, fix }: ErrorParts): string {
  return [
    `${code}: ${what}`,
    ...(details === undefined ? [] : [details]),
    `  where:  ${where}`,
    ...(tried === undefined ? [] : [`  tried:  ${tried}`]),
    `  fix:    ${fix}`,
    `  more:   node_modules/singletable/docs/errors.md#${code.toLowerCase()}`,
  ].join('\n')
}
