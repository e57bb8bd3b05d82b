import type { Attribute, Model } from '../schema/model.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'

/** The value of one attribute of the stored item under `key`, or an error that tells the item. */
export function decodeAttribute(
  model: Model,
  { stored, codec }: Attribute,
  value: AttributeValue,
  key: Item,
): unknown {
  try {
    return codec.decode(value)
  } catch (problem) {
    model.decode({ ...key, [stored]: value }, true)
    throw problem
  }
}
