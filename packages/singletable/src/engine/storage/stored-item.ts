import type { Item } from '../../values/attribute-value.ts'

/**
 * An item or index entry as it is stored, its values frozen; the size is kept because every read and write accounts for it. It is a class so that a
 * storage can tell it from other values, and keep item and size apart; another one with the same content is as good.
 */
export class StoredItem {
  /** As long as there is one, collections that find no other leave V8 the code it has compiled for stored items. */
  static readonly kept: StoredItem = new StoredItem({}, 0)

  readonly item: Item
  readonly sizeBytes: number

  constructor(item: Item, sizeBytes: number) {
    this.item = item
    this.sizeBytes = sizeBytes
  }
}
