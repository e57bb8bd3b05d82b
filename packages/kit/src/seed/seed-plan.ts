import { keyVariables, type Model, type Schema } from 'singletable/tools'

/** How the items of a model are made up. */
export interface ModelSeed {
  readonly model: Model
  /** The attributes that make its primary key. */
  readonly keys: readonly string[]
  /** Models whose items it names: by attributes of its own that are the whole of their keys. Those with longer keys first. */
  readonly parents: readonly SeedParent[]
  readonly count: number
}

export interface SeedParent {
  readonly model: Model
  /** The attributes that name it. */
  readonly keys: readonly string[]
  /** By attribute of the parent's key: the attribute that has its value. */
  readonly links: ReadonlyMap<string, string>
}

interface Draft {
  readonly model: Model
  readonly keys: readonly string[]
}

/** Items under one of the model above, where the schema says nothing of it. */
const CHILDREN_DEFAULT = 3

/**
 * Deals out a number of items to the models of a schema: parents before children, as many of each as `stats` say, in proportion; at least one of
 * each, or as many as `least` says. Copies are left out, because they are written with what they are copies of.
 */
export function planSeed(schema: Schema, count: number, least = 1): readonly ModelSeed[] {
  const drafts: readonly Draft[] = [...schema.models.values()]
    .filter(({ source }) => source === undefined)
    .map((model) => ({ model, keys: keyVariables([...model.primary.hash, ...model.primary.sort]) }))
  // An attribute belongs to the model that it completes the key of; of several, to the one with the shortest key.
  const owners = new Map<string, Draft>()
  for (const draft of [...drafts].sort((a, b) => a.keys.length - b.keys.length)) {
    const last = draft.keys.at(-1)
    if (last !== undefined && !owners.has(last)) owners.set(last, draft)
  }
  const seeds = new Map<Model, Omit<ModelSeed, 'count'> & { readonly weight: number }>()
  const visit = (draft: Draft, path: readonly Model[]): void => {
    if (seeds.has(draft.model) || path.includes(draft.model)) return
    const above = parentsOf(draft, owners)
    for (const { model } of above) {
      const owner = drafts.find((each) => each.model === model)
      if (owner) visit(owner, [...path, draft.model])
    }
    const parents = above
      .filter(({ model }) => seeds.has(model))
      .sort((a, b) => b.keys.length - a.keys.length)
    const { stats } = draft.model.schema.definition.models[draft.model.name] ?? {}
    const holder = parents.find((parent) => parent.keys.some((key) => draft.keys.includes(key)))
    const held = holder?.model.schema.definition.models[holder.model.name]?.stats?.count
    const ratio =
      stats?.perPartition?.average ??
      (stats?.count !== undefined && held !== undefined ? stats.count / held : CHILDREN_DEFAULT)
    const weight = holder ? (seeds.get(holder.model)?.weight ?? 1) * ratio : 1
    seeds.set(draft.model, { ...draft, parents, weight })
  }
  for (const draft of drafts) visit(draft, [])
  // A model without variables in its key has one item.
  const all = [...seeds.values()]
  const many = all.filter(({ keys }) => keys.length > 0)
  const counts = dealOut(
    count - (all.length - many.length),
    many.map(({ weight }) => weight),
    least,
  )
  return all.map(({ weight: _, ...seed }) => {
    const position = many.findIndex(({ model }) => model === seed.model)
    return { ...seed, count: counts[position] ?? 1 }
  })
}

/** Deals out a number in proportion to weights, so that the parts are exactly the number, or `least` each if that is more. */
export function dealOut(
  count: number,
  weights: readonly number[],
  least: number,
): readonly number[] {
  if (weights.length === 0) return []
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = weights.map((weight) => (count * weight) / total)
  const parts = shares.map((share) => Math.max(least, Math.floor(share)))
  /** How much a part lacks of its share. */
  const lacking = (position: number): number => shares[position]! - parts[position]!
  let rest = count - parts.reduce((sum, part) => sum + part, 0)
  for (; rest > 0; rest--) {
    const [most] = [...parts.keys()].sort((a, b) => lacking(b) - lacking(a))
    parts[most!]!++
  }
  for (; rest < 0; rest++) {
    const [fewest] = [...parts.keys()]
      .filter((position) => parts[position]! > least)
      .sort((a, b) => lacking(a) - lacking(b))
    // All have no more than the least.
    if (fewest === undefined) break
    parts[fewest]!--
  }
  return parts
}

/** Those that count its items, by the attributes they count by, and those whose whole key it has by the same names. */
function parentsOf({ model }: Draft, owners: ReadonlyMap<string, Draft>): readonly SeedParent[] {
  const counting = (model.companions?.counters ?? []).map(({ parent, links }) => ({
    model: parent,
    keys: [...links.values()],
    links,
  }))
  const known = new Set<Model>([model, ...counting.map((each) => each.model)])
  // The library fills these in by itself, whatever they are called.
  const kept = [model.version, model.createdAt, model.updatedAt].map((each) => each?.name)
  const names = [...model.attributes.keys()].filter((name) => !kept.includes(name))
  const named = names.flatMap((name): readonly SeedParent[] => {
    const owner = owners.get(name)
    // All of the other's key has to be here, or it could not be told which item is meant.
    if (!owner || known.has(owner.model) || !owner.keys.every((key) => names.includes(key))) {
      return []
    }
    known.add(owner.model)
    const links = new Map(owner.keys.map((key) => [key, key]))
    return [{ model: owner.model, keys: owner.keys, links }]
  })
  return [...counting, ...named]
}
