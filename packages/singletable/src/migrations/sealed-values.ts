import { recode } from '../schema/attribute-codec.ts'
import type { Attribute, Model } from '../schema/model.ts'
import { StoredValueProblem } from '../schema/stored-value-problem.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { RewriteProblem } from './rewrite-problem.ts'

/**
 * The values of an item that a codec of the application encrypted or compressed. They are bound to
 * the model, the attribute and the key, so that they are stored again where one of these changes.
 */
export class SealedValues {
  readonly #item: Item
  readonly #models: readonly Model[]

  /** The models that can have written the item. */
  constructor(item: Item, models: readonly (Model | undefined)[]) {
    this.#item = item
    this.#models = models.filter((model) => model !== undefined)
  }

  /**
   * A value of the draft as it was before the codec stored it. Only what no step has set is sealed.
   */
  open(stored: string, value: AttributeValue): AttributeValue {
    const owner = value === getOwn(this.#item, stored) ? this.#ownerOf(stored, value) : undefined
    if (owner === undefined) return value
    try {
      return recode('decode', owner.attribute, value, owner.model, this.#item)
    } catch (error) {
      if (!(error instanceof StoredValueProblem)) throw error
      throw new RewriteProblem(`"${owner.attribute.name}" ${error.message}`)
    }
  }

  /** Stores what the model's codecs have to store. What is the same stays as it is. */
  seal(model: Model, result: { [name: string]: AttributeValue }): void {
    const { primary } = model.schema
    const isBoundElsewhere =
      this.#models[0]?.name !== model.name ||
      [...primary.hash, ...primary.sort].some(
        (name) => !sameValue(result[name], getOwn(this.#item, name)),
      )
    for (const attribute of model.attributes.values()) {
      const { stored } = attribute
      const value = attribute.codec.opaque && getOwn(result, stored)
      if (!value) continue
      const known = getOwn(this.#item, stored)
      if (!isBoundElsewhere && known && this.#ownerOf(stored, known)) {
        const isSame = value === known || sameValue(this.open(stored, known), value)
        if (isSame) result[stored] = known
        if (isSame) continue
      }
      const plain = this.open(stored, value)
      try {
        result[stored] = recode('encode', attribute, plain, model, result)
      } catch (error) {
        throw new RewriteProblem(
          `"${attribute.name}" can't be encoded: ${error instanceof Error ? error.message : error}`,
        )
      }
    }
  }

  /** The attribute whose codec stored a value; undefined for one that no codec stored. */
  #ownerOf(
    stored: string,
    value: AttributeValue,
  ): { readonly model: Model; readonly attribute: Attribute } | undefined {
    const [tag] = Object.keys(value)
    let owner: { model: Model; attribute: Attribute } | undefined
    for (const model of this.#models) {
      for (const attribute of model.attributes.values()) {
        if (attribute.stored !== stored) continue
        if (attribute.codec.opaque) owner ??= { model, attribute }
        // One version of the schema has it without a codec, and this is a value of that version.
        else if (attribute.codec.tag === tag) return undefined
      }
    }
    return owner
  }
}
