import type {
  AskedQuery,
  Attribute,
  FilterTest,
  KeyPart,
  Model,
  ModelIndex,
  Pattern,
  TemplatePart,
} from 'singletable/tools'
import { compareValues } from '../../packages/kit/src/check/exercise/compare-values.ts'
import { holdsFilter, operandsOf } from '../../packages/kit/src/check/exercise/holds-filter.ts'
import {
  isExpired,
  isIndexed,
  type Values,
} from '../../packages/kit/src/check/exercise/item-values.ts'
import { sameValue } from '../../packages/kit/src/check/exercise/same-value.ts'
import { bucketText } from './entry-order.ts'
import type { Entry } from './written-items.ts'

/** Bounds as the input has them, or one value. */
export type RangeQuestion =
  | { readonly exact: unknown }
  | { readonly bounds: { readonly [bound: string]: unknown } }

/** What a query is asked. */
export interface Question {
  readonly by: Values
  readonly range?: RangeQuestion | undefined
  /** What the filter compares with, by the names of the input. */
  readonly members: Values
}

/** A query, with what every part of its exercise needs of it. */
export interface Query {
  readonly pattern: Pattern
  readonly definition: AskedQuery
  readonly models: readonly Model[]
}

export function inputOf({ definition: { range } }: Query, question: Question): object {
  const { by, members } = question
  const asked = question.range
  const value = asked && ('exact' in asked ? asked.exact : asked.bounds)
  return Object.fromEntries([
    ...by,
    ...members,
    ...(range !== undefined && asked ? [[range, value] as const] : []),
  ])
}

/** The index as a model uses it. */
export function useOf({ pattern, definition }: Query, model: Model): ModelIndex {
  const { index = 'primary' } = definition
  const use = model.indexes.find((each) => each.index.name === index) ?? pattern.use
  return use ?? model.primary
}

/** Whether an item is among the results: decided by its values alone. */
export function isAnswer(query: Query, question: Question, entry: Entry, nowMs: number): boolean {
  const { model, values } = entry
  const { definition, pattern } = query
  return (
    query.models.includes(model) &&
    isIndexed(useOf(query, model), values) &&
    !isExpired(entry.model, entry.values, nowMs) &&
    [...question.by].every(([name, value]) => sameValue(values.get(name), value)) &&
    isInRange(model, definition.range, question.range, values, false) &&
    pattern.filter.every((test) => passes(model, test, question, values))
  )
}

/**
 * Whether a query may read the item on its way, by its plan: an answer, before the filter and the
 * time to live; what the key does not distinguish; an end of the range.
 */
export function mayBeRead(query: Query, question: Question, entry: Entry): boolean {
  const { model, values } = entry
  const use = useOf(query, model)
  const { definition } = query
  const { range } = definition
  const parts = [...use.hash, ...use.sort].flatMap(({ template }) => template?.parts ?? [])
  return (
    query.models.includes(model) &&
    isIndexed(use, values) &&
    [...question.by].every(([name, value]) => {
      const components = headOf(use, definition.by).filter((part) => part.name === name)
      // Behind what is open, the key says nothing.
      return components.every((part) =>
        'lossy' in part && part.lossy
          ? shareKey(part, values.get(name), value)
          : sameValue(values.get(name), value),
      )
    }) &&
    (isInRange(model, range, question.range, values, true) ||
      parts.some((part) => typeof part !== 'string' && part.name === range && !isTight(part)))
  )
}

type Fixed = Exclude<TemplatePart, string> | Attribute

/** What a query fixes of an index's keys: the placeholders and attributes up to the first of the
 * sort key that is not given. */
function headOf({ hash, sort }: ModelIndex, by: readonly string[]): readonly Fixed[] {
  const sorts = sort.flatMap(fixedIn)
  const open = sorts.findIndex(({ name }) => !by.includes(name))
  return [...hash.flatMap(fixedIn), ...(open < 0 ? sorts : sorts.slice(0, open))]
}

function fixedIn({ template, attribute }: KeyPart): readonly Fixed[] {
  return template ? template.parts.filter((part) => typeof part !== 'string') : [attribute]
}

/** Whether nothing can be between the bounds of a question. */
export function isContradictory({ models, definition }: Query, { range }: Question): boolean {
  const { range: name } = definition
  if (name === undefined || range === undefined || 'exact' in range) return false
  const { from, gt, to, lt } = range.bounds
  const isDecimal = models[0]?.attributes.get(name)?.definition.type === 'decimal'
  const order = compareValues(from ?? gt, to ?? lt, isDecimal) ?? -1
  return order > 0 || (order === 0 && (gt !== undefined || lt !== undefined))
}

function isTight({ ordered, lossy }: Exclude<TemplatePart, string>): boolean {
  return ordered && !lossy
}

/** Whether two values have the same text in a key that case or the time of day don't count in. */
function shareKey(part: Exclude<TemplatePart, string>, one: unknown, other: unknown): boolean {
  return part.unit
    ? bucketText(one, part) === bucketText(other, part)
    : String(one).toLowerCase() === String(other).toLowerCase()
}

function isInRange(
  { attributes }: Model,
  name: string | undefined,
  range: RangeQuestion | undefined,
  values: Values,
  closed: boolean,
): boolean {
  if (name === undefined || range === undefined) return true
  const value = values.get(name)
  if ('exact' in range) return sameValue(value, range.exact)
  const isDecimal = attributes.get(name)?.definition.type === 'decimal'
  return Object.entries(range.bounds).every(([bound, limit]) => {
    if (bound === 'beginsWith') return String(value).startsWith(String(limit))
    const order = compareValues(value, limit, isDecimal)
    if (order === undefined) return false
    if (order === 0) return closed || bound === 'from' || bound === 'to'
    return bound === 'from' || bound === 'gt' ? order > 0 : order < 0
  })
}

function passes(
  { attributes }: Model,
  test: FilterTest,
  { members }: Question,
  values: Values,
): boolean {
  const isDecimal = attributes.get(test.attribute)?.definition.type === 'decimal'
  return holdsFilter(test, values.get(test.attribute), operandsOf(test, members), isDecimal)
}

/** Whether a call reads several partitions. */
export function isSpread(query: Query): boolean {
  return query.models.some((model) =>
    useOf(query, model).hash.some(({ template }) =>
      template?.parts.some(
        (part) =>
          typeof part !== 'string' &&
          (part.by !== undefined ||
            (part.unit !== undefined && !query.definition.by.includes(part.name))),
      ),
    ),
  )
}
