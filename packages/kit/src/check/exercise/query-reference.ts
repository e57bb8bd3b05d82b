import type { AskedQuery, Attribute, Model, ModelIndex, Pattern } from 'singletable/tools'
import { compareValues } from './compare-values.ts'
import type { StoredItem } from './exercise-table.ts'
import { type FilterValues, filterValues } from './filter-values.ts'
import { holdsFilter, operandsOf } from './holds-filter.ts'
import type { ItemMaker } from './item-maker.ts'
import { isExpired, isIndexed, storedForm, type Values } from './item-values.ts'
import { neighboursOf } from './neighbours.ts'
import { sameValue } from './same-value.ts'
import { timeValues } from './time-values.ts'

/** A query with the values that its items are made around. */
export interface QueryReference {
  readonly pattern: Pattern
  readonly definition: AskedQuery
  /** What the questions fix. */
  readonly by: Values
  /** Of those that a call gives lists of, the values in the list. */
  readonly listed: ReadonlyMap<string, readonly unknown[]>
  /** Values of the attribute that has the range, in their order. */
  readonly spread: readonly unknown[]
  readonly filter: FilterValues
  readonly nowMs: number | undefined
}

/** One value of the attribute that has the range, or its bounds. */
export type Range =
  | { readonly exact: unknown }
  | {
      readonly bounds: {
        readonly from?: unknown
        readonly to?: unknown
        readonly beginsWith?: readonly unknown[]
      }
    }

/** Chooses what is asked for, and values around it. */
export function chooseReference(
  pattern: Pattern,
  definition: AskedQuery,
  maker: ItemMaker,
): QueryReference {
  const [model] = pattern.models
  if (model === undefined) throw new Error('A query has a model.')
  const source = model.source ?? model
  const use = useOf(definition, model)
  const made = maker.make(model, requiredBy(definition, model))
  const attributeOf = (name: string): Attribute | undefined =>
    source.attributes.get(name) ?? model.attributes.get(name)
  const attribute = attributeOf(definition.range ?? '')
  const times = attribute && timeValues(use, attribute)
  const spread =
    attribute === undefined
      ? []
      : distinct(
          (
            times?.values ?? [
              made.get(attribute.name),
              ...neighboursOf(attribute, source, made.get(attribute.name)),
            ]
          ).map((value) => storedForm(attribute, value)),
        )
          // What is never in the index is refused, and not looked for in vain.
          .filter((value) => use.when?.get(attribute.name)?.includes(value) ?? true)
          .sort((a, b) => compareValues(a, b, attribute.definition.type === 'decimal') ?? 0)
  const by = [...definition.by, ...(definition.in ?? [])].map((name) => {
    const found = attributeOf(name)
    const value = made.get(name)
    return [name, found && value !== undefined ? storedForm(found, value) : value] as const
  })
  const filter = filterValues(model, pattern.filter, maker, use.when)
  const listed = (definition.in ?? []).map((name) => {
    const found = source.attributes.get(name)
    const value = made.get(name)
    const [near] = found ? neighboursOf(found, source, value) : []
    return [name, near === undefined ? [value] : [value, near]] as const
  })
  return {
    pattern,
    definition,
    by: new Map(by),
    listed: new Map(listed),
    spread,
    filter,
    nowMs: times?.nowMs,
  }
}

/** The questions that a query is asked: without its range, and with bounds at values that are
 * there. */
export function rangesOf({
  pattern,
  definition: { range },
  spread,
}: QueryReference): readonly (Range | undefined)[] {
  if (range === undefined) return [undefined]
  const isNeeded = pattern.input?.get(range) === true
  const exact = { exact: spread[Math.floor(spread.length / 2)] }
  const [list] = spread
  if (Array.isArray(list)) {
    return [
      undefined,
      exact,
      ...list.map((_, at) => ({ bounds: { beginsWith: list.slice(0, at + 1) } })),
    ]
  }
  const last = spread.length - 1
  const low = spread[Math.min(1, Math.floor(last / 2))]
  const high = spread[Math.max(last - 1, Math.ceil(last / 2))]
  const open = [undefined, { bounds: { from: low } }, { bounds: { to: high } }]
  return [
    { bounds: { from: spread[0], to: spread.at(-1) } },
    { bounds: { from: low, to: high } },
    exact,
    ...(isNeeded ? [] : open),
  ]
}

export function inputOf({ definition, by, listed, filter }: QueryReference, range?: Range): object {
  const value = range && ('exact' in range ? range.exact : range.bounds)
  return Object.fromEntries([
    ...by,
    ...listed,
    ...filter.members,
    ...(definition.range !== undefined && range ? [[definition.range, value] as const] : []),
  ])
}

/**
 * The reference itself, and where it has conditions that a call may leave out, one without them.
 */
export function withAndWithout(reference: QueryReference): readonly QueryReference[] {
  const { pattern, filter } = reference
  const asked = pattern.filter.filter(({ operands }) => !operands.some(({ optional }) => optional))
  if (asked.length === pattern.filter.length) return [reference]
  const members = [...filter.members].filter(([name]) =>
    asked.some(({ operands }) => operands.some(({ input }) => input === name)),
  )
  return [
    reference,
    {
      ...reference,
      pattern: { ...pattern, filter: asked },
      filter: { ...filter, members: new Map(members) },
    },
  ]
}

/** Whether a stored item is one of the results: decided by its values alone. */
export function isAnswer(
  { pattern, definition, by, listed, filter }: QueryReference,
  range: Range | undefined,
  { model, values }: StoredItem,
  nowMs: number,
): boolean {
  const isDecimal = (name: string): boolean =>
    model.attributes.get(name)?.definition.type === 'decimal'
  return (
    pattern.models.includes(model) &&
    isIndexed(useOf(definition, model), values) &&
    !isExpired(model, values, nowMs) &&
    [...by].every(([name, value]) =>
      (listed.get(name) ?? [value]).some((each) => sameValue(values.get(name), each)),
    ) &&
    isInRange(range, values.get(definition.range ?? ''), isDecimal(definition.range ?? '')) &&
    pattern.filter.every((test) =>
      holdsFilter(
        test,
        values.get(test.attribute),
        operandsOf(test, filter.members),
        isDecimal(test.attribute),
      ),
    )
  )
}

function isInRange(range: Range | undefined, value: unknown, isDecimal: boolean): boolean {
  if (range === undefined) return true
  if ('exact' in range) return sameValue(value, range.exact)
  const { from, to, beginsWith = [] } = range.bounds
  if (!beginsWith.every((each, at) => sameValue(each, Array.isArray(value) && value[at])))
    return false
  return (
    (from === undefined || (compareValues(value, from, isDecimal) ?? -1) >= 0) &&
    (to === undefined || (compareValues(value, to, isDecimal) ?? 1) <= 0)
  )
}

/** The index as a model uses it. */
export function useOf({ index = 'primary' }: AskedQuery, model: Model): ModelIndex {
  return model.indexes.find((each) => each.index.name === index) ?? model.primary
}

/** What an item needs to be in the index, and to have the copy that is read. */
export function requiredBy(definition: AskedQuery, model: Model): Values {
  const copy = model.source?.derivedItems?.copies.find((each) => each.model === model)
  const conditions = [...(useOf(definition, model).when ?? []), ...(copy?.when ?? [])]
  return new Map(conditions.map(([name, allowed]) => [name, allowed[0]]))
}

function distinct(values: readonly unknown[]): unknown[] {
  return values.filter((value, at) => values.findIndex((each) => sameValue(value, each)) === at)
}
