import type { Model } from '../schema/model.ts'
import type { QueryRequest, ScanRequest } from '../wire/item-operations.ts'
import { reasonAgainst } from './choose-index.ts'
import type { Conjuncts } from './conjuncts.ts'
import type { KeyMatch } from './key-condition.ts'
import type { Explanation } from './plan.ts'
import { printReadable } from './print-readable.ts'
import type { QueryState } from './state.ts'

/** What the planner decided. */
export interface QueryDecision {
  readonly state: QueryState
  /** None for a scan. */
  readonly match: KeyMatch | undefined
  readonly request: QueryRequest & ScanRequest
  readonly conjuncts: Conjuncts
  /** Models whose items can be among those read. */
  readonly others: readonly Model[]
}

/** How a query or a scan will be carried out, and why so. */
export function explainQuery(decision: QueryDecision): Explanation {
  const { state, match, request, conjuncts } = decision
  const { model, hydrate, consistentRead } = state
  const index = request.IndexName ?? 'primary'
  const refused = []
  for (const { name } of match === undefined ? [] : model.schema.indexes.values()) {
    if (match === undefined || name === index) continue
    const use = model.indexes.find((candidate) => candidate.index.name === name)
    const reason = use ? reasonAgainst(use, conjuncts, match) : `${model.name} is not in it`
    refused.push({ index: name, reason })
  }
  const units = consistentRead ? '1 read unit' : '0.5 read units'
  return {
    operation: `${match ? 'Query' : 'Scan'}${hydrate ? ', BatchGetItem' : ''}`,
    entity: model.name,
    index,
    refused,
    keyCondition: printReadable(request.KeyConditionExpression, request),
    filter: printReadable(request.FilterExpression, request),
    requests: `1 per page${hydrate ? ', and 1 for every 100 whole items' : ''}`,
    capacity: `${units} per 4 KB read${hydrate ? `, and ${units} per 4 KB of each whole item` : ''}`,
    notes: notesOf(decision, index),
  }
}

function notesOf({ state, match, request, others }: QueryDecision, index: string): string[] {
  const notes: string[] = []
  if (match === undefined) {
    const what = index === 'primary' ? 'table' : `index "${index}"`
    notes.push(`the whole ${what} is read and paid for, whatever the filter leaves out`)
  } else if (request.FilterExpression !== undefined) {
    notes.push('the filter works after reading: what it leaves out is paid for')
  }
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(', ')
    notes.push(`items of ${names} can be among those read, so the type is filtered by`)
  }
  const { limit } = state
  if (limit !== undefined && request.FilterExpression !== undefined) {
    notes.push(`more than ${limit} items may be read until ${limit} pass the filter`)
  }
  return notes
}
