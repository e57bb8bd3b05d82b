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

/** What was thrown for a part of a value, with the part's name or position. */
export function within(place: string | number, error: unknown): unknown {
  if (error instanceof StoredValueProblem) error.path.unshift(place)
  return error
}
