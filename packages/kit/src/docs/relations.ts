import { keyVariables, type Model, type Schema } from 'singletable/tools'
import { planSeed } from '../seed/seed-plan.ts'

/** The items of one model reference an item of another. */
export interface Relation {
  /** The model that is referenced. */
  readonly parent: string
  readonly child: string
  /** Whether a parent has many children, or one. */
  readonly many: boolean
  /** What it was inferred from: shared attributes, a copied attribute, a counter. */
  readonly label: string
  /** Children for each parent, as the schema declares. */
  readonly average: number | undefined
}

/**
 * Relations inferred from the schema: attributes with another model's whole key, counters, copied
 * attributes, copies.
 */
export function relationsOf(schema: Schema): readonly Relation[] {
  const found = new Map<string, Relation>()
  const add = (relation: Relation): void => {
    const name = JSON.stringify([relation.parent, relation.child, relation.label])
    if (!found.has(name)) found.set(name, relation)
  }
  // The plan of sample data has the references between models.
  for (const { model, keys, parents } of planSeed(schema, 1)) {
    for (const parent of nearest(parents)) {
      add({
        parent: parent.model.name,
        child: model.name,
        many: keys.some((each) => !parent.keys.includes(each)),
        label: parent.keys.join(', '),
        average: sharesPartition(parent.model, model) ? averageOf(model) : undefined,
      })
    }
  }
  for (const model of schema.models.values()) {
    for (const { parent, attribute, links, sums } of model.derivedItems?.counters ?? []) {
      const names = [...links.values()].join(', ')
      const isKnown = [...found.values()].some(
        (each) => each.parent === parent.name && each.child === model.name && each.label === names,
      )
      if (!isKnown) {
        const label = `${names}, ${sums ? 'added up' : 'counted'} in ${attribute.name}`
        add({ parent: parent.name, child: model.name, many: true, label, average: undefined })
      }
    }
    for (const copy of model.derivedItems?.copies ?? []) {
      const label = 'is kept in sync with'
      add({
        parent: model.name,
        child: copy.model.name,
        many: copy.each !== undefined,
        label,
        average: undefined,
      })
    }
    for (const { name, definition } of model.attributes.values()) {
      if (definition.copyOf === undefined || model.source) continue
      const { copyOf } = definition
      const [source = '', copied = ''] = (typeof copyOf === 'object' ? copyOf.from : copyOf).split(
        '.',
      )
      const label = copied === name ? `copies ${name}` : `copies ${copied} as ${name}`
      add({ parent: source, child: model.name, many: true, label, average: undefined })
    }
  }
  return [...found.values()]
}

/** The nearest parents only: a comment references its post, and through it the user of the post. */
function nearest<TSeed extends { readonly keys: readonly string[] }>(
  parents: readonly TSeed[],
): readonly TSeed[] {
  return parents.filter(
    (parent) =>
      !parents.some(
        (other) =>
          other !== parent &&
          other.keys.length > parent.keys.length &&
          parent.keys.every((each) => other.keys.includes(each)),
      ),
  )
}

function sharesPartition(parent: Model, child: Model): boolean {
  const names = keyVariables(child.primary.hash)
  return (
    names.length > 0 &&
    names.every((name) =>
      keyVariables([...parent.primary.hash, ...parent.primary.sort]).includes(name),
    )
  )
}

function averageOf(model: Model): number | undefined {
  return model.schema.definition.models[model.name]?.stats?.perPartition?.average
}
