import type { Model, Pattern } from '../schema/model.ts'
import type { PatternExpectation } from '../schema/pattern-definition.ts'
import type { StatsDefinition } from '../schema/schema-definition.ts'
import { getOwn } from '../values/own.ts'
import { readFactor, unitsToRead } from '../values/units.ts'

/** What one call costs, computed from what the schema expects; `null` where it says nothing of sizes. */
export interface PatternCost {
  /** Read units: an eventually consistent read of 4 KB is half of one. */
  readonly rru: number
  /** How the figure comes about. */
  readonly basis: string
}

/** What is known of an item's size and number stands in the pattern, or else with the model. */
export function costOf(pattern: Pattern, isStrong: boolean): PatternCost | null {
  const { definition, models, target } = pattern
  const { op } = definition
  const [model] = models
  const count = itemsRead(definition, model)
  const bytes = expectation(definition).itemBytes ?? bytesOf(model)
  if (count === undefined || bytes === undefined) return null
  const consistency = op === 'transactGet' ? 'transactional' : isStrong ? 'strong' : 'eventual'
  // A query is charged for its sum, in each shard by itself; items by key each for itself.
  const blocks =
    op === 'query' || op === 'scan'
      ? Math.max(unitsToRead(count * bytes, 'strong'), shardsRead(pattern))
      : count * unitsToRead(bytes, 'strong')
  const rru = blocks * readFactor(consistency)
  const basis = `${count} × ${bytes} B → ${blocks * 4} KB → ${rru} RRU`
  const more = target && bytesOf(target)
  if (more === undefined) return target ? null : { rru, basis }
  const fetched = count * unitsToRead(more, 'eventual')
  return { rru: rru + fetched, basis: `${basis}, and ${count} × ${more} B by key → ${fetched} RRU` }
}

/** How many shards a query reads: all of them, unless what it asks for says which. */
export function shardsRead({ use, definition }: Pattern): number {
  const { by = [] } = definition as { readonly by?: readonly string[] }
  const counts = (use?.hash ?? [])
    .flatMap(({ template }) => template?.parts ?? [])
    .map((part) =>
      typeof part === 'object' && !part.by?.every(({ name }) => by.includes(name))
        ? (part.count ?? 1)
        : 1,
    )
  return Math.max(1, ...counts)
}

function expectation(definition: { readonly expect?: PatternExpectation }): PatternExpectation {
  return definition.expect ?? {}
}

/** How many items one call reads, if anything says so. */
export function itemsRead(
  definition: Pattern['definition'],
  model: Model | undefined,
): number | undefined {
  const { itemsRead } = expectation(definition)
  if (itemsRead !== undefined) return itemsRead
  if (definition.op === 'scan') return statsOf(model)?.count
  if (definition.op !== 'query') return 1
  return (definition.filter ? undefined : definition.limit) ?? statsOf(model)?.perPartition?.average
}

function bytesOf(model: Model | undefined): number | undefined {
  return statsOf(model)?.itemBytes
}

function statsOf(model: Model | undefined): StatsDefinition | undefined {
  return model && getOwn(model.schema.definition.models, model.name)?.stats
}
