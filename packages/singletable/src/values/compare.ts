import type { AttributeValue, Item } from './attribute-value.ts'
import { compareBase64 } from './base64.ts'
import { compareDecimal } from './decimal.ts'
import { compareUtf8 } from './utf8.ts'

/** From this many elements on, sets are compared through a `Set`. */
const LARGE_SET = 16

/**
 * Orders two S, two N or two B values: negative, zero or positive. `undefined` for any other pair:
 * values of different types and of the other types have no order.
 */
export function compareValues(a: AttributeValue, b: AttributeValue): number | undefined {
  if (a.S !== undefined) return b.S === undefined ? undefined : compareUtf8(a.S, b.S)
  if (a.N !== undefined) return b.N === undefined ? undefined : compareDecimal(a.N, b.N)
  if (a.B !== undefined) return b.B === undefined ? undefined : compareBase64(a.B, b.B)
  return undefined
}

/**
 * True if both are the same value of the same type: sets in any order, lists in order, maps by
 * name. Numbers are in canonical form, so their strings are compared. Values are at most 32 levels
 * deep, so recursion is safe.
 */
export function equalValues(a: AttributeValue, b: AttributeValue): boolean {
  if (a === b) return true
  if (a.S !== undefined) return a.S === b.S
  if (a.N !== undefined) return a.N === b.N
  if (a.BOOL !== undefined) return a.BOOL === b.BOOL
  if (a.M !== undefined) return b.M !== undefined && equalItems(a.M, b.M)
  if (a.L !== undefined) return b.L !== undefined && equalLists(a.L, b.L)
  if (a.B !== undefined) return a.B === b.B
  if (a.NULL !== undefined) return a.NULL === b.NULL
  if (a.SS !== undefined) return b.SS !== undefined && equalSets(a.SS, b.SS)
  if (a.NS !== undefined) return b.NS !== undefined && equalSets(a.NS, b.NS)
  return b.BS !== undefined && equalSets(a.BS, b.BS)
}

/** True if both hold equal values under the same names, in any order. */
export function equalItems(a: Item, b: Item): boolean {
  if (a === b) return true
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false
    if (!equalValues(a[name]!, b[name]!)) return false
  }
  return true
}

function equalLists(a: readonly AttributeValue[], b: readonly AttributeValue[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) {
    if (!equalValues(a[index]!, b[index]!)) return false
  }
  return true
}

function equalSets(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  // Most sets that are equal are so in the same order too.
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  if (same === a.length) return true
  if (a.length < LARGE_SET) {
    for (const element of a) if (!b.includes(element)) return false
    return true
  }
  const elements = new Set(b)
  for (const element of a) if (!elements.has(element)) return false
  return true
}
