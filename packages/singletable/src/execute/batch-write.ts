import { InputError } from '../errors/input-error.ts'
import type { WritePlan } from '../plan/plan.ts'
import { buildsOnItem } from '../plan/write/complete.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'
import { keyAttributes } from '../schema/index-keys.ts'
import type { Item } from '../values/attribute-value.ts'
import { BATCH_WRITE_MAX } from '../values/limits.ts'
import { getOwn } from '../values/own.ts'
import { itemSizeBytes } from '../values/size.ts'
import { utf8Length } from '../values/utf8.ts'
import type { WriteRequest } from '../wire/item-operations.ts'
import { batchIncomplete, drain, keyText } from './batch.ts'
import type { Call } from './call.ts'
import { executeWrite } from './execute-write.ts'
import { send } from './send.ts'
import type { TableContext } from './table-context.ts'

/** The service takes 16 MB; this leaves room for what is around the items. */
const BATCH_WRITE_MAX_BYTES = 15 * 1024 * 1024
/** No part of an item grows more than this when it is written as JSON. */
const JSON_GROWTH_MAX = 10

/**
 * Writes many items, without conditions. Two writes of one item in a batch are refused, because
 * their order would be left to chance.
 */
export async function executeBatchWrite(
  context: TableContext,
  call: Call,
  plans: readonly UpdatePlan[],
  inputs: readonly unknown[],
): Promise<readonly (Record<string, unknown> | undefined)[]> {
  const names = keyAttributes(context.schema.primary)
  const positions = new Map<string, number>()
  const chunks: number[][] = [[]]
  let bytes = 0
  const outputs: (Record<string, unknown> | undefined)[] = []
  // What takes a transaction each, or a read before.
  const alone = new Set<number>()
  for (const [position, plan] of plans.entries()) {
    const { verb, key } = plan
    const { update, condition, idempotent: isRepeatable } = plan.kind === 'write' ? plan : {}
    const text = keyText(key, names)
    const problem = positions.has(text)
      ? 'writes an item that another one writes, too'
      : (verb !== 'put' && update) ||
          // A put that keeps what the caller can't see asks that the item has not expired.
          (condition && !(buildsOnItem(plan) && isRepeatable)) ||
          (plan.kind !== 'write' && plan.unconditional === false)
        ? `is a ${verb} with a condition or changes${plan.model.version && verb === 'put' ? ' (its version is one)' : ''}, which DynamoDB's batches don't support`
        : undefined
    if (problem !== undefined) {
      throw new InputError(
        'BATCH_INVALID',
        {
          what: `Member ${position} of the batch ${problem}.`,
          where: call.place,
          fix: 'leave it out, and use execute() on it, or table.transactWrite()',
        },
        [{ path: [position], message: problem }],
      )
    }
    positions.set(text, position)
    if (plan.kind !== 'write' || plan.derivedItems || plan.action === 'Update') {
      alone.add(position)
      continue
    }
    outputs[position] = plan.output
    const size = jsonBytes(plan.item ?? key)
    bytes += size
    if (chunks.at(-1)?.length === BATCH_WRITE_MAX || bytes > BATCH_WRITE_MAX_BYTES) {
      chunks.push([])
      bytes = size
    }
    chunks.at(-1)!.push(position)
  }
  const singles = Array.from(alone, (position) => [position])
  const { left, cause } = await drain(context, call, [...chunks, ...singles], async (chunk) => {
    const [position = 0] = chunk
    if (alone.has(position)) {
      // What is not known of one says nothing of the others.
      outputs[position] = await executeWrite(context, { ...call }, plans[position]!)
      return []
    }
    const requests = chunk.map((position): WriteRequest => {
      // The others are alone.
      const { item, key } = plans[position] as WritePlan
      return item ? { PutRequest: { Item: item } } : { DeleteRequest: { Key: key } }
    })
    const request = { RequestItems: { [context.name]: requests } }
    const { UnprocessedItems = {} } = await send(context, call, 'BatchWriteItem', request, {
      write: true,
      idempotent: true,
    })
    const unprocessed = getOwn(UnprocessedItems, context.name) ?? []
    return unprocessed.flatMap(({ PutRequest, DeleteRequest }) => {
      const key = PutRequest?.Item ?? DeleteRequest?.Key
      return (key && positions.get(keyText(key, names))) ?? []
    })
  })
  if (left.length === 0) return outputs
  const done = inputs.filter((_, position) => !left.includes(position))
  const remaining = left.map((position) => inputs[position])
  throw batchIncomplete(call, { done, remaining }, cause)
}

/** The bytes of an item as JSON: exact where that matters, else a bound that is quick to find. */
function jsonBytes(item: Item): number {
  const bound = itemSizeBytes(item) * JSON_GROWTH_MAX
  return bound < BATCH_WRITE_MAX_BYTES / BATCH_WRITE_MAX ? bound : utf8Length(JSON.stringify(item))
}
