import { InputError } from '../errors/input-error.ts'

/** A value that can't be part of a key: it would forge another key, share one with other values, or lose its order. */
export class KeyComponentError extends InputError {
  override readonly name: string = 'KeyComponentError'
}
