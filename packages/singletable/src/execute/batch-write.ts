import { InputError } from '../errors/input-error.ts'
import type { WritePlan } from '../plan/plan.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { itemSizeBytes } from '../values/size.ts'
import { utf8Length } from '../values/utf8.ts'
import type { WriteRequest } from '../wire/item-operations.ts'
import { batchIncomplete, drain, keyText } from './batch.ts'
import type { Call } from './call.ts'
import { send } from './send.ts'
import type { TableContext } from './table-context.ts'

const BATCH_WRITE_REQUESTS_MAX = 25
/** The service takes 16 MB; what stands around the items is left room for. */
const BATCH_WRITE_MAX_BYTES = 15 * 1024 * 1024
/** No part of an item grows more than this when it is written as JSON. */
const JSON_GROWTH_MAX = 10

interface Member {
  readonly input: unknown
  readonly request: WriteRequest
}

/** Writes many items, without conditions. Two writes of one item in a batch are refused, because their order would be left to chance. */
export async function executeBatchWrite(
  context: TableContext,
  call: Call,
  plans: readonly WritePlan[],
  inputs: readonly unknown[],
): Promise<void> {
  const { hash, sort } = context.schema.primary
  const names = [...hash, ...sort]
  const members = new Map<string, Member>()
  const chunks: Member[][] = []
  let bytes = 0
  for (const [position, { verb, request, key }] of plans.entries()) {
    const { Item, UpdateExpression, ConditionExpression } = request
    const text = keyText(key, names)
    if (members.has(text)) {
      refuse(call, position, 'writes an item that another one writes, too', 'keep one of the two')
    }
    if (UpdateExpression !== undefined || ConditionExpression !== undefined) {
      refuse(
        call,
        position,
        `is a ${verb} that changes an item or has a condition, which DynamoDB's batches can't do`,
        'use execute() on it, or table.transactWrite()',
      )
    }
    const member: Member = {
      input: inputs[position],
      request: Item ? { PutRequest: { Item } } : { DeleteRequest: { Key: key } },
    }
    members.set(text, member)
    const size = jsonBytes(Item ?? key)
    let chunk = chunks.at(-1)
    if (
      chunk === undefined ||
      chunk.length === BATCH_WRITE_REQUESTS_MAX ||
      bytes + size > BATCH_WRITE_MAX_BYTES
    ) {
      chunk = []
      chunks.push(chunk)
      bytes = 0
    }
    chunk.push(member)
    bytes += size
  }
  const { left, cause } = await drain(context, call, chunks, async (chunk) => {
    const RequestItems = { [context.name]: chunk.map(({ request }) => request) }
    const kind = { write: true, idempotent: true }
    const response = await send(context, call, 'BatchWriteItem', { RequestItems }, kind)
    const unprocessed = getOwn(response.UnprocessedItems ?? {}, context.name) ?? []
    return unprocessed.flatMap(({ PutRequest, DeleteRequest }) => {
      const key = PutRequest?.Item ?? DeleteRequest?.Key
      return (key && members.get(keyText(key, names))) ?? []
    })
  })
  if (left.length === 0) return
  const remaining = new Set(left)
  const done = [...members.values()].filter((member) => !remaining.has(member))
  const inputsOf = (list: readonly Member[]): unknown[] => list.map(({ input }) => input)
  throw batchIncomplete(call, { done: inputsOf(done), remaining: inputsOf(left) }, cause)
}

function refuse(call: Call, position: number, problem: string, fix: string): never {
  throw new InputError(
    'BATCH_INVALID',
    { what: `Member ${position} of the batch ${problem}.`, where: call.place, fix },
    [{ path: [position], message: problem }],
  )
}

/** The bytes of an item as JSON: exact where that matters, else a bound that is quick to find. */
function jsonBytes(item: Item): number {
  const bound = itemSizeBytes(item) * JSON_GROWTH_MAX
  return bound < BATCH_WRITE_MAX_BYTES / BATCH_WRITE_REQUESTS_MAX
    ? bound
    : utf8Length(JSON.stringify(item))
}
