import type { Item } from '../../values/attribute-value.ts'
import { copyItem } from '../../values/copy.ts'
import type { ItemPacker } from './item-packer.ts'

/**
 * An item or index entry as it is stored; the size is kept because every read and write accounts for it. It is a class so that a storage can
 * tell it from other values, and keep it packed; another one with the same content is as good, also a plain object with `item` and `sizeBytes`.
 */
export class StoredItem {
  /** As long as there is one, collections that find no other leave V8 the code it has compiled for stored items. */
  static readonly kept: StoredItem = new StoredItem({}, 0)

  /** One of which only the text is there as yet. */
  static packed(packer: ItemPacker, text: string, sizeBytes: number): StoredItem {
    return new StoredItem(undefined, sizeBytes, packer, text)
  }

  readonly sizeBytes: number
  #item: Item | undefined
  #packer: ItemPacker | undefined
  #text: string

  constructor(item: Item | undefined, sizeBytes: number, packer?: ItemPacker, text = '') {
    this.sizeBytes = sizeBytes
    this.#item = item
    this.#packer = packer
    this.#text = text
  }

  /** To be looked at only: it may be kept in other places too. */
  get item(): Item {
    this.#item ??= this.#packer!.unpack(this.#text)
    return this.#item
  }

  /** The item as a text of this packer. */
  packedBy(packer: ItemPacker): string {
    if (this.#packer !== packer) {
      this.#text = packer.pack(this.item)
      this.#packer = packer
    }
    return this.#text
  }

  /** A new item with the same content. */
  copy(): Item {
    return this.#packer === undefined ? copyItem(this.item) : this.#packer.unpack(this.#text)
  }

  /** Whether the other one is known to have the same content, without unpacking any. */
  isSurelySame(other: object): boolean {
    return (
      other instanceof StoredItem &&
      this.#packer !== undefined &&
      this.#packer === other.#packer &&
      this.#text === other.#text
    )
  }

  toJSON(): { readonly item: Item; readonly sizeBytes: number } {
    return { item: this.item, sizeBytes: this.sizeBytes }
  }
}

/** The item for a caller, who may do with it what it likes. */
export function handOut(stored: { readonly item: Item }): Item {
  return stored instanceof StoredItem ? stored.copy() : copyItem(stored.item)
}
