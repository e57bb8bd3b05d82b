import type { AttributeValue, Item } from './attribute-value.ts'
import { base64Length } from './base64.ts'
import { decimalSizeBytes } from './decimal.ts'
import { utf8Length } from './utf8.ts'

/** What a list or a map costs in addition to its elements. */
const DOCUMENT_OVERHEAD_BYTES = 3
const ELEMENT_OVERHEAD_BYTES = 1

/** The size of an item as DynamoDB counts it, for the limit of 400 KB and for capacity: names and
 * values together. */
export function itemSizeBytes(item: Item): number {
  return itemSizeUpTo(item, Number.POSITIVE_INFINITY)
}

/**
 * The same, but of an item that is larger than `enoughBytes` only some size above that: an update
 * can make an item of gigabytes from parts that it repeats.
 */
export function itemSizeUpTo(item: Item, enoughBytes: number): number {
  let size = 0
  for (const name in item) {
    size += utf8Length(name) + valueSizeUpTo(item[name]!, enoughBytes)
    if (size > enoughBytes) break
  }
  return size
}

/** The size of one attribute value, without its name. */
export function valueSizeBytes(value: AttributeValue): number {
  return valueSizeUpTo(value, Number.POSITIVE_INFINITY)
}

/** Values are at most 32 levels deep, so recursion is safe. */
function valueSizeUpTo(value: AttributeValue, enoughBytes: number): number {
  if (value.S !== undefined) return utf8Length(value.S)
  if (value.N !== undefined) return decimalSizeBytes(value.N)
  if (value.M !== undefined) return mapSizeBytes(value.M, enoughBytes)
  if (value.L !== undefined) return listSizeBytes(value.L, enoughBytes)
  if (value.B !== undefined) return base64Length(value.B)
  if (value.SS !== undefined) return elementsSizeBytes(value.SS, utf8Length)
  if (value.NS !== undefined) return elementsSizeBytes(value.NS, decimalSizeBytes)
  if (value.BS !== undefined) return elementsSizeBytes(value.BS, base64Length)
  return 1
}

function mapSizeBytes(map: Item, enoughBytes: number): number {
  const names = Object.keys(map)
  let size = DOCUMENT_OVERHEAD_BYTES + ELEMENT_OVERHEAD_BYTES * names.length
  for (const name of names) {
    size += utf8Length(name) + valueSizeUpTo(map[name]!, enoughBytes)
    if (size > enoughBytes) break
  }
  return size
}

function listSizeBytes(list: readonly AttributeValue[], enoughBytes: number): number {
  let size = DOCUMENT_OVERHEAD_BYTES + ELEMENT_OVERHEAD_BYTES * list.length
  for (const element of list) {
    size += valueSizeUpTo(element, enoughBytes)
    if (size > enoughBytes) break
  }
  return size
}

function elementsSizeBytes(
  elements: readonly string[],
  sizeBytes: (element: string) => number,
): number {
  let size = 0
  for (const element of elements) size += sizeBytes(element)
  return size
}
