import type { Model, PatternPlan } from 'singletable/tools'
import { canBeLeftOut, type ItemMaker } from '../../packages/kit/src/check/exercise/item-maker.ts'
import type { Values } from '../../packages/kit/src/check/exercise/item-values.ts'
import { neighboursOf } from '../../packages/kit/src/check/exercise/neighbours.ts'
import type { ExerciseTable } from './exercise-table.ts'
import { negativesFor } from './negative-examples.ts'
import { type Query, useOf } from './question.ts'
import { fixedFor, type ReferenceItem, variant } from './reference-item.ts'

const MATCHES = 11
const MATCHES_MAX = 43
const NEAR_MISSES_MAX = 4
const EXPIRED_MS = 1000 * 3600
const TARGETS_GONE_EVERY = 4

/** Writes matching items, near misses and negatives. */
export async function fillQuery(
  query: Query,
  plan: PatternPlan,
  reference: ReferenceItem,
  table: ExerciseTable,
  maker: ItemMaker,
): Promise<void> {
  const { definition, pattern } = query
  const wanted = Math.min(
    MATCHES_MAX,
    Math.max(MATCHES, reference.spread.length, (definition.limit ?? 0) + 3),
  )
  for (const model of query.models) {
    const fixed = fixedFor(query, model, reference)
    for (let number = 0; number < wanted; number++) {
      await table.write(model, maker.make(model, variant(query, model, reference, fixed, number)))
    }
    await writeNearMisses(query, model, reference, fixed, table, maker)
  }
  const [model] = query.models
  if (model === undefined) return
  const example = maker.make(model, fixedFor(query, model, reference))
  for (const negative of negativesFor(query, plan, example, reference, maker)) {
    await table.write(negative.model, negative.values)
  }
  const { target } = pattern
  if (target === undefined || target === model) return
  for (const [position, { values }] of table.writtenItems.entriesOf(model).entries()) {
    // What is gone is left out.
    if (position % TARGETS_GONE_EVERY === 2) continue
    const key = new Map(target.primary.names.map((name) => [name, values.get(name)]))
    if (table.writtenItems.find(target, key) === undefined) {
      await table.write(target, maker.make(target, key))
    }
  }
}

/** Items that differ in one thing from those that match. */
async function writeNearMisses(
  query: Query,
  model: Model,
  { by, filter }: ReferenceItem,
  fixed: Values,
  table: ExerciseTable,
  maker: ItemMaker,
): Promise<void> {
  const source = model.source ?? model
  const write = (name: string, value: unknown): Promise<boolean> =>
    table.write(model, maker.make(model, new Map([...fixed, [name, value]])))
  for (const [name, value] of by) {
    const attribute = source.attributes.get(name)
    if (attribute === undefined) continue
    const near = neighboursOf(attribute, source, value)
    const others = near.length > 0 ? near : [maker.value(source, attribute)]
    for (const other of others.slice(0, NEAR_MISSES_MAX)) await write(name, other)
  }
  for (const [name, values] of filter.failing) {
    for (const value of values.slice(0, NEAR_MISSES_MAX)) await write(name, value)
  }
  const use = useOf(query, model)
  const copy = model.source?.derivedItems?.copies.find((each) => each.model === model)
  for (const [name, allowed] of [...(use.when ?? []), ...(copy?.when ?? [])]) {
    const attribute = source.attributes.get(name)
    const outside =
      attribute &&
      neighboursOf(attribute, source, allowed[0]).find((value) => !allowed.includes(value))
    if (outside !== undefined && !by.has(name)) await write(name, outside)
  }
  for (const name of use.names) {
    const attribute = source.attributes.get(name)
    const isOptional = attribute && canBeLeftOut(source, attribute)
    if (isOptional && !by.has(name)) await write(name, undefined)
  }
  const { ttl } = source
  if (ttl) {
    const past = table.nowMs - EXPIRED_MS
    await write(ttl.name, ttl.definition.type === Date ? new Date(past) : Math.floor(past / 1000))
  }
}
