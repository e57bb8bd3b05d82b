import { type Index, itemSizeBytes, keyAttributes, type Model } from 'singletable/tools'
import { type CostDesign, sampledItems, statsOf } from './cost-design.ts'
import { elasticNames, estimateBytes } from './estimate-bytes.ts'
import { type Basis, type Figure, printNumber } from './figure.ts'

/** The size of an item of a model, as DynamoDB counts it. */
export function itemBytes(design: CostDesign, model: Model): Figure {
  const { itemBytes: declared } = statsOf(model)
  if (declared !== undefined) {
    return { value: declared, basis: 'declared', formula: `${model.name}: ${declared} B` }
  }
  const items = sampledItems(design, model)
  if (items.length > 0) {
    const total = items.reduce((sum, item) => sum + itemSizeBytes(item), 0)
    const value = Math.round(total / items.length)
    return {
      value,
      basis: 'sampled',
      formula: `${model.name}: ${value} B, the mean of ${items.length} items`,
    }
  }
  const { bytes, basis } = attributeBytes(design, model)
  const value = sumOf(bytes.values())
  return { value, basis, formula: `${model.name}: about ${value} B by its attributes` }
}

/** What each stored attribute of an item takes, name and value. */
export interface AttributeBytes {
  /** By stored name. */
  readonly bytes: ReadonlyMap<string, number>
  readonly basis: Basis
}

/**
 * Shares the size of an item out to its attributes: those of sampled items, or else what their
 * types make likely, drawn out so that the sum is what the schema declares. Only a sample knows the
 * shares, so that they are a default even where the sum is declared.
 */
export function attributeBytes(design: CostDesign, model: Model): AttributeBytes {
  const items = sampledItems(design, model)
  if (items.length > 0) {
    const bytes = new Map<string, number>()
    for (const item of items) {
      for (const [name, value] of Object.entries(item)) {
        const size = itemSizeBytes({ [name]: value }) / items.length
        bytes.set(name, (bytes.get(name) ?? 0) + size)
      }
    }
    return { bytes, basis: 'sampled' }
  }
  const estimate = estimateBytes(model)
  if (model.source) return copyBytes(design, model, model.source, estimate)
  const { itemBytes: declared } = statsOf(model)
  if (declared === undefined) return { bytes: estimate, basis: 'default' }
  const elastic = elasticNames(model)
  const all = sumOf(estimate.values())
  const free = sumOf([...estimate].filter(([name]) => elastic.has(name)).map(([, size]) => size))
  const rest = declared - (all - free)
  // Where even what is fixed is larger than the whole, everything is smaller than it seems.
  const canStretch = free > 0 && rest > 0
  const bytes = [...estimate].map(([name, size]): [string, number] => [
    name,
    canStretch ? (elastic.has(name) ? (size * rest) / free : size) : (size * declared) / all,
  ])
  return { bytes: new Map(bytes), basis: 'default' }
}

/** A copy has some attributes as its source has them, and keys of its own. */
function copyBytes(
  design: CostDesign,
  model: Model,
  source: Model,
  estimate: ReadonlyMap<string, number>,
): AttributeBytes {
  const theirs = attributeBytes(design, source)
  const own = new Set([...model.attributes.values()].map(({ stored }) => stored))
  const bytes = new Map(estimate)
  for (const [name, size] of theirs.bytes) if (own.has(name)) bytes.set(name, size)
  return { bytes, basis: theirs.basis }
}

/** The size of the entry that an index has of an item; undefined if the model is not in it. */
export function projectedBytes(design: CostDesign, model: Model, index: Index): Figure | undefined {
  if (!model.indexes.some((use) => use.index === index)) return undefined
  const whole = itemBytes(design, model)
  const { project } = index
  if (index.type === 'primary' || project === 'all') return whole
  const { bytes, basis } = attributeBytes(design, model)
  const held = projectedNames(model, index)
  const sum = sumOf([...bytes].filter(([name]) => held.has(name)).map(([, size]) => size))
  const value = Math.min(whole.value, Math.round(sum))
  return {
    value,
    basis,
    formula: `${model.name} in ${index.name}: about ${printNumber(value)} of ${whole.value} B`,
  }
}

/** The stored names of what an index holds of an item, besides all of it. */
export function projectedNames({ schema }: Model, index: Index): ReadonlySet<string> {
  const named = typeof index.project === 'string' ? [] : index.project
  return new Set([...keyAttributes(schema.primary), ...keyAttributes(index), ...named])
}

/** The size of the item that guards a unique value: its keys, its type, and the key of its
 * owner. */
export function guardBytes(model: Model): number {
  const keys = keyAttributes(model.schema.primary)
  const estimate = estimateBytes(model)
  const owner = sumOf(keys.map((name) => (estimate.get(name) ?? 0) + 1)) + 3
  return owner + owner + Buffer.byteLength(`${model.schema.params.typeField}_unique_owner`)
}

function sumOf(values: Iterable<number>): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}
