import type { ErrorCode } from './codes.ts'
import { type ErrorParts, SingletableError } from './singletable-error.ts'

/** A stored item that does not fit its model; `key` says which. */
export class DecodeError extends SingletableError {
  override readonly name: string = 'DecodeError'
  /** The item's primary key as attribute values. */
  readonly key: unknown

  constructor(code: ErrorCode, parts: ErrorParts, key: unknown) {
    super(code, parts)
    this.key = key
  }
}

/** The item under the key belongs to another model. */
export class EntityMismatchError extends DecodeError {
  override readonly name: string = 'EntityMismatchError'
}
