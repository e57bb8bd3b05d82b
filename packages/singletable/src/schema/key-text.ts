import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES } from '../values/limits.ts'
import { valueSizeBytes } from '../values/size.ts'
import { addIssue } from './input-issues.ts'
import type { Schema } from './model.ts'

/** No UTF-16 unit takes more bytes in UTF-8. */
const UNIT_MAX_BYTES = 3

/** The bytes a key attribute can have, by its place in the keys of all indexes. */
export function keyBytesMax({ indexes }: Schema, name: string): number {
  const isSort = [...indexes.values()].some(({ sort }) => sort.includes(name))
  return isSort ? SORT_KEY_MAX_BYTES : PARTITION_KEY_MAX_BYTES
}

/** Adds an issue if DynamoDB would refuse the value as that key attribute for its size. */
export function checkKey(
  schema: Schema,
  key: string,
  value: AttributeValue,
  issues: InputIssue[],
  name: string = key,
): void {
  const text = value.S ?? value.B
  // Most keys are short, whatever they are for.
  if (text === '' || (text && text.length * UNIT_MAX_BYTES > SORT_KEY_MAX_BYTES)) {
    checkKeySize(value, name, keyBytesMax(schema, key), issues)
  }
}

/** Adds an issue if DynamoDB would refuse the value as a key of at most this many bytes. */
export function checkKeySize(
  value: AttributeValue,
  name: string,
  bytesMax: number,
  issues: InputIssue[],
): void {
  const size = value.N === undefined ? valueSizeBytes(value) : 1
  if (size === 0) addIssue(issues, "is empty, which a key can't be", name)
  else if (size > bytesMax) {
    addIssue(issues, `has ${size} bytes, and a key at most ${bytesMax}`, name)
  }
}
