import { TransactionCanceledError } from '../errors/transaction-canceled-error.ts'
import type { StagedPlan, UpdatePlan, WritePlan } from '../plan/plan.ts'
import { printPaths } from '../plan/projection.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import type { UpdateItemRequest, WriteItemResponse } from '../wire/item-operations.ts'
import type { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'
import { isAnswer, nameConditionFailure } from './condition-failure.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'
import { executeTransactWrite } from './transact-write.ts'

/** How often a write that depends on what was read is planned anew because others came in between. */
const ROUNDS_MAX = 10

/**
 * Carries out a write and gives what it returns; one that depends on stored attributes reads them first. Conditions that fail are told by
 * name, except that of what was read: then the write is planned anew.
 */
export async function executeWrite(
  context: TableContext,
  call: Call,
  plan: UpdatePlan,
): Promise<Record<string, unknown> | undefined> {
  const isStaged = plan.kind !== 'write'
  let current = isStaged ? await readItem(context, call, plan) : undefined
  for (let round = 1; ; round++) {
    if (isStaged && current === undefined && plan.expects.exists) {
      throw nameConditionFailure(context, call, plan, undefined, undefined)
    }
    const writes = isStaged ? plan.finish(current) : ([plan] as const)
    const [first, second] = writes
    try {
      if (second === undefined) return outputOf(first, await sendWrite(context, call, first))
      await executeTransactWrite(context, call, writes, undefined)
      return first.output
    } catch (error) {
      const items = failedItems(error)
      const failed = items.findLastIndex((item) => item !== null)
      const write = writes[failed]
      if (write === undefined) throw error
      const item = items[failed] ?? undefined
      // The answer to an earlier attempt was lost; if the item is the one we sent, that attempt has written it.
      if (call.ambiguous && first.request.Item && item && sameValue(first.request.Item, item)) {
        return first.output
      }
      const isOurs = isStaged && write === writes.at(-1) && !isSame(plan, current, item)
      if (!isOurs || round >= ROUNDS_MAX)
        throw nameConditionFailure(context, call, write, item, error)
      // The item came with the answer, so that it need not be read again.
      current = item
    }
  }
}

/** The items on which conditions failed, in the order of the writes: `undefined` where there is no item, `null` where nothing failed. */
function failedItems(error: unknown): readonly (Item | undefined | null)[] {
  if (isAnswer(error, 'ConditionalCheckFailedException')) return [error.Item]
  if (!(error instanceof TransactionCanceledError)) return []
  // Transactions are cancelled by an answer of the service.
  const { CancellationReasons = [] } = error.cause as ServiceError
  return CancellationReasons.map(({ Code, Item }) =>
    Code === 'ConditionalCheckFailed' ? Item : null,
  )
}

/** Whether what was read is still there, so that another condition must have failed. */
function isSame({ reads }: StagedPlan, a: Item = {}, b: Item = {}): boolean {
  return (reads ?? Object.keys({ ...a, ...b })).every((name) =>
    sameValue(getOwn(a, name), getOwn(b, name)),
  )
}

async function readItem(
  context: TableContext,
  call: Call,
  { key, reads }: StagedPlan,
): Promise<Item | undefined> {
  const request = {
    TableName: context.name,
    Key: key,
    ConsistentRead: true,
    ...(reads && printPaths(reads.map((name) => [name]))),
  }
  return (await send(context, call, 'GetItem', request, READ)).Item
}

function sendWrite(
  context: TableContext,
  call: Call,
  { action, request, idempotent }: WritePlan,
): Promise<WriteItemResponse> {
  // A check is never sent alone, and each of the others has the members of its operation.
  const operation = `${action}Item` as 'UpdateItem'
  return send(context, call, operation, request as UpdateItemRequest, { write: true, idempotent })
}

function outputOf(
  { model, request, output }: WritePlan,
  { Attributes }: WriteItemResponse,
): Record<string, unknown> | undefined {
  const isPartial = request.ReturnValues?.startsWith('UPDATED')
  return output ?? (Attributes && model.decode(Attributes, isPartial === true))
}
