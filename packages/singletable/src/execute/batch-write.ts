import { InputError } from '../errors/input-error.ts'
import type { WritePlan } from '../plan/plan.ts'
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
/** No text grows more than this when it is written as JSON: a control character becomes six. */
const JSON_GROWTH_MAX = 6

interface Member {
  readonly input: unknown
  readonly request: WriteRequest
  readonly text: string
}

const IDEMPOTENT = { write: true, idempotent: true }

/** Writes many items, without conditions. Two writes of one item in a batch are refused, because their order would be left to chance. */
export async function executeBatchWrite(
  context: TableContext,
  call: Call,
  plans: readonly WritePlan[],
  inputs: readonly unknown[],
): Promise<void> {
  const names = [...context.schema.primary.hash, ...context.schema.primary.sort]
  const members = new Map<string, Member>()
  plans.forEach((plan, position) => {
    const text = keyText(plan.key, names)
    if (members.has(text)) {
      throw refuse(
        call,
        position,
        'writes an item that another member writes, too',
        'keep one of the two',
      )
    }
    members.set(text, {
      input: inputs[position],
      request: writeRequest(call, plan, position),
      text,
    })
  })
  const chunks = split([...members.values()])
  const { left, cause } = await drain(context, call, chunks, async (chunk) => {
    const response = await send(
      context,
      call,
      'BatchWriteItem',
      { RequestItems: { [context.name]: chunk.map((member) => member.request) } },
      IDEMPOTENT,
    )
    const unprocessed = getOwn(response.UnprocessedItems ?? {}, context.name) ?? []
    return unprocessed.flatMap((request) => {
      const key = request.PutRequest?.Item ?? request.DeleteRequest?.Key
      return (key && members.get(keyText(key, names))) ?? []
    })
  })
  if (left.length === 0) return
  const remaining = new Set(left)
  const done = [...members.values()].filter((member) => !remaining.has(member))
  throw batchIncomplete(
    call,
    { done: done.map((member) => member.input), remaining: left.map((member) => member.input) },
    cause,
  )
}

function writeRequest(call: Call, plan: WritePlan, position: number): WriteRequest {
  const { action } = plan
  if ('Put' in action && action.Put.ConditionExpression === undefined) {
    return { PutRequest: { Item: action.Put.Item } }
  }
  if ('Delete' in action && action.Delete.ConditionExpression === undefined) {
    return { DeleteRequest: { Key: action.Delete.Key } }
  }
  throw refuse(
    call,
    position,
    `is a ${plan.verb} ${'Put' in action || 'Delete' in action ? 'with a condition' : ''}, which DynamoDB's batches can't do`,
    'use execute() on it, or table.transactWrite()',
  )
}

function refuse(call: Call, position: number, problem: string, fix: string): InputError {
  return new InputError(
    'BATCH_INVALID',
    { what: `Member ${position} of the batch ${problem}.`, where: call.place, fix },
    [{ path: [position], message: problem }],
  )
}

function split(members: readonly Member[]): readonly (readonly Member[])[] {
  const chunks: Member[][] = []
  let chunk: Member[] = []
  let bytes = 0
  for (const member of members) {
    const size = wireBytes(member.request)
    if (chunk.length === BATCH_WRITE_REQUESTS_MAX || bytes + size > BATCH_WRITE_MAX_BYTES) {
      chunks.push(chunk)
      chunk = []
      bytes = 0
    }
    chunk.push(member)
    bytes += size
  }
  if (chunk.length > 0) chunks.push(chunk)
  return chunks
}

/** The bytes of a request as JSON: exact where that matters, else a bound that is quick to find. */
function wireBytes(request: WriteRequest): number {
  const item = request.PutRequest?.Item ?? request.DeleteRequest?.Key ?? {}
  const bound = itemSizeBytes(item) * JSON_GROWTH_MAX
  return bound < BATCH_WRITE_MAX_BYTES / BATCH_WRITE_REQUESTS_MAX
    ? bound
    : utf8Length(JSON.stringify(request))
}
