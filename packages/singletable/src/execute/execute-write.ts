import { ConditionFailedError } from '../errors/condition-failed-error.ts'
import { gatherWrites } from '../plan/gather-writes.ts'
import type { StagedPlan, UpdatePlan, WritePlan } from '../plan/plan.ts'
import { planDelete } from '../plan/plan-delete.ts'
import { printPaths } from '../plan/projection.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import type { UpdateItemRequest, WriteItemResponse } from '../wire/item-operations.ts'
import type { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'
import { isAnswer, nameCompanionFailure, nameConditionFailure } from './condition-failure.ts'
import { isExpired } from './decode-found.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'
import { canceled, sendWrites } from './transact-write.ts'

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
  let current = isStaged && !plan.optimistic ? await readItem(context, call, plan) : undefined
  for (let round = 1; ; round++) {
    if (isStaged) {
      const expired = current && isExpired(plan.model, current, context)
      const stands = current !== undefined && !expired
      if (stands ? plan.expects.absent : plan.expects.exists) {
        throw nameConditionFailure(context, call, plan, current, undefined)
      }
      // An upsert makes the item anew, and what it makes has nothing of one that is over.
      if (expired && plan.verb === 'upsert' && !plan.reads) {
        await deleteExpired(context, call, plan.model, current!)
        current = undefined
      }
    }
    const writes = isStaged ? plan.finish(current) : ([plan] as const)
    const [first, second] = writes
    let error: unknown
    let items: readonly (Item | undefined | null)[]
    if (second === undefined && !first.companions?.length) {
      try {
        return outputOf(first, await sendWrite(context, call, first))
      } catch (failure) {
        if (!isAnswer(failure, 'ConditionalCheckFailedException')) throw failure
        error = failure
        items = [failure.Item]
      }
    } else {
      const gathered = gatherWrites(writes)
      const cancellation = await sendWrites(context, call, gathered, undefined)
      if (cancellation === undefined) return gathered.writes[0]!.output
      error = canceled(call, cancellation.writes, cancellation.cause, cancellation.owners)
      items = failedItems(cancellation.cause)
      const failed = items.findIndex((item) => item !== null)
      // Of the item itself before what follows from it: if it has changed, so may have what follows.
      if (failed < 0) throw error
      if (failed >= writes.length) {
        throw nameCompanionFailure(call, first, cancellation.writes[failed]!, error)
      }
    }
    const failed = items.findLastIndex((item, position) => item !== null && writes[position])
    const write = writes[failed]
    if (write === undefined) throw error
    const item = items[failed] ?? undefined
    // The answer to an earlier attempt was lost; if the item is the one we sent, that attempt has written it.
    const made = first.request.Item ?? first.after
    const own = items[0]
    if (call.ambiguous && made && own && sameValue(made, own)) return first.output
    const inTheWay = plan.verb === 'upsert' || (isStaged && write !== writes.at(-1))
    if (inTheWay && item && isExpired(plan.model, item, context) && round < ROUNDS_MAX) {
      await deleteExpired(context, call, plan.model, item)
      if (plan.verb === 'upsert') current = undefined
      continue
    }
    const isOurs = isStaged && write === writes.at(-1) && !isSame(plan, current, item)
    if (!isOurs || round >= ROUNDS_MAX)
      throw nameConditionFailure(context, call, write, item, error)
    // The item came with the answer, so that it need not be read again.
    current = item
  }
}

/** Deletes an item whose time to live is over, as DynamoDB will some day, with all that follows from it. */
export async function deleteExpired(
  context: TableContext,
  call: Call,
  model: Model,
  item: Item,
): Promise<void> {
  const { name, stored, codec } = model.ttl!
  const key = keyFromItem(context.schema.primary, item)
  const state = {
    model,
    key: Object.fromEntries(Object.entries(key).map(([each, { S }]) => [each, S])),
    given: { [name]: codec.decode(item[stored]!) },
    where: undefined,
    capacity: undefined,
    version: undefined,
    returning: 'NONE',
    mustExist: false,
  } as const
  try {
    await executeWrite(context, call, planDelete(state, { ...context, tableName: context.name }))
  } catch (error) {
    // Someone else was quicker; whoever asked looks again.
    if (!(error instanceof ConditionFailedError)) throw error
  }
}

/** The items on which conditions failed, in the order of the writes: `undefined` where there is no item, `null` where nothing failed. */
function failedItems({ CancellationReasons = [] }: ServiceError): (Item | undefined | null)[] {
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
  return output ?? (Attributes && model.decode(Attributes, isPartial === true, request.Key))
}
