import { didYouMean } from '../errors/did-you-mean.ts'
import { getOwn } from '../values/own.ts'
import { checkOptions } from './check-options.ts'
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
export function copyLinks({ models }: Schema, place: Place = new Place()): readonly CopyLink[] {
  const links: CopyLink[] = []
  for (const model of models.values()) {
    for (const copy of model.attributes.values()) {
      if (copy.definition.copyOf === undefined || place.isFaulty(copy)) continue
      const at = place
        .at(`model "${model.name}"`, { model: model.name })
        .at(`attribute "${copy.name}"`, { attribute: copy.name })
        .at('copyOf')
      const link = at.attempt(() => linkOf(models, model, copy, at))
      if (link) links.push(link)
    }
  }
  return links
}

function linkOf(models: Schema['models'], model: Model, copy: Attribute, place: Place): CopyLink {
  const { copyOf, readonly, version, counts } = copy.definition
  const refuse = (what: string, fix: string): never => place.refuse(what, fix)
  const definition = typeof copyOf === 'string' ? { from: copyOf } : copyOf!
  checkOptions(definition, 'from by', place)
  const { from, by = {} } = definition
  const [, modelName = '', name = ''] = /^([^.]*)\.(.*)$/s.exec(String(from)) ?? []
  if (place.isFaulty(`model ${modelName}`)) place.leaveOut()
  const source =
    models.get(modelName) ??
    refuse(
      `"${from}" names no model${didYouMean(modelName, models.keys())}`,
      "write 'Model.attribute'",
    )
  const find = (of: Model, each: string): Attribute =>
    of.attributes.get(each) ??
    refuse(
      `"${each}" is no attribute of "${of.name}"${didYouMean(each, of.attributes.keys())}`,
      'name one of its attributes; by: { keyAttribute: attribute } links under other names',
    )
  const attribute = find(source, name)
  if (readonly || version || counts || model.primary.names.includes(copy.name)) {
    refuse("an update can't change it", 'copy into an attribute that is not a key or fixed')
  }
  checkOptions(by, source.primary.names, place.at('by'))
  const pairs = source.primary.names.map((each) => [each, getOwn(by, each) ?? each] as const)
  const types = [
    [attribute, copy],
    ...pairs.map(([each, link]) => [find(source, each), find(model, link)] as const),
  ] as const
  for (const [theirs, own] of types) {
    if (place.isFaulty(theirs) || place.isFaulty(own)) place.leaveOut()
    if (
      theirs.codec.tag === own.codec.tag &&
      theirs.definition.type === own.definition.type &&
      !theirs.codec.opaque
    )
      continue
    refuse(
      `"${own.name}" is of another type than "${theirs.name}"${theirs.codec.opaque ? ', which a codec stores' : ''}`,
      'give both the same type',
    )
  }
  return { source, attribute, model, copy, links: new Map(pairs) }
}
