import { needOf } from './choose-index.ts'
import { describeGaps } from './completeness.ts'
import { splitConjuncts } from './conjuncts.ts'
import { type FanOut, partitionsOf } from './fan-out.ts'
import type { Explanation, QueryPlan } from './plan.ts'
import { printReadable } from './print-readable.ts'

/** How a query or a scan will be carried out, and why so. */
export function explainQuery({
  state,
  match,
  request,
  others,
  gaps,
  operation,
}: QueryPlan): Explanation {
  const { model, hydrate, consistentRead, limit } = state
  const { FilterExpression, IndexName: index = 'primary' } = request
  const conjuncts = splitConjuncts(state.where)
  const refused = [...(match ? model.schema.indexes.keys() : [])]
    .filter((name) => name !== index)
    .map((name) => {
      const use = model.indexes.find((candidate) => candidate.index.name === name)
      const reason = use
        ? (needOf(model, use, conjuncts) ?? `could serve; ${index} was preferred`)
        : `${model.name} is not in it`
      return { index: name, reason }
    })
  const notes: string[] = []
  if (gaps.length > 0) {
    notes.push(`index "${index}" is not complete: ${describeGaps(gaps)} are not in it`)
  }
  if (match === undefined) {
    const what = index === 'primary' ? 'table' : `index "${index}"`
    notes.push(`the whole ${what} is read and paid for, whatever the filter leaves out`)
  } else if (FilterExpression !== undefined) {
    notes.push('the filter works after reading: what it leaves out is paid for')
  }
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(', ')
    notes.push(`items of ${names} can be among those read, so the type is filtered by`)
  }
  if (limit !== undefined && FilterExpression !== undefined) {
    notes.push(`more than ${limit} items may be read until ${limit} pass the filter`)
  }
  const { fan } = match ?? {}
  if (fan?.isOpen) {
    notes.push('the range has no end, so it goes until now: later items are not read')
  }
  if (fan && fan.shards > 1 && limit !== undefined) {
    notes.push(
      `of each shard about twice its part of ${limit} items is read, and more where that is too little`,
    )
  }
  const units = readUnits(consistentRead)
  return {
    operation: `${operation}${hydrate ? ', BatchGetItem' : ''}`,
    entity: model.name,
    index,
    refused,
    keyCondition: printReadable(request.KeyConditionExpression, request),
    filter: printReadable(FilterExpression, request),
    ...(fan && { partitions: describeFan(fan) }),
    requests: `${fan ? `${partitionsOf(fan)}: 1 per partition and page` : '1 per page'}${hydrate ? ', and 1 for every 100 whole items' : ''}`,
    capacity: `${units} read${hydrate ? `, and ${units} of each whole item` : ''}`,
    notes,
  }
}

/** Which partitions are read, and in which order. */
export function describeFan(fan: FanOut): string {
  const { first, last, unit, shards, texts } = fan
  const of = [
    ...(unit ? [`${Math.max(0, last - first + 1)} times a ${unit}, one after the other`] : []),
    ...(shards > 1 ? [`${shards} shards, merged by sort key`] : []),
  ]
  const keys = [texts(first, 0), texts(last, shards - 1)].map((key) => `"${key.join(', ')}"`)
  return `${partitionsOf(fan)} partitions, ${keys.join(' to ')}: ${of.join('; in each ')}`
}

export function readUnits(consistentRead: boolean): string {
  return `${consistentRead ? '1 read unit' : '0.5 read units'} per 4 KB`
}
