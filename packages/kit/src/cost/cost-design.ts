import { getOwn, type Item, type Model, type Schema, type StatsDefinition } from 'singletable/tools'

/** What is computed from: a design of `check` is one. */
export interface CostDesign {
  /** Undefined if nothing in it can be used. */
  readonly schema: Schema | undefined
  /** Items of a live table. */
  readonly sample?:
    | { readonly items: readonly Item[]; readonly itemCount: number | undefined }
    | undefined
  /** The end of ranges that have none; without it, what is read of them is one bucket of time. */
  readonly now?: number | undefined
}

/** What the schema says about the items of a model; of a copy, about those of the model it is
 * of. */
export function statsOf(model: Model): StatsDefinition {
  return getOwn(model.schema.definition.models, model.name)?.stats ?? {}
}

/** The sampled items of a model, by their type. */
export function sampledItems({ sample }: CostDesign, model: Model): readonly Item[] {
  const { typeField } = model.schema.params
  return sample?.items.filter((item) => getOwn(item, typeField)?.S === model.type) ?? []
}
