import { keyVariables, type Model, type ModelIndex } from 'singletable/tools'
import { compareValues } from '../../packages/kit/src/check/exercise/compare-values.ts'
import {
  type FilterValues,
  filterValues,
} from '../../packages/kit/src/check/exercise/filter-values.ts'
import type { ItemMaker } from '../../packages/kit/src/check/exercise/item-maker.ts'
import type { Values } from '../../packages/kit/src/check/exercise/item-values.ts'
import { storedForm } from '../../packages/kit/src/check/exercise/item-values.ts'
import { neighboursOf } from '../../packages/kit/src/check/exercise/neighbours.ts'
import { sameValue } from '../../packages/kit/src/check/exercise/same-value.ts'
import { timeValues } from '../../packages/kit/src/check/exercise/time-values.ts'
import { acceptsValue } from '../../packages/kit/src/seed/accepts-value.ts'
import { type Query, useOf } from './question.ts'

/** What the items of a query's table are made around. */
export interface ReferenceItem {
  /** What the question fixes. */
  readonly by: Values
  /** Values of the attribute that results are ordered by, in their order; the range if there is
   * one. */
  readonly spread: readonly unknown[]
  /** They are times on both sides of the ends of buckets. */
  readonly isTime: boolean
  readonly filter: FilterValues
  readonly nowMs: number | undefined
}

/** Chooses what is asked for, and values around it. */
export function chooseReference(query: Query, maker: ItemMaker): ReferenceItem {
  const { definition, pattern, models } = query
  const [model] = models
  if (model === undefined) throw new Error('A query has a model.')
  const source = model.source ?? model
  const made = maker.make(model, requiredBy(query, model))
  const use = useOf(query, model)
  const spreadName = spreadOf(query, use)
  const attribute = spreadName === undefined ? undefined : source.attributes.get(spreadName)
  const times = attribute && timeValues(use, attribute)
  let spread: readonly unknown[] = []
  if (attribute) {
    const base = made.get(attribute.name) ?? maker.value(source, attribute)
    const isDecimal = attribute.definition.type === 'decimal'
    spread = distinct(
      (times?.values ?? [base, ...neighboursOf(attribute, source, base)]).map((value) =>
        storedForm(attribute, value),
      ),
    )
      // What is never in the index is refused, and not searched for in vain.
      .filter((value) => use.when?.get(attribute.name)?.includes(value) ?? true)
      .sort((a, b) => compareValues(a, b, isDecimal) ?? 0)
  }
  return {
    by: new Map(
      definition.by.map((name) => {
        const byAttribute = source.attributes.get(name)
        const value = made.get(name)
        return [name, byAttribute && value !== undefined ? storedForm(byAttribute, value) : value]
      }),
    ),
    spread,
    isTime: times !== undefined,
    filter: filterValues(model, pattern.filter, maker, use.when),
    nowMs: times?.nowMs,
  }
}

/** The attribute that results are ordered by. */
export function spreadOf({ definition }: Query, use: ModelIndex): string | undefined {
  const { by, range } = definition
  return range ?? keyVariables(use.sort).find((name) => !by.includes(name))
}

/** What all matching items have. */
export function fixedFor(
  query: Query,
  model: Model,
  { by, spread, filter }: ReferenceItem,
): Values {
  const spreadName = spreadOf(query, useOf(query, model))
  const source = model.source ?? model
  const attribute = spreadName === undefined ? undefined : source.attributes.get(spreadName)
  const base = spread[Math.floor(spread.length / 2)]
  return new Map([
    ...requiredBy(query, model),
    ...(attribute && acceptsValue(attribute, source, base)
      ? [[attribute.name, base] as const]
      : []),
    ...[...filter.passing].map(([name, values]) => [name, values[0]] as const),
    ...by,
  ])
}

/** Each matching item has others of the values that match; after the chosen ones sample ones. */
export function variant(
  query: Query,
  model: Model,
  { by, spread, isTime, filter }: ReferenceItem,
  fixed: Values,
  number: number,
): Values {
  const values = new Map(fixed)
  for (const [name, good] of filter.passing) values.set(name, good[number % good.length])
  const name = spreadOf(query, useOf(query, model))
  const source = model.source ?? model
  const attribute = name === undefined ? undefined : source.attributes.get(name)
  if (attribute) {
    const value = spread[isTime ? number % spread.length : number]
    const isTaken = value !== undefined && acceptsValue(attribute, source, value)
    if (isTaken) values.set(attribute.name, value)
    else values.delete(attribute.name)
  }
  return new Map([...values, ...by])
}

/** What an item needs to be in the index, and to have the copy that is read. */
function requiredBy(query: Query, model: Model): Values {
  const copy = model.source?.derivedItems?.copies.find((each) => each.model === model)
  const conditions = [...(useOf(query, model).when ?? []), ...(copy?.when ?? [])]
  return new Map(conditions.map(([name, allowed]) => [name, allowed[0]]))
}

function distinct(values: readonly unknown[]): unknown[] {
  return values.filter((value, at) => values.findIndex((each) => sameValue(value, each)) === at)
}
