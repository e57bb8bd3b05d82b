import type { Anchor } from './anchor.ts'
import type { Query, Question, RangeQuestion } from './question.ts'

/** The questions that a query is asked: without its range, and with all kinds of bounds at values that are there. */
export function questionsOf(query: Query, anchor: Anchor): readonly Question[] {
  const { by, filter } = anchor
  const plain: Question = { by, members: filter.members }
  const ranges = query.definition.range === undefined ? [] : rangesOf(query, anchor)
  const isNeeded = query.pattern.input?.get(query.definition.range ?? '') === true
  return [...(isNeeded ? [] : [plain]), ...ranges.map((range) => ({ ...plain, range }))]
}

function rangesOf({ pattern, definition }: Query, { spread }: Anchor): readonly RangeQuestion[] {
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
  const open = [{ from: low }, { to: high }, { gt: low }, { lt: high }]
  const closed = [
    { from: spread[0], to: spread.at(-1) },
    { from: low, to: high },
    { from: middle, to: middle },
    // Nothing is between a value and itself or a smaller one; booleans are no bounds where it takes a filter to tell.
    ...(typeof low === 'boolean' && low === high
      ? []
      : [
          { gt: low, lt: high },
          { from: low, lt: high },
          { gt: low, to: high },
        ]),
    ...(typeof low === 'boolean' ? [] : [{ from: high, to: low }]),
  ]
  return [
    ...closed.map((bounds) => ({ bounds })),
    { exact: middle },
    ...(isNeeded ? [] : open).map((bounds) => ({ bounds })),
    ...begins.filter(({ beginsWith }) => beginsWith !== '').map((bounds) => ({ bounds })),
  ]
}
