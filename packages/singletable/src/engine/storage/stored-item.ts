import type { Item } from '../../values/attribute-value.ts'
import { copyItem } from '../../values/copy.ts'
import type { ItemPacker } from './item-packer.ts'

/** Keeps items as strings, in numbered rows. */
export interface TextKeeper {
  /** Keeps the JSON of an item where it has its packed text, if that is still there. */
  keepJson(row: number, packed: string, json: string): void
}

/**
 * An item or index entry as it is stored; the size is kept because every read and write accounts
 * for it. It is a class so that a storage can distinguish it from other values, and keep it packed;
 * another one with the same content is as good, also a plain object with `item` and `sizeBytes`.
 */
export class StoredItem {
  /** As long as there is one, collections that find no other leave V8 the code it has compiled for
   * stored items. */
  static readonly kept: StoredItem = new StoredItem({}, 0)

  /** One of which only the text is there as yet, and where that is kept. */
  static packed(
    packer: ItemPacker,
    text: string,
    sizeBytes: number,
    keeper?: TextKeeper,
    row = 0,
  ): StoredItem {
    return new StoredItem(undefined, sizeBytes, packer, text, keeper, row)
  }

  /** One of which only the JSON is there as yet, as `JSON.stringify(item)` makes it. */
  static fromJson(json: string, sizeBytes: number): StoredItem {
    return new StoredItem(undefined, sizeBytes, undefined, json)
  }

  readonly sizeBytes: number
  #item: Item | undefined
  #packer: ItemPacker | undefined
  /** The item as the packer has packed it; without a packer its JSON, or nothing. */
  #text: string
  #keeper: TextKeeper | undefined
  #row: number

  constructor(
    item: Item | undefined,
    sizeBytes: number,
    packer?: ItemPacker,
    text = '',
    keeper?: TextKeeper,
    row = 0,
  ) {
    this.sizeBytes = sizeBytes
    this.#item = item
    this.#packer = packer
    this.#text = text
    this.#keeper = keeper
    this.#row = row
  }

  /** To be looked at only: it may be kept in other places too. */
  get item(): Item {
    this.#item ??= this.#unpack()
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
    return this.#text === '' ? copyItem(this.item) : this.#unpack()
  }

  /** The item as JSON, without unpacking it. What is answered once is often answered again, so the
   * JSON is kept in place of the packed text: then an answer is made by copying. */
  json(): string {
    if (this.#packer === undefined) {
      return this.#text === '' ? JSON.stringify(this.item) : this.#text
    }
    const packed = this.#text
    const json = this.#packer.json(packed)
    if (json !== packed && this.#keeper !== undefined) {
      this.#keeper.keepJson(this.#row, packed, json)
      this.#text = json
    }
    return json
  }

  /** Makes the JSON now, and keeps it for when it is asked for. */
  keepJson(): void {
    if (this.#packer === undefined && this.#text === '') this.#text = JSON.stringify(this.item)
  }

  /** Another one with this text, which does not keep the item that is unpacked from it. */
  again(): StoredItem {
    if (this.#text === '') return this
    return new StoredItem(undefined, this.sizeBytes, this.#packer, this.#text)
  }

  /** Whether the other one is known to have the same content, without unpacking any. */
  isSurelySame(other: object): boolean {
    return (
      other instanceof StoredItem &&
      this.#text !== '' &&
      this.#packer === other.#packer &&
      this.#text === other.#text
    )
  }

  #unpack(): Item {
    return this.#packer === undefined ? JSON.parse(this.#text) : this.#packer.unpack(this.#text)
  }

  toJSON(): { readonly item: Item; readonly sizeBytes: number } {
    return { item: this.item, sizeBytes: this.sizeBytes }
  }
}

/** The item for a caller, who may do with it what it likes. */
export function copyForCaller(stored: { readonly item: Item }): Item {
  return stored instanceof StoredItem ? stored.copy() : copyItem(stored.item)
}

/** For a response that becomes text: the item stays packed, and only `responseText` may look at
 * it. */
export function copyPackedForCaller(stored: {
  readonly item: Item
  readonly sizeBytes: number
}): Item {
  const packed =
    stored instanceof StoredItem ? stored : new StoredItem(stored.item, stored.sizeBytes)
  return packed as unknown as Item
}

/** The response as JSON, also with items that were copied packed: as a member, in a list, in lists
 * by the name of a table, or as the member `Item` of a list's elements. */
export function* responseText(response: object): Generator<void, string> {
  return yield* textOf(response, 2)
}

/** A step of the work ends when it has made this much text. */
const STEP_CHARACTERS = 65_536

/** In one piece of memory if it is long: a text in as many pieces as an item has values would be
 * put together with all others at the end. */
function flatJson(stored: StoredItem): string {
  const json = stored.json()
  if (json.length >= STEP_CHARACTERS) json.charCodeAt(0)
  return json
}

function* textOf(value: unknown, levels: number): Generator<void, string> {
  if (value instanceof StoredItem) return flatJson(value)
  if (Array.isArray(value)) {
    let text = ''
    let stepEnd = STEP_CHARACTERS
    for (const element of value) {
      text += text === '' ? '[' : ','
      // Responses of transactions and statements have the item as a member.
      const isAround = element?.Item instanceof StoredItem
      if (element instanceof StoredItem) text += flatJson(element)
      else text += isAround ? yield* textOf(element, 1) : JSON.stringify(element)
      if (text.length < stepEnd) continue
      stepEnd = text.length + STEP_CHARACTERS
      yield
    }
    return text === '' ? '[]' : `${text}]`
  }
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  let text = ''
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${yield* textOf(member, levels - 1)}`
  }
  return text === '' ? '{}' : `${text}}`
}
