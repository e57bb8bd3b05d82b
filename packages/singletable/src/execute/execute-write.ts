import { TransactionCanceledError } from '../errors/transaction-canceled-error.ts'
import { PrintedPlaceholders, printProjection } from '../expression/print.ts'
import type { Path } from '../expression/tree.ts'
import { rulesOf } from '../plan/model-rules.ts'
import type { MovePlan, ReadFirstPlan, UpdatePlan, WritePlan } from '../plan/plan.ts'
import type { Item } from '../values/attribute-value.ts'
import { equalItems, equalValues } from '../values/compare.ts'
import { getOwn } from '../values/own.ts'
import type { GetItemRequest, WriteItemResponse } from '../wire/item-operations.ts'
import type { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'
import { isConditionFailure, nameConditionFailure } from './condition-failure.ts'
import { READ, type RequestKind, send } from './send.ts'
import type { TableContext } from './table-context.ts'
import { executeTransactWrite } from './transact-write.ts'

type Output = Record<string, unknown> | undefined

/** How often a write that depends on what was read is planned anew because others came in between. */
const ROUNDS_MAX = 10

const REPEATABLE: RequestKind = { write: true, idempotent: true }
const ONCE: RequestKind = { write: true, idempotent: false }

/** Carries out a write and gives what it returns. Conditions that fail are told by name. */
export function executeWrite(context: TableContext, call: Call, plan: UpdatePlan): Promise<Output> {
  if (plan.kind === 'write') return writeOnce(context, call, plan)
  if (plan.kind === 'read-first') return readAndWrite(context, call, plan)
  return move(context, call, plan)
}

async function writeOnce(context: TableContext, call: Call, plan: WritePlan): Promise<Output> {
  try {
    return outputOf(plan, await sendAction(context, call, plan))
  } catch (error) {
    if (!isConditionFailure(error)) throw error
    // The answer to an earlier attempt was lost; if the item is the one we sent, that attempt has written it.
    if (call.ambiguous && isOwn(plan, error.Item)) return outputOf(plan, {})
    throw nameConditionFailure(context, plan, error.Item, error)
  }
}

function isOwn({ action }: WritePlan, item: Item | undefined): boolean {
  return item !== undefined && 'Put' in action && equalItems(action.Put.Item, item)
}

async function readAndWrite(
  context: TableContext,
  call: Call,
  plan: ReadFirstPlan,
): Promise<Output> {
  const { byName } = rulesOf(plan.model)
  const names = plan.attributes.map((name) => byName.get(name)!.stored)
  const read = (): Promise<Item | undefined> => readItem(context, call, plan, names)
  let current = await read()
  for (let round = 1; ; round++) {
    const write = plan.finish(current)
    if (current === undefined && write.expects.exists) {
      throw nameConditionFailure(context, write, undefined, undefined)
    }
    try {
      return outputOf(write, await sendAction(context, call, write))
    } catch (error) {
      if (!isConditionFailure(error)) throw error
      const { Item: item } = error
      const same = names.every((name) => sameAttribute(current, item, name))
      if (same || round >= ROUNDS_MAX) throw nameConditionFailure(context, write, item, error)
      // The item came with the answer, so that it need not be read again.
      current = item ?? (await read())
    }
  }
}

function sameAttribute(a: Item | undefined, b: Item | undefined, name: string): boolean {
  const left = a && getOwn(a, name)
  const right = b && getOwn(b, name)
  return left === undefined || right === undefined ? left === right : equalValues(left, right)
}

async function move(context: TableContext, call: Call, plan: MovePlan): Promise<Output> {
  let current = await readItem(context, call, plan, undefined)
  for (let round = 1; ; round++) {
    const [put, remove] = plan.finish(current)
    if (current === undefined) throw nameConditionFailure(context, remove, undefined, undefined)
    try {
      await executeTransactWrite(context, call, [put, remove], undefined)
      return outputOf(put, {})
    } catch (error) {
      if (!(error instanceof TransactionCanceledError)) throw error
      // Transactions are cancelled by an answer of the service, which has the reasons in the order of the writes.
      const [ofPut, ofRemove] = (error.cause as ServiceError).CancellationReasons ?? []
      const found = ofRemove?.Item
      if (ofRemove?.Code === 'ConditionalCheckFailed') {
        const same = found !== undefined && equalItems(found, current)
        if (same || round >= ROUNDS_MAX) throw nameConditionFailure(context, remove, found, error)
        current = found ?? (await readItem(context, call, plan, undefined))
      } else if (ofPut?.Code === 'ConditionalCheckFailed') {
        throw nameConditionFailure(context, put, ofPut.Item, error)
      } else throw error
    }
  }
}

async function readItem(
  context: TableContext,
  call: Call,
  plan: ReadFirstPlan | MovePlan,
  names: readonly string[] | undefined,
): Promise<Item | undefined> {
  const request: GetItemRequest = { TableName: context.name, Key: plan.key, ConsistentRead: true }
  if (names !== undefined) {
    const placeholders = new PrintedPlaceholders()
    const paths = names.map((name): Path => [name])
    request.ProjectionExpression = printProjection(paths, placeholders)
    request.ExpressionAttributeNames = placeholders.names() ?? {}
  }
  return (await send(context, call, 'GetItem', request, READ)).Item
}

function sendAction(
  context: TableContext,
  call: Call,
  { action, idempotent }: WritePlan,
): Promise<WriteItemResponse> {
  const kind = idempotent ? REPEATABLE : ONCE
  if ('Put' in action) return send(context, call, 'PutItem', action.Put, kind)
  if ('Update' in action) return send(context, call, 'UpdateItem', action.Update, kind)
  if ('Delete' in action) return send(context, call, 'DeleteItem', action.Delete, kind)
  const request = { TransactItems: [action] }
  return send(context, call, 'TransactWriteItems', request, REPEATABLE).then(() => ({}))
}

function outputOf({ model, returns, output }: WritePlan, response: WriteItemResponse): Output {
  if (returns === 'output') return output
  if (returns === 'nothing' || response.Attributes === undefined) return undefined
  return model.decode(response.Attributes, returns === 'partial')
}
