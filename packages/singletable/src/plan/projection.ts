import type { Path } from '../expression/tree.ts'
import { storedNames } from '../schema/computed.ts'
import { recoverableNames } from '../schema/index-keys.ts'
import type { Attribute, Index, Model } from '../schema/model.ts'
import { referencesOf, toReference } from './references.ts'
import type { QueryState, ReadState } from './state.ts'

/** Whether an index has an attribute. */
export function isProjected({ project, keyNames }: Index, name: string): boolean {
  return (
    project === 'all' || (project !== 'keys' && project.includes(name)) || keyNames.includes(name)
  )
}

/** The attributes that an index does not project, and whose values its keys contain in full. */
export function attributesInKeys(model: Model, index: Index): readonly Attribute[] {
  const use = model.indexes.find((each) => each.index === index)
  const uses = use ? [model.primary, use] : []
  const names = uses.flatMap(({ hash, sort }) => [...hash, ...sort].flatMap(recoverableNames))
  return [...model.attributes.values()].filter(
    ({ name, stored, codec: { opaque, transformed, unstored }, definition: { ttl } }) =>
      // Whether an item has expired is decided by what is read.
      names.includes(name) &&
      !isProjected(index, stored) &&
      !(opaque || transformed || unstored || ttl),
  )
}

/** Asks whether an index has all that an attribute of the model is read from. */
export function isHeldBy(index: Index, model: Model): (attribute: Attribute) => boolean {
  const inKeys = attributesInKeys(model, index).map(({ stored }) => stored)
  return (attribute) =>
    storedNames(model.attributes, attribute).every(
      (name) => isProjected(index, name) || inKeys.includes(name),
    )
}

/**
 * A call that names an index which holds only parts of items asks for these, unless it says
 * otherwise. Where the index is chosen for it, parts are never given unasked.
 */
export function selectHeld(state: QueryState): QueryState {
  const { model, select, hydrate, members } = state
  const use = model.indexes.find(({ index }) => index.name === state.index)
  if (!use || use.index.project === 'all' || select || hydrate || members) return state
  const all = [...model.attributes.values()].filter(({ definition }) => !definition.hidden)
  const held = all.filter(isHeldBy(use.index, model))
  if (held.length === all.length) return state
  // References have the names of all attributes.
  const references = referencesOf(model) as { readonly [name: string]: unknown }
  return { ...state, select: held.map(({ name }) => toReference(references[name])!) }
}

/**
 * The paths that selected attributes are read from: of one that is not stored, all that it is
 * computed from.
 */
export function readPaths(
  { attributes }: Model,
  select: NonNullable<ReadState['select']>,
): readonly Path[] {
  const whole = select.flatMap(({ name, codec }): readonly string[] =>
    codec.unstored ? storedNames(attributes, attributes.get(name)!) : [],
  )
  const stored = select.filter(
    ({ codec, path: [name] }) => !codec.unstored && !whole.includes(name),
  )
  return [
    ...stored.map(({ path, reads = path }) => reads),
    ...[...new Set(whole)].map((name): Path => [name]),
  ]
}

/**
 * What a call that selects attributes reads of an index: besides them keys, the type, and the time
 * to live where it is looked at, as far as the index has them. Those that nobody asked for are
 * named, so that they are not given.
 */
export function projectedPaths(
  { model, includeExpired }: ReadState,
  select: NonNullable<ReadState['select']>,
  index: Index,
): { readonly paths: readonly Path[]; readonly unasked: readonly string[] } {
  const internal = [...index.keyNames]
  for (const name of [
    model.schema.params.typeField,
    ...(model.ttl && !includeExpired ? [model.ttl.stored] : []),
  ]) {
    if (isProjected(index, name)) internal.push(name)
  }
  const asked = readPaths(model, select)
  const inKeys = attributesInKeys(model, index).map(({ stored }) => stored)
  const names = [...internal, ...inKeys, ...asked.map(([name]) => name)]
  const unasked = [...model.attributes.values()].filter(
    ({ stored, codec }) =>
      (codec.unstored || names.includes(stored)) &&
      !select.some(({ path: [name] }) => name === stored),
  )
  const read = asked.filter(([name]) => !inKeys.includes(name))
  return {
    // Two positions of a tuple read the same.
    paths: [
      ...internal.map((name): Path => [name]),
      ...new Map(read.map((path) => [JSON.stringify(path), path])).values(),
    ],
    unasked: unasked.map(({ name }) => name),
  }
}
