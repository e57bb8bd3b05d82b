import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { setOwn } from '../../values/own.ts'

/** A deep copy that shares nothing with the item, so the receiver may change it. */
export function copyItem(item: Item): Item {
  // Spreading takes over the object's shape at once, and a name `__proto__` as an own one.
  const copy: { [name: string]: AttributeValue } = { ...item }
  for (const name of Object.keys(copy)) setOwn(copy, name, copyValue(item[name]!))
  return copy
}

/** A deep copy of one value. Values are at most 32 levels deep, so recursion is safe. */
export function copyValue(value: AttributeValue): AttributeValue {
  if (value.S !== undefined) return { S: value.S }
  if (value.N !== undefined) return { N: value.N }
  if (value.M !== undefined) return { M: copyItem(value.M) }
  if (value.L !== undefined) return { L: value.L.map(copyValue) }
  if (value.BOOL !== undefined) return { BOOL: value.BOOL }
  if (value.B !== undefined) return { B: value.B }
  if (value.NULL !== undefined) return { NULL: value.NULL }
  if (value.SS !== undefined) return { SS: value.SS.slice() }
  if (value.NS !== undefined) return { NS: value.NS.slice() }
  return { BS: value.BS.slice() }
}
