import { checkOptions } from './check-options.ts'
import { isCounted } from './is-counted.ts'
import { linkKeys, requireAttribute, requireModel, requireSameType } from './link-keys.ts'
import type { Attribute, Model, Schema } from './model.ts'
import { Place } from './place.ts'

/** An attribute that repeats one of another item: what `copyOf` says, resolved. */
export interface CopyLink {
  readonly source: Model
  readonly attribute: Attribute
  /** The model that has the copy, and the copy. */
  readonly model: Model
  readonly copy: Attribute
  /** By key attribute of the source: the attribute of the copying model that has its value. */
  readonly links: ReadonlyMap<string, string>
}

/** All of a schema's, without those that can't be kept. */
export function copyLinks(schema: Schema, place: Place = new Place()): readonly CopyLink[] {
  const links: CopyLink[] = []
  for (const model of schema.models.values()) {
    for (const copy of model.attributes.values()) {
      if (copy.definition.copyOf === undefined || place.isFaulty(copy)) continue
      const at = place.part('model', model.name).part('attribute', copy.name).at('copyOf')
      const link = at.attempt(() => linkOf(schema, model, copy, at))
      if (link) links.push(link)
    }
  }
  return links
}

function linkOf(schema: Schema, model: Model, copy: Attribute, place: Place): CopyLink {
  const { copyOf, readonly, version } = copy.definition
  const definition = typeof copyOf === 'string' ? { from: copyOf } : copyOf!
  checkOptions(definition, 'from by', place)
  const { from, by } = definition
  const [, modelName = '', name = ''] =
    /^([^.]*)\.(.*)$/s.exec(String(from)) ??
    place.refuse(`"${from}" names no model and attribute`, "write 'Model.attribute'")
  const source = requireModel(schema, modelName, place)
  const attribute = requireAttribute(source, name, place)
  if (
    readonly ||
    version ||
    isCounted(copy.definition) ||
    model.primary.names.includes(copy.name)
  ) {
    place.refuse("an update can't change it", 'copy into an attribute that is not a key or fixed')
  }
  requireSameType(attribute, copy, place)
  return { source, attribute, model, copy, links: linkKeys(source, model, by, place) }
}
