import type { InputIssue } from '../errors/input-error.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { PARTITION_KEY_MAX_BYTES, SORT_KEY_MAX_BYTES } from '../values/limits.ts'
import { valueSizeBytes } from '../values/size.ts'
import type { Schema } from './model.ts'

/** No UTF-16 unit takes more bytes in UTF-8. */
const UNIT_MAX_BYTES = 3

/** The bytes a key attribute can have, by its place in the keys of all indexes. */
export function keyBytesMax({ indexes }: Schema, name: string): number {
  const isSort = [...indexes.values()].some(({ sort }) => sort.includes(name))
  return isSort ? SORT_KEY_MAX_BYTES : PARTITION_KEY_MAX_BYTES
}

/** Adds an issue if DynamoDB would refuse the value as a key for its size. */
export function checkKeySize(
  value: AttributeValue,
  name: string,
  bytesMax: number,
  issues: InputIssue[],
): void {
  const text = value.S ?? value.B
  if (text === undefined) return
  if (text === '') {
    issues.push({ path: [name], message: "is empty, which a key can't be" })
  } else if (text.length * UNIT_MAX_BYTES > bytesMax) {
    const size = valueSizeBytes(value)
    if (size <= bytesMax) return
    issues.push({ path: [name], message: `has ${size} bytes, and a key at most ${bytesMax}` })
  }
}
