import type { Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import { valueSizeBytes } from '../../values/size.ts'
import type { KeyAttribute } from '../catalog/table.ts'

/** No unit of UTF-16 takes more bytes in UTF-8. */
const BYTES_PER_UNIT_MAX = 3

/** Whether the attributes' values are too large together for a key. Numbers always fit. */
export function keyExceeds(
  attributes: readonly KeyAttribute[],
  item: Item,
  maxBytes: number,
): boolean {
  // Keys are short as a rule; then the number of units is enough to know, without looking at each
  // of them.
  let units = 0
  for (const { name } of attributes) {
    const value = getOwn(item, name)
    units += (value?.S ?? value?.B)?.length ?? 0
  }
  if (units * BYTES_PER_UNIT_MAX <= maxBytes) return false
  let bytes = 0
  for (const { name } of attributes) {
    const value = getOwn(item, name)
    if (value?.S !== undefined || value?.B !== undefined) bytes += valueSizeBytes(value)
  }
  return bytes > maxBytes
}
