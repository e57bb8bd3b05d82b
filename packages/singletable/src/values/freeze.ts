import type { AttributeValue, Item } from './attribute-value.ts'

/**
 * Freezes the values of an item, down to the last, so that they can be handed out without a copy. Freezing costs far less than copying, and
 * is done once per write instead of once per read. The item itself stays as it is: it is handed out as a shallow copy.
 */
export function freezeValues(item: Item): void {
  for (const name in item) freezeValue(item[name]!)
}

/** Values are at most 32 levels deep, so recursion is safe. What is frozen has been frozen to the last. */
function freezeValue(value: AttributeValue): void {
  if (Object.isFrozen(value)) return
  if (value.S === undefined && value.N === undefined) {
    if (value.M !== undefined) {
      freezeValues(value.M)
      Object.freeze(value.M)
    } else if (value.L !== undefined) {
      for (const element of value.L) freezeValue(element)
      Object.freeze(value.L)
    } else {
      Object.freeze(value.SS ?? value.NS ?? value.BS)
    }
  }
  Object.freeze(value)
}
