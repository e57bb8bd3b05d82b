import { InputError } from '../errors/input-error.ts'

/** A value that can't be part of a key: it would forge another key, share one with other values, or
 * lose its order. */
export class KeyComponentError extends InputError {
  override readonly name: string = 'KeyComponentError'
}

/** The error with the call in which the value was given. */
export function inCall(error: unknown, place: string): unknown {
  if (!(error instanceof KeyComponentError)) return error
  const { code, what, fix, issues } = error
  return new KeyComponentError(code, { what, where: `${place}; ${error.where}`, fix }, issues)
}
