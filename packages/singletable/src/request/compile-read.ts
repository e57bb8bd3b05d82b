import { allOf, compare } from '../expression/build.ts'
import { PrintedPlaceholders, printCondition } from '../expression/print.ts'
import type { Condition, Path } from '../expression/tree.ts'
import { definedMembers } from '../plan/defined-members.ts'
import type { GetPlan } from '../plan/plan.ts'
import type { ReadPlan } from '../plan/read/read-plan.ts'
import type { Item } from '../values/attribute-value.ts'
import type { GetItemRequest, QueryRequest, ScanRequest } from '../wire/item-operations.ts'
import { printPaths } from './print-paths.ts'
import { printSized } from './print-sized.ts'

/** A plan's request, complete but for Limit and ExclusiveStartKey, which change from page to
 * page. */
export type ReadRequest = QueryRequest & ScanRequest

/** The request of a query or a scan, for one of its partitions; for the first unless it is
 * given. */
export function compileRead(plan: ReadPlan, partition: Item = plan.partition): ReadRequest {
  const { state, index, sort, filter, alive, projection, operation } = plan
  const placeholders = new PrintedPlaceholders()
  const print = (conditions: readonly Condition[]): string | undefined => {
    const all = allOf(conditions)
    return all && printSized(all, placeholders, plan.place)
  }
  const keys = equalities(partition)
  if (sort) keys.push(sort)
  const KeyConditionExpression = print(keys)
  const FilterExpression = print([filter, alive].filter((each) => each !== undefined))
  return definedMembers<ReadRequest>({
    TableName: plan.tableName,
    IndexName: index.type === 'primary' ? undefined : index.name,
    KeyConditionExpression,
    ScanIndexForward: operation === 'Query' && !state.forward ? false : undefined,
    FilterExpression,
    Select: plan.counts ? 'COUNT' : undefined,
    ProjectionExpression: projection && printPaths(projection, placeholders).ProjectionExpression,
    ExpressionAttributeNames: placeholders.names(),
    ExpressionAttributeValues: placeholders.values(),
    ConsistentRead: state.consistentRead || undefined,
    ReturnConsumedCapacity: state.capacity,
    Segment: state.segment?.segment,
    TotalSegments: state.segment?.total,
  })
}

/** The request of some attributes of all items of a partition of the table. */
export function compilePartition(
  tableName: string,
  partition: Item,
  paths: readonly Path[],
): QueryRequest {
  const placeholders = new PrintedPlaceholders()
  const { ProjectionExpression } = printPaths(paths, placeholders)
  return definedMembers<QueryRequest>({
    TableName: tableName,
    KeyConditionExpression: printCondition(allOf(equalities(partition))!, placeholders),
    ProjectionExpression,
    ExpressionAttributeNames: placeholders.names(),
    ExpressionAttributeValues: placeholders.values(),
    ConsistentRead: true,
  })
}

function equalities(values: Item): Condition[] {
  return Object.keys(values).map((name) => compare(name, '=', values[name]!))
}

/**
 * What makes a plan this query: a cursor is good for no other one. The same for builders and
 * patterns, and for conditions in another order.
 */
export function fingerprintOf(plan: ReadPlan): string {
  const { tableName, state, members, index, partition, fan, sort, filter } = plan
  const { forward, segment, verb } = state
  let text = `${forward} ${print(segment)}${print(tableName)}${print(index.name)}`
  for (const { model } of members) text += print(model.name)
  text += state.members ? 'collect' : verb
  return text + print(partition) + print(fan?.keys) + printAll(sort) + printAll(filter)
}

/** What must hold, in an order of its own. */
function printAll(condition: Condition | undefined): string {
  if (condition?.kind !== 'and') return print(condition)
  const all: string[] = []
  const add = (each: Condition): void => {
    if (each.kind !== 'and') all.push(print(each))
    else [each.left, each.right].forEach(add)
  }
  add(condition)
  return all.sort().join('&')
}

/** Different for different data. In less than half the time of JSON, which also looks for what a
 * string has to escape. */
function print(value: unknown): string {
  if (typeof value === 'string') return `${value.length}:${value}`
  if (typeof value !== 'object' || value === null) return `${value};`
  let text = '{'
  for (const name in value) text += `${name}:${print(value[name as keyof typeof value])}`
  return `${text}}`
}

/** The request of one item by its primary key. */
export function compileGet(plan: GetPlan): GetItemRequest {
  const { tableName, key, projection, consistentRead, capacity } = plan
  return definedMembers<GetItemRequest>({
    TableName: tableName,
    Key: key,
    ConsistentRead: consistentRead || undefined,
    ReturnConsumedCapacity: capacity,
    ...(projection && ('ProjectionExpression' in projection ? projection : printPaths(projection))),
  })
}
