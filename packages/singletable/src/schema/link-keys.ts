import { didYouMean } from '../errors/did-you-mean.ts'
import { getOwn } from '../values/own.ts'
import { checkOptions } from './check-options.ts'
import type { Attribute, Model, Schema } from './model.ts'
import type { Place } from './place.ts'

/**
 * By key attribute of one model: the attribute of another that has its value, which has the same
 * name unless `by` says otherwise.
 */
export function linkKeys(
  keyed: Model,
  linking: Model,
  by: { readonly [name: string]: string } | undefined,
  place: Place,
): ReadonlyMap<string, string> {
  const { names } = keyed.primary
  checkOptions(by ?? {}, names, place.at('by'))
  const links = names.map((name) => {
    const link = requireAttribute(linking, getOwn(by ?? {}, name) ?? name, place.at(`by "${name}"`))
    requireSameType(keyed.attributes.get(name)!, link, place)
    return [name, link.name] as const
  })
  return new Map(links)
}

export function requireSameType(theirs: Attribute, own: Attribute, place: Place): void {
  const isSame =
    theirs.codec.tag === own.codec.tag && theirs.definition.type === own.definition.type
  if (isSame) return
  place.refuse(`"${own.name}" is of another type than "${theirs.name}"`, 'give both the same type')
}

export function requireModel(
  { models }: Pick<Schema, 'models'>,
  name: string,
  place: Place,
): Model {
  if (place.isFaulty(`model ${name}`)) place.leaveOut()
  return (
    models.get(name) ??
    place.refuse(
      `there is no model "${name}"${didYouMean(String(name), models.keys())}`,
      'name a model',
    )
  )
}

/** An attribute whose values can be compared. */
export function requireAttribute(model: Model, name: string, place: Place): Attribute {
  const attribute = model.attributes.get(name)
  if (place.isFaulty(attribute)) place.leaveOut()
  if (attribute && !attribute.codec.opaque && !attribute.codec.unstored) return attribute
  return place.refuse(
    attribute
      ? `"${name}" is ${attribute.codec.opaque ? 'stored by a codec' : 'not stored'}`
      : `"${name}" is not an attribute of "${model.name}"${didYouMean(String(name), model.attributes.keys())}`,
    'name one of its attributes',
  )
}
