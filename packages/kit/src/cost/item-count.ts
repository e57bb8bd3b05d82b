import { keyVariables, type Model, type ModelIndex } from 'singletable/tools'
import { type CostDesign, sampledItems, statsOf } from './cost-design.ts'
import { ELEMENTS } from './estimate-bytes.ts'
import { type Figure, printNumber } from './figure.ts'

/** How many items of a model there are; undefined if it is not known. */
export function itemCount(design: CostDesign, model: Model): Figure | undefined {
  if (model.source) {
    const items = itemCount(design, model.source)
    const each = copiesPerItem(design, model)
    if (!items || each === 1) return items
    const formula = `${items.formula} × ${printNumber(each)} elements`
    return { value: Math.round(items.value * each), basis: items.basis, formula }
  }
  const { count, perPartition } = statsOf(model)
  if (count !== undefined) {
    return { value: count, basis: 'declared', formula: `${count} ${model.name}` }
  }
  const { sample } = design
  const found = sampledItems(design, model).length
  if (sample?.itemCount !== undefined && found > 0) {
    const value = Math.round((sample.itemCount * found) / sample.items.length)
    return {
      value,
      basis: 'sampled',
      formula: `${found} of ${sample.items.length} sampled items × ${sample.itemCount}`,
    }
  }
  const average = perPartition?.average
  const holder = average === undefined ? undefined : partitionOwner(design, model)
  const held = holder && statsOf(holder).count
  if (average === undefined || holder === undefined || held === undefined) return undefined
  return {
    value: average * held,
    basis: 'declared',
    formula: `${printNumber(average)} ${model.name} × ${held} ${holder.name}`,
  }
}

/** How many copies an item has: one, or as many as a list or set has elements. */
export function copiesPerItem(design: CostDesign, copy: Model): number {
  const { source } = copy
  const { each } = source?.derivedItems?.copies.find(({ model }) => model === copy) ?? {}
  if (!source || !each) return 1
  const counts = sampledItems(design, source).map((item) => {
    const { L, SS, NS } = item[each.list.stored] ?? {}
    return (L ?? SS ?? NS ?? []).length
  })
  return counts.length === 0
    ? ELEMENTS
    : counts.reduce((sum, each) => sum + each, 0) / counts.length
}

/** The model whose items own the partitions of another: its whole key is made of what their
 * partition key is made of. */
function partitionOwner({ schema }: CostDesign, model: Model): Model | undefined {
  const variables = keyVariables(model.primary.hash)
  if (variables.length === 0) return undefined
  return [...(schema?.models.values() ?? [])].find((other) => {
    const key = keyVariables([...other.primary.hash, ...other.primary.sort])
    return (
      other !== model &&
      other.source === undefined &&
      statsOf(other).count !== undefined &&
      key.length === variables.length &&
      key.every((name) => variables.includes(name))
    )
  })
}

/** Which part of a model's items an index holds: all of them, unless it is sparse. */
export function shareInIndex(design: CostDesign, model: Model, use: ModelIndex): Figure {
  const optional = use.names.filter((name) => {
    const { definition, supply } = model.attributes.get(name) ?? {}
    return !definition?.required && !supply && !model.primary.names.includes(name)
  })
  if (use.when === undefined && optional.length === 0) {
    return { value: 1, basis: 'declared', formula: 'all items' }
  }
  const items = sampledItems(design, model)
  if (items.length > 0) {
    const keys = [...use.hash, ...use.sort].map(({ name }) => name)
    const held = items.filter((item) => keys.every((name) => Object.hasOwn(item, name))).length
    return {
      value: held / items.length,
      basis: 'sampled',
      formula: `${held} of ${items.length} sampled items`,
    }
  }
  return { value: 1, basis: 'default', formula: 'all items, though the index is sparse' }
}
