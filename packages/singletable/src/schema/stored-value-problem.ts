import { type AttributeValue, typeOf } from '../values/attribute-value.ts'
import type { Codec } from './model.ts'

/** What is wrong with a stored value; whoever knows the item makes a DecodeError of it. */
export class StoredValueProblem extends Error {
  /** Where in the value: names and positions. */
  readonly path: (string | number)[] = []
}

/** Throws that a value is stored as another type than its declaration says. */
export function refuseStored(value: AttributeValue, expected: string): never {
  throw new StoredValueProblem(`is stored as ${typeOf(value)}, not as ${expected}`)
}

/** Decodes a part of a value; what is wrong is thrown with its name or position. */
export function decodePart(
  decode: Codec['decode'],
  value: AttributeValue,
  place: string | number,
): unknown {
  try {
    return decode(value)
  } catch (error) {
    if (error instanceof StoredValueProblem) error.path.unshift(place)
    throw error
  }
}
