import { valueIn } from '../../schema/computed.ts'
import type { Model } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import { getOwn, setOwn } from '../../values/own.ts'

export type Values = { readonly [name: string]: unknown }

/**
 * The values of some attributes of a stored item, for templates and conditions. Names of other
 * things are left out.
 */
export function valuesOf(model: Model, item: Item, names: readonly string[]): Values {
  const values: { [name: string]: unknown } = {}
  for (const name of names) {
    const attribute = model.attributes.get(name)
    if (attribute === undefined) continue
    try {
      // Of an item of which only the key is known, the key gives it.
      const value = valueIn(model, attribute, item) ?? getOwn(item, attribute.stored)
      if (value !== undefined) setOwn(values, name, attribute.codec.decode(value))
    } catch (problem) {
      // The error of the model names the item.
      model.decode(item, true)
      throw problem
    }
  }
  return values
}
