import { DecodeError, EntityMismatchError } from '../errors/decode-error.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'

/** What happens when a stored item does not fit its model. */
export type OnDecodeError = 'throw' | 'skip' | 'raw'

export const DECODE_ERROR_CHOICES: readonly unknown[] = ['throw', 'skip', 'raw']

/** A stored item that was left out of results, because it does not fit its model. */
export interface UndecodedItem {
  /** The primary key as attribute values. */
  readonly key: unknown
  /** Why it does not fit. */
  readonly error: DecodeError
  /** The item as it is stored, hidden attributes included; only with `onDecodeError: 'raw'`. */
  readonly item?: Readonly<Record<string, AttributeValue>>
}

/** What a call does with such items. */
export interface DecodeChoice {
  readonly onDecodeError: OnDecodeError
  /** Those that were left out; `undefined` where one is an error. */
  readonly undecoded: UndecodedItem[] | undefined
}

const leftOut = new WeakMap<object, readonly UndecodedItem[]>()

/**
 * The items that a read with `onDecodeError: 'skip'` or `'raw'` left out of these results: an
 * array, a page, the groups of a collection, or what `iterate()` gave.
 */
export function undecodedOf(results: object): readonly UndecodedItem[] {
  return leftOut.get(results) ?? []
}

export function keepUndecoded<T extends object>(
  results: T,
  undecoded: DecodeChoice['undecoded'],
): T {
  if (undecoded) leftOut.set(results, undecoded)
  return results
}

/**
 * Decodes an item; one that does not fit its model is `undefined` if the call leaves such items
 * out.
 */
export function decodeOrSkip<T>(
  { undecoded, onDecodeError }: DecodeChoice,
  item: Item,
  decode: (item: Item) => T,
): T | undefined {
  if (!undecoded) return decode(item)
  try {
    return decode(item)
  } catch (error) {
    if (!(error instanceof DecodeError) || error instanceof EntityMismatchError) throw error
    undecoded.push({ key: error.key, error, ...(onDecodeError === 'raw' && { item }) })
    return undefined
  }
}
