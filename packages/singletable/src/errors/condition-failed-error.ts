import type { ErrorCode } from './codes.ts'
import { type ErrorParts, SingletableError } from './singletable-error.ts'

export interface ConditionFailure {
  /** The item as it is now, decoded; absent if there is none. */
  readonly item?: unknown
  readonly cause?: unknown
}

/** A write whose condition did not hold. Nothing was changed. */
export class ConditionFailedError extends SingletableError {
  override readonly name: string = 'ConditionFailedError'
  /** The item stored under the key, decoded, or `undefined` if there is none. */
  readonly item: unknown

  constructor(code: ErrorCode, parts: ErrorParts, failure: ConditionFailure = {}) {
    super(code, parts, failure.cause === undefined ? undefined : { cause: failure.cause })
    this.item = failure.item
  }
}

/** `create()` or `ifNotExists()` found an item under the key. */
export class ItemExistsError extends ConditionFailedError {
  override readonly name: string = 'ItemExistsError'
}

/** `update()` found no item under the key. */
export class ItemNotFoundError extends ConditionFailedError {
  override readonly name: string = 'ItemNotFoundError'
}

/** The item has another version than the one the write was made for; `item` is the current one. */
export class VersionConflictError extends ConditionFailedError {
  override readonly name: string = 'VersionConflictError'
}

/** Another item has the values that are unique. */
export class UniqueViolationError extends ConditionFailedError {
  override readonly name: string = 'UniqueViolationError'
  /** The name of the constraint: that of the attribute, unless several are unique together. */
  readonly constraint: string
  /** The attributes whose values are taken. */
  readonly attributes: readonly string[]

  constructor(
    code: ErrorCode,
    parts: ErrorParts,
    failure: ConditionFailure,
    unique: { readonly constraint: string; readonly attributes: readonly string[] },
  ) {
    super(code, parts, failure)
    this.constraint = unique.constraint
    this.attributes = unique.attributes
  }
}

/** The item that counts this one does not exist. */
export class ParentMissingError extends ConditionFailedError {
  override readonly name: string = 'ParentMissingError'
}
