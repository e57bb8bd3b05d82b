import type { Item } from '../../values/attribute-value.ts'

/**
 * An item for the caller, who may add and remove attributes. The values are those of the stored item: they are frozen, so nobody can
 * change them.
 */
export function copyItem(item: Item): Item {
  // Spreading takes over the object's shape at once, and a name `__proto__` as an own one.
  return { ...item }
}
