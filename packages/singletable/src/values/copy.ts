import type { AttributeValue, Item } from './attribute-value.ts'

/** The same item in objects of its own, down to the last: whoever gets it may do with it what it
 * likes. */
export function copyItem(item: Item): Item {
  // Spreading takes over the object's shape at once, and a name `__proto__` as an own one, to which
  // can then be assigned.
  const copy: Record<string, AttributeValue> = { ...item }
  for (const name in copy) copy[name] = copyValue(copy[name]!)
  return copy
}

/** Values are at most 32 levels deep, so recursion is safe. */
function copyValue(value: AttributeValue): AttributeValue {
  if (value.S !== undefined) return { S: value.S }
  if (value.N !== undefined) return { N: value.N }
  if (value.M !== undefined) return { M: copyItem(value.M) }
  if (value.L !== undefined) return { L: value.L.map(copyValue) }
  if (value.SS !== undefined) return { SS: value.SS.slice() }
  if (value.NS !== undefined) return { NS: value.NS.slice() }
  if (value.BS !== undefined) return { BS: value.BS.slice() }
  return { ...value }
}
