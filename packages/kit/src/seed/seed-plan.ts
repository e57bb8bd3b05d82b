import { keyVariables, type Model, type Schema, type StatsDefinition } from 'singletable/tools'

/** How the items of a model are made. */
export interface ModelSeed {
  readonly model: Model
  /** The attributes in its primary key. */
  readonly keys: readonly string[]
  /**
   * Models that it references: its attributes contain their whole key. Those that set most
   * attributes come first.
   */
  readonly parents: readonly SeedParent[]
  readonly count: number
}

export interface SeedParent {
  readonly model: Model
  /** The attributes that reference it. */
  readonly keys: readonly string[]
  /** For each attribute of the parent's key, the attribute with its value. */
  readonly links: ReadonlyMap<string, string>
  /** Whether it counts the items, so that it must exist before them. */
  readonly counts: boolean
}

interface Draft {
  readonly model: Model
  readonly keys: readonly string[]
}

/** Items for each parent, if the schema does not declare it. */
const CHILDREN_DEFAULT = 3

/**
 * Distributes a number of items over the models of a schema: parents before children, in the
 * proportions that `stats` declares, with at least one item (or `least`) for each model if the
 * number is large enough. Copies are left out, because they are written together with their
 * originals.
 */
export function planSeed(schema: Schema, count: number, least = 1): readonly ModelSeed[] {
  const drafts: readonly Draft[] = [...schema.models.values()]
    .filter(({ source }) => source === undefined)
    .map((model) => ({ model, keys: keysOf(model) }))
  // An attribute belongs to the model whose key it completes; of several, to the one with the
  // shortest key.
  const owners = new Map<string, Draft>()
  for (const draft of [...drafts].sort((a, b) => a.keys.length - b.keys.length)) {
    const last = draft.keys.at(-1)
    if (last !== undefined && !owners.has(last)) owners.set(last, draft)
  }
  const seeds = new Map<Model, Omit<ModelSeed, 'count'>>()
  const visit = (draft: Draft, path: readonly Model[]): void => {
    if (seeds.has(draft.model) || path.includes(draft.model)) return
    const above = parentsOf(draft, owners)
    for (const { model } of above) {
      const owner = drafts.find((each) => each.model === model)
      if (owner) visit(owner, [...path, draft.model])
    }
    const parents = above.filter(({ model }) => seeds.has(model) || model === draft.model)
    /** Attributes that reference other models and that the parent has too. */
    const settled = ({ model, keys }: SeedParent): number =>
      parents.filter((other) => other.keys.every((key) => model.attributes.has(key))).length +
      keys.length
    seeds.set(draft.model, {
      ...draft,
      parents: [...parents].sort((a, b) => settled(b) - settled(a)),
    })
  }
  for (const draft of drafts) visit(draft, [])
  const all = [...seeds.values()]
  // A model without variables in its key has one item.
  const many = all.filter(({ keys }) => keys.length > 0)
  const weights = weigh(many)
  const single = all.length - many.length
  const counts =
    count < single + many.length * least
      ? undefined
      : dealOut(
          count - single,
          many.map(({ model }) => weights.get(model) ?? 1),
          least,
        )
  return all.map((seed, position) => {
    // If there are too few items, the first models get one each.
    if (counts === undefined) {
      const extra = Math.floor(count / all.length)
      const own = extra + (position < count % all.length ? 1 : 0)
      return { ...seed, count: seed.keys.length === 0 ? Math.min(1, own) : own }
    }
    return { ...seed, count: counts[many.indexOf(seed)] ?? 1 }
  })
}

/** The attributes in the primary key; for a computed one, those it is computed from. */
function keysOf({ primary, attributes }: Model): readonly string[] {
  const names = keyVariables([...primary.hash, ...primary.sort])
  return [...new Set(names.flatMap((name) => attributes.get(name)?.from ?? [name]))]
}

/** The relative number of items of each model: from `stats`, else from its parents and children. */
function weigh(seeds: readonly Omit<ModelSeed, 'count'>[]): ReadonlyMap<Model, number> {
  const statsOf = ({ schema, name }: Model): StatsDefinition =>
    schema.definition.models[name]?.stats ?? {}
  const weights = new Map<Model, number>()
  for (const { model } of seeds) {
    const { count } = statsOf(model)
    if (count !== undefined && count > 0) weights.set(model, count)
  }
  const declared = [...weights.values()]
  const holderOf = ({ model, keys, parents }: Omit<ModelSeed, 'count'>): Model | undefined =>
    parents.find(
      (parent) => parent.model !== model && parent.keys.some((key) => keys.includes(key)),
    )?.model
  const ratioOf = (seed: Omit<ModelSeed, 'count'>): number => {
    const { average } = statsOf(seed.model).perPartition ?? {}
    // A model whose key is the key of its parent has one item for each parent.
    const isOneEach = seed.parents.some(({ keys }) => seed.keys.every((key) => keys.includes(key)))
    return average ?? (isOneEach ? 1 : CHILDREN_DEFAULT)
  }
  // Children come after their parents.
  for (const seed of [...seeds].reverse()) {
    const holder = holderOf(seed)
    const weight = weights.get(seed.model)
    if (holder === undefined || weight === undefined || statsOf(holder).count !== undefined)
      continue
    weights.set(holder, Math.max(weights.get(holder) ?? 0, weight / ratioOf(seed)))
  }
  const root = declared.length > 0 ? Math.min(...declared) : 1
  for (const seed of seeds) {
    if (weights.has(seed.model)) continue
    const holder = holderOf(seed)
    const above = holder && weights.get(holder)
    weights.set(seed.model, above === undefined ? root : above * ratioOf(seed))
  }
  return weights
}

/**
 * Divides a number in proportion to weights. The parts add up to the number, or are `least` each if
 * that is more.
 */
export function dealOut(
  count: number,
  weights: readonly number[],
  least: number,
): readonly number[] {
  if (weights.length === 0) return []
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = weights.map((weight) => (count * weight) / total)
  const parts = shares.map((share) => Math.max(least, Math.floor(share)))
  /** How much is missing from the share of a part. */
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
    // No part has more than the minimum.
    if (fewest === undefined) break
    parts[fewest]!--
  }
  return parts
}

/** The models that count its items, and the models whose whole key it has under the same names. */
function parentsOf({ model }: Draft, owners: ReadonlyMap<string, Draft>): readonly SeedParent[] {
  const counting = (model.derivedItems?.counters ?? []).map(({ parent, links }) => ({
    model: parent,
    keys: [...links.values()],
    links,
    counts: true,
  }))
  const known = new Set<Model>([model, ...counting.map((each) => each.model)])
  // The library sets these itself, whatever their names are.
  const kept = [model.version, model.createdAt, model.updatedAt].map((each) => each?.name)
  const names = [...model.attributes.keys()].filter((name) => !kept.includes(name))
  const named = names.flatMap((name): readonly SeedParent[] => {
    const owner = owners.get(name)
    // It must have the other model's whole key, or the item would not be identified.
    if (!owner || known.has(owner.model) || !owner.keys.every((key) => names.includes(key))) {
      return []
    }
    known.add(owner.model)
    const links = new Map(owner.keys.map((key) => [key, key]))
    return [{ model: owner.model, keys: owner.keys, links, counts: false }]
  })
  return [...counting, ...named]
}
