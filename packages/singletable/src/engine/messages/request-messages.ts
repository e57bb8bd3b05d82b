import { ServiceError } from '../../wire/service-error.ts'

/** Messages for members outside their bounds, and for whole requests. */

/** How most of AWS's messages about a request begin. */
export const INVALID = 'One or more parameter values were invalid: '

export function validationError(message: string): ServiceError {
  return new ServiceError('ValidationException', message)
}

/** AWS reports what it finds in one go: `2 validation errors detected: …; …`. */
export function constraintErrors(failures: readonly string[]): string {
  const noun = failures.length === 1 ? 'error' : 'errors'
  return `${failures.length} validation ${noun} detected: ${failures.join('; ')}`
}

export function constraintFailure(options: {
  readonly value: string | null
  readonly path: string
  readonly rule: string
}): string {
  const value = options.value === null ? 'null' : `'${options.value}'`
  return `Value ${value} at '${options.path}' failed to satisfy constraint: ${options.rule}`
}

/** The only failure of a request. */
export function constraintError(failure: Parameters<typeof constraintFailure>[0]): ServiceError {
  return validationError(constraintErrors([constraintFailure(failure)]))
}

export const MUST_NOT_BE_NULL = 'Member must not be null'

export function mustHaveLengthAtLeast(length: number): string {
  return `Member must have length greater than or equal to ${length}`
}
export function mustHaveLengthAtMost(length: number): string {
  return `Member must have length less than or equal to ${length}`
}
export function mustHaveValueAtLeast(value: number): string {
  return `Member must have value greater than or equal to ${value}`
}
export function mustHaveValueAtMost(value: number): string {
  return `Member must have value less than or equal to ${value}`
}
export function mustMatch(pattern: string): string {
  return `Member must satisfy regular expression pattern: ${pattern}`
}
export function mustBeOneOf(values: readonly string[]): string {
  return `Member must satisfy enum value set: [${values.join(', ')}]`
}

/** AWS sends this one without a text. */
export function unknownOperation(): ServiceError {
  return new ServiceError('UnknownOperationException', '')
}

/** The operation exists on AWS but not here: a text of ours says so, instead of leaving the caller
 * to guess. */
export function unsupportedOperation(operation: string): ServiceError {
  return new ServiceError(
    'UnknownOperationException',
    `The operation ${operation} is not supported by this engine.`,
  )
}
