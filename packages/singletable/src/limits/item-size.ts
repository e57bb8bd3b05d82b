import { boundEntityOf } from '../builder/bound-entity-of.ts'
import type { Item } from '../values/attribute-value.ts'
import { ITEM_SIZE_MAX_BYTES } from '../values/limits.ts'
import { valueSizeBytes } from '../values/size.ts'
import { unitsToRead, unitsToWrite } from '../values/units.ts'
import { utf8Length } from '../values/utf8.ts'

/** What one attribute has of an item's size, its name included. */
export interface AttributeSize {
  /** The name it is stored under; keys of indexes and the type are among them. */
  readonly name: string
  readonly bytes: number
  /** Of the item. */
  readonly percent: number
}

/** The size of an item as DynamoDB counts it, and what reading and writing it alone costs. */
export interface ItemSize {
  readonly bytes: number
  /** Of the 400 KB that an item can have. */
  readonly percentOfLimit: number
  readonly fits: boolean
  /** The greatest first. */
  readonly attributes: readonly AttributeSize[]
  readonly readUnits: {
    readonly eventual: number
    readonly consistent: number
    readonly transactional: number
  }
  /** Of the table; each index that the item is in costs as much again as its part there has. */
  readonly writeUnits: { readonly standard: number; readonly transactional: number }
}

/**
 * The size that an input would have as an item, with its keys, defaults and whatever else is
 * stored. Nothing is sent. The input is checked as for a put. Copies and guards of unique values
 * are items of their own, and not counted.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     Note: {
 *       key: { pk: 'NOTE#${id}' },
 *       attributes: { id: { type: String, required: true }, text: { type: String } },
 *     },
 *   },
 * })
 * const { Note } = new Table({ name: 'notes', schema, client: createEngine() }).entities
 * const size = itemSize(Note, { id: '1', text: 'x'.repeat(1001) })
 * size.bytes // => 1025
 * size.attributes[0] // => { name: 'text', bytes: 1005, percent: 98 }
 * size.writeUnits.standard // => 2
 */
export function itemSize<TInput extends object>(
  entity: { put(input: TInput): unknown },
  input: NoInfer<TInput>,
): ItemSize {
  const { model, environment, inScope } = boundEntityOf(entity, 'itemSize()')
  return storedSize(model.encodeNew(inScope(input), environment, 'itemSize()', true).item)
}

/** The size of an item as it is stored, in the shapes of the wire. */
export function storedSize(item: Item): ItemSize {
  const sizes = Object.entries(item).map(([name, value]) => ({
    name,
    bytes: utf8Length(name) + valueSizeBytes(value),
  }))
  const bytes = sizes.reduce((sum, each) => sum + each.bytes, 0)
  const reads = unitsToRead(bytes, 'strong')
  const writes = unitsToWrite(bytes)
  return {
    bytes,
    percentOfLimit: percentOf(bytes, ITEM_SIZE_MAX_BYTES),
    fits: bytes <= ITEM_SIZE_MAX_BYTES,
    attributes: sizes
      .sort((a, b) => b.bytes - a.bytes)
      .map((each) => ({ ...each, percent: percentOf(each.bytes, bytes) })),
    readUnits: { eventual: reads / 2, consistent: reads, transactional: 2 * reads },
    writeUnits: { standard: writes, transactional: 2 * writes },
  }
}

/** With one decimal. */
function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10
}
