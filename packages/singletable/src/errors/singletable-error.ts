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
}

// A registered symbol is the same in every copy of this module, so the mark is seen across double installs.
const MARK = Symbol.for('singletable.error')

/**
 * An error the caller can act on. `code` is stable between major versions; the text is not.
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

  constructor(code: ErrorCode, parts: ErrorParts, options?: { readonly cause?: unknown }) {
    super(layOut(code, parts), options)
    this.code = code
  }

  /** Whether this is an error of ours, also when it was made by another installed copy of the package. */
  static is(error: unknown): error is SingletableError {
    return typeof error === 'object' && error !== null && MARK in error
  }
}

function layOut(code: ErrorCode, parts: ErrorParts): string {
  const tried = parts.tried === undefined ? '' : `\n  tried:  ${parts.tried}`
  return `${code}: ${parts.what}\n  where:  ${parts.where}${tried}\n  fix:    ${parts.fix}\n  more:   docs/errors.md#${code.toLowerCase()}`
}
