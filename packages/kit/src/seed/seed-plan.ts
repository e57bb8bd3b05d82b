import { keyVariables, type Model, type Schema } from 'singletable/tools'

/** How the items of a model are made up. */
export interface ModelSeed {
  readonly model: Model
  /** The attributes that make its primary key. */
  readonly keys: readonly string[]
  /** Models whose items it names: by attributes of its own that are the whole of their keys. Those with longer keys first. */
  readonly parents: readonly ModelSeed[]
  readonly count: number
}

/** Items under one of the model above, where the schema says nothing of it. */
const CHILDREN_DEFAULT = 3

/**
 * Deals out a number of items to the models of a schema: parents before children, as many of each as `stats` say, in proportion; at least one of
 * each. Copies are left out, because they are written with what they are copies of.
 */
export function planSeed(schema: Schema, count: number): readonly ModelSeed[] {
  const drafts = [...schema.models.values()]
    .filter(({ source }) => source === undefined)
    .map((model) => ({ model, keys: keyVariables([...model.primary.hash, ...model.primary.sort]) }))
  // An attribute belongs to the model that it completes the key of; of several, to the one with the shortest key.
  const owners = new Map<string, (typeof drafts)[number]>()
  for (const draft of [...drafts].sort((a, b) => a.keys.length - b.keys.length)) {
    const last = draft.keys.at(-1)
    if (last !== undefined && !owners.has(last)) owners.set(last, draft)
  }
  const seeds = new Map<Model, ModelSeed & { readonly weight: number }>()
  const visit = (draft: (typeof drafts)[number], path: readonly Model[]): void => {
    if (seeds.has(draft.model) || path.includes(draft.model)) return
    const above = [...draft.model.attributes.keys()].flatMap((name) => {
      const owner = owners.get(name)
      // All of the other's key has to be here, or it could not be told which item is meant.
      const isWhole = owner?.keys.every((key) => draft.model.attributes.has(key))
      return owner && owner !== draft && isWhole ? [owner] : []
    })
    for (const owner of above) visit(owner, [...path, draft.model])
    const parents = [...new Set(above)]
      .flatMap(({ model }) => seeds.get(model) ?? [])
      .sort((a, b) => b.keys.length - a.keys.length)
    const { stats } = draft.model.schema.definition.models[draft.model.name] ?? {}
    const holder = parents.find((parent) => parent.keys.some((key) => draft.keys.includes(key)))
    const held = holder?.model.schema.definition.models[holder.model.name]?.stats?.count
    const ratio =
      stats?.perPartition?.average ??
      (stats?.count !== undefined && held !== undefined ? stats.count / held : CHILDREN_DEFAULT)
    const weight = holder ? (seeds.get(holder.model)?.weight ?? 1) * ratio : 1
    seeds.set(draft.model, { ...draft, parents, count: 0, weight })
  }
  for (const draft of drafts) visit(draft, [])
  const total = [...seeds.values()].reduce((sum, { weight }) => sum + weight, 0)
  const planned = new Map<Model, ModelSeed>()
  for (const { model, keys, parents, weight } of seeds.values()) {
    planned.set(model, {
      model,
      keys,
      // They were planned before.
      parents: parents.flatMap((parent) => planned.get(parent.model) ?? []),
      // A model without variables in its key has one item.
      count: keys.length === 0 ? 1 : Math.max(1, Math.round((count * weight) / total)),
    })
  }
  return [...planned.values()]
}
