import { ConditionFailedError } from '../errors/condition-failed-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { isExpired } from '../plan/is-expired.ts'
import type { WritePlan } from '../plan/plan.ts'
import { buildsOnItem, complete, planExisting } from '../plan/write/complete.ts'
import { gatherWrites } from '../plan/write/gather-writes.ts'
import { planExpiry } from '../plan/write/plan-delete.ts'
import type { StagedPlan, UpdatePlan } from '../plan/write/staged-plan.ts'
import { compileWrite } from '../request/compile-write.ts'
import { printPaths } from '../request/print-paths.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import type { UpdateItemRequest, WriteItemResponse } from '../wire/item-operations.ts'
import type { ServiceError } from '../wire/service-error.ts'
import { type Call, waitForRetry } from './call.ts'
import { type Cancellation, canceled } from './canceled.ts'
import { isAnswer, nameConditionFailure, nameDerivedFailure } from './condition-failure.ts'
import { decodeItem } from './decode-found.ts'
import { outcomeUnknown, READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'
import { sendWrites } from './transact-write.ts'

/**
 * How long a call without a deadline retries while others change the item before each of its
 * writes.
 */
const CONTENTION_MS_MAX = 60_000

/**
 * Carries out a write and gives what it returns; one that depends on stored attributes reads them
 * first. Conditions that fail are reported by name, except the one on what was read: then the write
 * is planned again after a random pause, until the deadline. With `exactlyOnce` a write is a
 * transaction even if it is one item.
 */
export async function executeWrite(
  context: TableContext,
  call: Call,
  plan: UpdatePlan,
  exactlyOnce = false,
): Promise<Record<string, unknown> | undefined> {
  const isStaged = plan.kind !== 'write'
  const startedAt = context.environment.now()
  let current = isStaged && !plan.optimistic ? await readItem(context, call, plan) : undefined
  let existing: WritePlan | undefined
  for (let round = 1; ; round++) {
    if (isStaged) {
      const expired = current && isExpired(plan.model, current, context)
      const isThere = current !== undefined && !expired
      if (isThere ? plan.expects.absent : plan.expects.exists) {
        throw nameConditionFailure(context, call, plan, current, undefined)
      }
      // An upsert creates the item again, without any values of the expired one.
      if (expired && plan.verb === 'upsert' && !plan.reads) {
        await deleteExpired(context, call, plan.model, current!)
        current = undefined
      }
    }
    const writes = isStaged
      ? complete(plan, current, context.environment.now())
      : ([existing ?? plan] as const)
    const [first, second] = writes
    let error: unknown
    let items: readonly (Item | undefined | null)[]
    if (second === undefined && !first.derivedItems?.length && !exactlyOnce) {
      try {
        return outputOf(context, first, await sendWrite(context, call, first))
      } catch (failure) {
        if (!isAnswer(failure, 'ConditionalCheckFailedException')) throw failure
        const { Item } = failure
        // An earlier attempt got no answer, and may itself be why the condition fails now.
        if (call.unsure) {
          if (Item && isOwnItem(first, Item)) return first.output
          const isRepeatable = buildsOnItem(plan)
            ? Item && isExpired(plan.model, Item, context)
            : isStaged && plan.unconditional
          if (!isRepeatable) throw outcomeUnknown(call, failure)
        }
        error = failure
        items = [Item]
      }
    } else {
      const gathered = gatherWrites(writes)
      const cancellation = await sendWrites(context, call, gathered, undefined)
      if (cancellation === undefined) return gathered.writes[0]!.output
      error = canceled(context, call, cancellation)
      items = failedItems(cancellation)
      const failed = items.findIndex((item) => item !== null)
      // Of the item itself before what follows from it: if it has changed, so may have what
      // follows.
      if (failed < 0) {
        if (!isConflict(cancellation.cause)) throw error
        await pause(context, call, plan, { round, startedAt, error })
        continue
      }
      if (failed >= writes.length) {
        throw nameDerivedFailure(call, first, cancellation.writes[failed]!, error)
      }
    }
    const failed = items.findLastIndex((item, position) => item !== null && writes[position])
    const write = writes[failed]
    if (write === undefined) throw error
    const item = items[failed] ?? undefined
    const inTheWay = buildsOnItem(plan) || (isStaged && write !== writes.at(-1))
    const expired = item && isExpired(plan.model, item, context)
    const other =
      !isStaged && item && !expired
        ? planExisting(plan, item, context.environment.now())
        : undefined
    const isOurs = isStaged ? write === writes.at(-1) : existing || other
    const isOver = inTheWay && expired
    if (!isOver && (!isOurs || isSame(plan, current, item))) {
      throw nameConditionFailure(context, call, write, item, error)
    }
    // What was written before anything was known of the item waits for nobody.
    const isFirst = round === 1 && (isOver || !isStaged || plan.optimistic)
    if (!isFirst) await pause(context, call, plan, { round, startedAt, error })
    existing = other
    if (isOver) {
      await deleteExpired(context, call, plan.model, item)
      if (buildsOnItem(plan)) current = undefined
    }
    // The item that came with the answer is old after a pause.
    else current = isStaged && !isFirst ? await readItem(context, call, plan) : item
  }
}

/**
 * Whether an item that was found is the one that a put wrote: it has a value that was made at
 * random for that put alone.
 */
function isOwnItem({ item: own, returns, fresh = [], expects }: WritePlan, item: Item): boolean {
  // What a put has replaced is not known any more.
  const isOutputKnown = returns === undefined || expects.absent
  return isOutputKnown && fresh.some((name) => sameValue(own?.[name], getOwn(item, name)))
}

/** Waits a random time, in which whoever was quicker can finish; throws if there is none left. */
async function pause(
  context: TableContext,
  call: Call,
  { model, verb }: UpdatePlan,
  { round, startedAt, error }: { round: number; startedAt: number; error: unknown },
): Promise<void> {
  const { deadlineAt = startedAt + CONTENTION_MS_MAX } = call
  if (context.environment.now() < deadlineAt) return waitForRetry(context, call, round)
  throw new TransportError(
    'DEADLINE_EXCEEDED',
    {
      what: `Others changed this ${model.name} during each of ${round} attempts at the ${verb}: nothing was written.`,
      where: call.place,
      fix: 'give a longer deadlineMs, or let fewer writers change one item at the same time',
    },
    { cause: error, retryable: true },
  )
}

/**
 * Deletes an item whose time to live is over, as DynamoDB will some day, with all that follows from
 * it.
 */
export async function deleteExpired(
  context: TableContext,
  call: Call,
  model: Model,
  item: Item,
): Promise<void> {
  const plan = planExpiry(model, item, { ...context, tableName: context.name })
  try {
    await executeWrite(context, call, plan)
  } catch (error) {
    // Someone else was quicker; whoever asked looks again.
    if (!(error instanceof ConditionFailedError)) throw error
  }
}

/** Whether all that was in the way of a transaction were others at the same items. */
function isConflict({ CancellationReasons = [] }: ServiceError): boolean {
  const codes = CancellationReasons.map(({ Code }) => Code).filter((code) => code !== 'None')
  return codes.length > 0 && codes.every((code) => code === 'TransactionConflict')
}

/**
 * The items on which conditions failed, in the order of the writes: `undefined` where there is no
 * item, `null` where nothing failed that can't be left out.
 */
function failedItems({ writes, cause }: Cancellation<WritePlan>): (Item | undefined | null)[] {
  const { CancellationReasons = [] } = cause
  return CancellationReasons.map(({ Code, Item }, position) =>
    Code === 'ConditionalCheckFailed' && !writes[position]?.role?.optional ? Item : null,
  )
}

/** Whether what was read is still there, so that another condition must have failed. */
function isSame(plan: UpdatePlan, a: Item | undefined, b: Item | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  const reads = plan.kind === 'write' ? undefined : plan.reads
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

function sendWrite(context: TableContext, call: Call, plan: WritePlan): Promise<WriteItemResponse> {
  const { action, idempotent, update } = plan
  // A check is never sent alone, and each of the others has the members of its operation.
  const operation = `${action}Item` as 'UpdateItem'
  const request = compileWrite(plan) as UpdateItemRequest
  return send(context, call, operation, request, { write: true, idempotent, update })
}

function outputOf(
  context: TableContext,
  { model, key, returns, output }: WritePlan,
  { Attributes }: WriteItemResponse,
): Record<string, unknown> | undefined {
  const isPartial = returns?.startsWith('UPDATED')
  // An item that was over was not there.
  if (returns === 'ALL_OLD' && Attributes && isExpired(model, Attributes, context)) {
    return undefined
  }
  if (output || !Attributes) return output
  return decodeItem(context, model, Attributes, isPartial === true, key)
}
