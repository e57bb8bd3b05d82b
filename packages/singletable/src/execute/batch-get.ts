import type { GetPlan } from '../plan/plan.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { GetItemRequest, KeysAndAttributes } from '../wire/item-operations.ts'
import { batchIncomplete, drain, keyText } from './batch.ts'
import type { Call } from './call.ts'
import { decodeFound } from './decode-found.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'

const BATCH_GET_KEYS_MAX = 100

/** One key to fetch, however often it was asked for. */
interface Member {
  readonly request: GetItemRequest
  readonly text: string
  found: Item | undefined
}

/**
 * Fetches many items by key and gives the outputs in the order of the plans, `undefined` where there is none. Equal keys are fetched once.
 * `inputs` are what the caller gave for each plan, for the error that says which are missing.
 */
export async function executeBatchGet(
  context: TableContext,
  call: Call,
  plans: readonly GetPlan[],
  inputs: readonly unknown[],
): Promise<(Record<string, unknown> | undefined)[]> {
  const members = plans.map((plan) => plan.request)
  const found = await fetchItems(context, call, members)
  const outputs: (Record<string, unknown> | undefined)[] = []
  const done: unknown[] = []
  const remaining: unknown[] = []
  plans.forEach((plan, position) => {
    const member = found.members[position]
    if (member === undefined || found.left.has(member)) remaining.push(inputs[position])
    else {
      done.push(inputs[position])
      outputs.push(decodeFound(context, plan, member.found))
    }
  })
  if (remaining.length > 0) throw batchIncomplete(call, { done, remaining, outputs }, found.cause)
  return outputs
}

/** The raw items for keys of this table, in their order; used for whole items after reading a partial index, too. */
export async function fetchItems(
  context: TableContext,
  call: Call,
  requests: readonly GetItemRequest[],
): Promise<{
  readonly members: readonly Member[]
  readonly left: ReadonlySet<Member>
  readonly cause: unknown
}> {
  const names = keyNames(context)
  const groups = new Map<string, Map<string, Member>>()
  const members = requests.map((request) => {
    // A request has one projection per table, so keys with another one go into requests of their own.
    const shape = `${request.ConsistentRead === true} ${request.ProjectionExpression} ${JSON.stringify(request.ExpressionAttributeNames)}`
    let group = groups.get(shape)
    if (group === undefined) {
      group = new Map()
      groups.set(shape, group)
    }
    const text = keyText(request.Key, names)
    let member = group.get(text)
    if (member === undefined) {
      member = { request, text, found: undefined }
      group.set(text, member)
    }
    return member
  })
  const chunks: Member[][] = []
  for (const group of groups.values()) {
    const all = [...group.values()]
    for (let start = 0; start < all.length; start += BATCH_GET_KEYS_MAX) {
      chunks.push(all.slice(start, start + BATCH_GET_KEYS_MAX))
    }
  }
  const { left, cause } = await drain(context, call, chunks, (chunk) =>
    sendChunk(context, call, chunk),
  )
  return { members, left: new Set(left), cause }
}

async function sendChunk(
  context: TableContext,
  call: Call,
  chunk: readonly Member[],
): Promise<readonly Member[]> {
  const names = keyNames(context)
  const byKey = new Map(chunk.map((member) => [member.text, member]))
  const { ConsistentRead, ProjectionExpression, ExpressionAttributeNames } = chunk[0]!.request
  const keys: KeysAndAttributes = { Keys: chunk.map((member) => member.request.Key) }
  if (ConsistentRead === true) keys.ConsistentRead = true
  if (ProjectionExpression !== undefined) keys.ProjectionExpression = ProjectionExpression
  if (ExpressionAttributeNames !== undefined)
    keys.ExpressionAttributeNames = ExpressionAttributeNames
  const response = await send(
    context,
    call,
    'BatchGetItem',
    { RequestItems: { [context.name]: keys } },
    READ,
  )
  for (const item of getOwn(response.Responses ?? {}, context.name) ?? []) {
    const member = byKey.get(keyText(item, names))
    if (member !== undefined) member.found = item
  }
  const unprocessed = getOwn(response.UnprocessedKeys ?? {}, context.name)?.Keys ?? []
  return unprocessed.flatMap((key) => byKey.get(keyText(key, names)) ?? [])
}

function keyNames(context: TableContext): readonly string[] {
  const { hash, sort } = context.schema.primary
  return [...hash, ...sort]
}
