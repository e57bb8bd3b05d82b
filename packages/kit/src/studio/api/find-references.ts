import type { Model } from 'singletable/tools'
import type { ReferenceView } from './contract.ts'

/** An attribute, and the item that its value names. */
export interface AttributeReference {
  readonly attribute: string
  readonly reference: ReferenceView
}

/**
 * What the attributes of a model refer to: an item whose whole primary key they have under the same
 * names, or one that counts items like this. The shortest key comes first, so that `username` is
 * the user, and only `postId` is the post of that user.
 */
export function referencesOf(
  model: Model,
  models: readonly Model[],
): readonly AttributeReference[] {
  const counted = (model.derivedItems?.counters ?? []).map(({ parent, links }) => ({
    entity: parent.name,
    by: Object.fromEntries(links),
  }))
  const named = models
    .filter(
      ({ name, source, primary }) =>
        source === undefined &&
        name !== (model.source ?? model).name &&
        primary.names.length > 0 &&
        primary.names.every((each) => model.attributes.has(each)),
    )
    .sort((one, other) => one.primary.names.length - other.primary.names.length)
    .map(({ name, primary }) => ({
      entity: name,
      by: Object.fromEntries(primary.names.map((each) => [each, each])),
    }))
  const found = new Map<string, ReferenceView>()
  for (const reference of [...counted, ...named, ...copyOf(model)]) {
    const attributes = Object.values(reference.by)
    const free = attributes.filter((each) => !found.has(each))
    // The last attribute of a key is the one that differs between its items.
    const carrier = free.at(-1)
    if (carrier !== undefined) found.set(carrier, reference)
  }
  return [...found].map(([attribute, reference]) => ({ attribute, reference }))
}

/** A copy refers to the item that it repeats, where it has its key. */
function copyOf({ source, attributes }: Model): readonly ReferenceView[] {
  const names = source?.primary.names ?? []
  if (source === undefined || !names.every((each) => attributes.has(each))) return []
  return [{ entity: source.name, by: Object.fromEntries(names.map((each) => [each, each])) }]
}
