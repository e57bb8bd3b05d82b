import { type AttributeValue, typeOf } from '../values/attribute-value.ts'

/** What is wrong with a stored value; whoever knows the item makes a DecodeError of it. */
export class StoredValueProblem extends Error {
  /** Where in the value: names and positions. */
  readonly path: (string | number)[] = []
}

/** Throws that a value is stored as another type than its declaration says. */
export function refuseStored(value: AttributeValue, expected: string): never {
  throw new StoredValueProblem(`is stored as ${typeOf(value)}, not as ${expected}`)
}

/** The error, with the place it comes from put before its path. */
export function problemAt(error: unknown, place: string | number): unknown {
  if (error instanceof StoredValueProblem) error.path.unshift(place)
  return error
}
