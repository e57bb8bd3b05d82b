import type { Attribute, Model } from './model.ts'

/** Whether every item has a value that a key can be made of. */
export function isInEachKey(model: Model, name: string): boolean {
  const attribute = model.attributes.get(name)!
  return !attribute.definition.nulls && isLasting(model, attribute)
}

/** Whether every item of the model has the attribute. */
export function isLasting(model: Model, attribute: Attribute): boolean {
  return (
    attribute.definition.required === true ||
    model.primary.names.includes(attribute.name) ||
    [model.createdAt, model.updatedAt, model.version].includes(attribute)
  )
}
