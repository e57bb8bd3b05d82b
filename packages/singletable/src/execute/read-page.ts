import type { QueryPlan } from '../plan/plan.ts'
import { keyNamesOf } from '../plan/projection.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type {
  ConsumedCapacity,
  GetItemRequest,
  QueryRequest,
  ReadPageResponse,
  ScanRequest,
} from '../wire/item-operations.ts'
import { batchIncomplete } from './batch.ts'
import { fetchItems } from './batch-get.ts'
import type { Call } from './call.ts'
import { isExpired } from './decode-found.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'

/** DynamoDB's Limit is a 32-bit number. */
const LIMIT_MAX = 2_147_483_647

export type Output = Record<string, unknown>

/** What one request gives. */
export interface ReadPage {
  readonly outputs: readonly Output[]
  /** Where to go on; nothing more if undefined. */
  readonly next: Item | undefined
  readonly scannedCount: number
  readonly capacity: ConsumedCapacity | undefined
}

/** Sends one request of a query or scan, the plan's own or one segment of it, and gives the outputs of at most `most` items. */
export async function readPage(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  request: QueryRequest | ScanRequest,
  start: Item | undefined,
  most: number,
): Promise<ReadPage> {
  const response = await sendPage(context, call, plan, request, start, most)
  const { model } = plan
  const items = response.Items ?? []
  const outputs: Output[] = []
  const accepted: Item[] = []
  let next = response.LastEvaluatedKey
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!
    if (!isOfModel(model, item)) continue
    if (!plan.countable && !plan.includeExpired && isExpired(model, item, context)) continue
    const count = plan.hydrate
      ? accepted.push(item)
      : outputs.push(model.decode(item, plan.partial))
    if (count === most && index < items.length - 1) {
      next = keyOf(plan, item)
      break
    }
  }
  return {
    outputs: plan.hydrate ? await hydrate(context, call, plan, accepted) : outputs,
    next,
    scannedCount: response.ScannedCount,
    capacity: response.ConsumedCapacity,
  }
}

/** Sends one request; without a filter it asks for no more items than are wanted. */
export function sendPage(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  request: QueryRequest | ScanRequest,
  start: Item | undefined,
  most: number,
): Promise<ReadPageResponse> {
  const limit = Math.min(plan.pageSize ?? LIMIT_MAX, plan.filtered ? LIMIT_MAX : most)
  if (start !== undefined || limit < LIMIT_MAX) {
    request = { ...request }
    if (start !== undefined) request.ExclusiveStartKey = start
    if (limit < LIMIT_MAX) request.Limit = limit
  }
  return send(context, call, plan.operation, request, READ)
}

/**
 * An index can hold items of other models between ours. An item without a type was written by other means, and its keys tell whether it is of
 * the model.
 */
function isOfModel(model: Model, item: Item): boolean {
  const type = getOwn(item, model.schema.params.typeField)
  if (type !== undefined) return type.S === model.name
  for (const { name, template } of [...model.primary.hash, ...model.primary.sort]) {
    const text = getOwn(item, name)?.S
    if (template !== undefined && (text === undefined || template.match(text) === undefined)) {
      return false
    }
  }
  return true
}

/** The key after which reading goes on behind an item. */
function keyOf({ model, index }: QueryPlan, item: Item): Item {
  const key: Record<string, AttributeValue> = {}
  for (const name of keyNamesOf(model, index)) {
    const value = getOwn(item, name)
    if (value !== undefined) key[name] = value
  }
  return key
}

/** Fetches the whole items that an index has only in part, in the same order. Those that are gone by now are left out. */
async function hydrate(
  context: TableContext,
  call: Call,
  plan: QueryPlan,
  items: readonly Item[],
): Promise<Output[]> {
  const { model, projection } = plan
  const requests = items.map((item): GetItemRequest => {
    const Key = keyFromItem(model.schema.primary, item)
    return { TableName: context.name, Key, ...projection }
  })
  const { members, left, cause } = await fetchItems(context, call, requests)
  if (cause !== undefined) throw cause
  if (left.size > 0) {
    const remaining = [...left].map(({ request }) => request.Key)
    throw batchIncomplete(call, { done: [], remaining, outputs: [] }, undefined)
  }
  const outputs: Output[] = []
  for (const { found } of members) {
    if (found === undefined || !isOfModel(model, found)) continue
    if (!plan.includeExpired && isExpired(model, found, context)) continue
    outputs.push(model.decode(found, plan.partial))
  }
  return outputs
}
