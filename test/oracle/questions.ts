import { type Query, type Question, type RangeQuestion, useOf } from './question.ts'
import type { ReferenceItem } from './reference-item.ts'

/** The questions that a query is asked: without its range, and with all kinds of bounds at values
 * that are there. */
export function questionsOf(query: Query, reference: ReferenceItem): readonly Question[] {
  const { by, filter } = reference
  const plain: Question = { by, members: filter.members }
  const ranges = query.definition.range === undefined ? [] : rangesOf(query, reference)
  const isNeeded = query.pattern.input?.get(query.definition.range ?? '') === true
  return [...(isNeeded ? [] : [plain]), ...ranges.map((range) => ({ ...plain, range }))]
}

function rangesOf(query: Query, { spread }: ReferenceItem): readonly RangeQuestion[] {
  const { pattern, definition } = query
  const isNeeded = pattern.input?.get(definition.range ?? '') === true
  const last = spread.length - 1
  const low = spread[Math.min(1, Math.floor(last / 2))]
  const high = spread[Math.max(last - 1, Math.ceil(last / 2))]
  const middle = spread[Math.floor(spread.length / 2)]
  const begins =
    typeof middle === 'string' &&
    pattern.models[0]?.attributes.get(definition.range ?? '')?.definition.type === String
      ? [{ beginsWith: middle }, { beginsWith: middle.slice(0, -1) }]
      : []
  // A path has no bounds but its beginning, which has tests of its own.
  if (Array.isArray(middle)) return [{ exact: middle }]
  const open = [{ from: low }, { to: high }, { gt: low }, { lt: high }]
  const closed = [
    { from: spread[0], to: spread.at(-1) },
    { from: low, to: high },
    { from: middle, to: middle },
    ...(isKeyItself(query)
      ? []
      : [
          { gt: low, lt: high },
          { from: low, lt: high },
          { gt: low, to: high },
          // Nothing is between a value and itself or a smaller one.
          { from: high, to: low },
        ]),
  ]
  return [
    ...closed.map((bounds) => ({ bounds })),
    { exact: middle },
    ...(isNeeded ? [] : open).map((bounds) => ({ bounds })),
    ...begins.filter(({ beginsWith }) => beginsWith !== '').map((bounds) => ({ bounds })),
  ]
}

/** An attribute that is a key by itself takes one condition, and no filter: the library refuses two
 * bounds unless both are part of the range and in their order. */
function isKeyItself(query: Query): boolean {
  return query.models.some((model) =>
    useOf(query, model).sort.some(({ attribute }) => attribute?.name === query.definition.range),
  )
}
