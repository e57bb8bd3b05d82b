import { type ErrorParts, SingletableError } from './singletable-error.ts'

/** A cursor that was changed, is broken, or belongs to another query. */
export class CursorError extends SingletableError {
  override readonly name: string = 'CursorError'

  constructor(parts: ErrorParts, options?: { readonly cause?: unknown }) {
    super('CURSOR_INVALID', parts, options)
  }
}
