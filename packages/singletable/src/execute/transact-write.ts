import { InputError } from '../errors/input-error.ts'
import {
  TransactionCanceledError,
  type TransactionFailure,
} from '../errors/transaction-canceled-error.ts'
import type { WritePlan } from '../plan/plan.ts'
import type { Item } from '../values/attribute-value.ts'
import { itemSizeBytes } from '../values/size.ts'
import type { TransactWriteItem } from '../wire/item-operations.ts'
import type { CancellationReason, ServiceError } from '../wire/service-error.ts'
import { keyText } from './batch.ts'
import { type Call, waitForRetry } from './call.ts'
import { decodeCurrent } from './condition-failure.ts'
import { send } from './send.ts'
import type { TableContext } from './table-context.ts'

export const TRANSACTION_ACTIONS_MAX = 100
const TRANSACTION_MAX_BYTES = 4 * 1024 * 1024
const TOKEN_BYTES = 18

const IDEMPOTENT = { write: true, idempotent: true }

/** Reasons that say nothing about the operations themselves: others were at the same items, or too much was going on. */
const PASSING = new Set([
  'None',
  'TransactionConflict',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
])

/** Carries out all writes or none of them. The token is made once, so that sending again can't do them twice. */
export async function executeTransactWrite(
  context: TableContext,
  call: Call,
  plans: readonly WritePlan[],
  token: string | undefined,
): Promise<void> {
  checkTransaction(context, call, plans)
  const request = {
    TransactItems: plans.map(transactAction),
    ClientRequestToken: token ?? makeToken(context),
  }
  await sendTransaction(
    context,
    call,
    (failures, cause) => canceled(call, plans, failures, cause),
    () => send(context, call, 'TransactWriteItems', request, IDEMPOTENT),
  )
}

/** Sends, and sends again while the transaction is cancelled only because others were in its way. */
export async function sendTransaction<TResponse>(
  context: TableContext,
  call: Call,
  explain: (reasons: readonly CancellationReason[], cause: unknown) => Error,
  sendOnce: () => Promise<TResponse>,
): Promise<TResponse> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce()
    } catch (error) {
      if (!isCancellation(error)) throw error
      const reasons = error.CancellationReasons ?? []
      const passing = reasons.length > 0 && reasons.every((reason) => PASSING.has(reason.Code))
      if (!passing || attempt >= context.retry.attemptsMax) throw explain(reasons, error)
      call.retries++
      await waitForRetry(context, call, attempt)
    }
  }
}

function isCancellation(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'TransactionCanceledException'
}

/** The action without the members that only single operations have. */
export function transactAction(plan: WritePlan): TransactWriteItem {
  const { action } = plan
  if ('ConditionCheck' in action) return action
  if ('Put' in action) return { Put: withoutReturns(action.Put) }
  if ('Delete' in action) return { Delete: withoutReturns(action.Delete) }
  // An update always has an expression; only the type of the single operation leaves it open.
  return { Update: withoutReturns(action.Update) as TransactWriteItem['Update'] & object }
}

function withoutReturns<
  TRequest extends { ReturnValues?: unknown; ReturnConsumedCapacity?: unknown },
>(request: TRequest): TRequest {
  if (request.ReturnValues === undefined && request.ReturnConsumedCapacity === undefined)
    return request
  const { ReturnValues, ReturnConsumedCapacity, ...rest } = request
  // The two members are optional, so the rest is still a request.
  return rest as TRequest
}

function checkTransaction(context: TableContext, call: Call, plans: readonly WritePlan[]): void {
  if (plans.length === 0 || plans.length > TRANSACTION_ACTIONS_MAX) {
    throw refuseTransaction(
      call,
      plans.length === 0
        ? 'The transaction has no operations.'
        : `The transaction has ${plans.length} operations; DynamoDB takes ${TRANSACTION_ACTIONS_MAX}.`,
      plans.length === 0
        ? "add one, or don't execute it"
        : 'make it smaller; it is not split by itself, because the parts would not be atomic together',
    )
  }
  refuseTwice(
    context,
    call,
    plans.map((plan) => ({ key: plan.key, text: describe(plan) })),
    'make them one operation; a put writes the keys of all indexes by itself, and a condition can stand on the write',
  )
  let bytes = 0
  for (const { action } of plans) if ('Put' in action) bytes += itemSizeBytes(action.Put.Item)
  if (bytes > TRANSACTION_MAX_BYTES) {
    throw refuseTransaction(
      call,
      `The transaction puts ${bytes} bytes; DynamoDB takes 4 MB.`,
      'put fewer or smaller items in one transaction',
    )
  }
}

/** Refuses two operations on one item, by name. */
export function refuseTwice(
  context: TableContext,
  call: Call,
  operations: readonly { readonly key: Item; readonly text: string }[],
  fix: string,
): void {
  const names = [...context.schema.primary.hash, ...context.schema.primary.sort]
  const seen = new Map<string, number>()
  operations.forEach(({ key, text }, position) => {
    const id = keyText(key, names)
    const earlier = seen.get(id)
    if (earlier !== undefined) {
      throw refuseTransaction(
        call,
        `Operations ${earlier} (${operations[earlier]?.text}) and ${position} (${text}) are on the same item, which DynamoDB refuses.`,
        fix,
      )
    }
    seen.set(id, position)
  })
}

export function refuseTransaction(call: Call, what: string, fix: string): InputError {
  return new InputError('TRANSACTION_INVALID', { what, where: call.place, fix }, [
    { path: [], message: what },
  ])
}

function describe(plan: WritePlan): string {
  return `${plan.verb} ${plan.model.name}`
}

function canceled(
  call: Call,
  plans: readonly WritePlan[],
  reasons: readonly CancellationReason[],
  cause: unknown,
): TransactionCanceledError {
  const failures: TransactionFailure[] = []
  reasons.forEach((reason, index) => {
    const plan = plans[index]
    if (reason.Code === 'None' || plan === undefined) return
    failures.push({
      index,
      operation: describe(plan),
      entity: plan.model.name,
      reason: reason.Code,
      message: reason.Message,
      ...(reason.Item === undefined ? {} : { item: decodeCurrent(plan, reason.Item) }),
    })
  })
  const list = failures.map((each) => `operation ${each.index} (${each.operation}): ${each.reason}`)
  return new TransactionCanceledError(
    {
      what: `Nothing was written: ${list.join('; ') || 'the service gave no reason'}.`,
      where: call.place,
      fix: 'see error.failures: each has its operation, its reason and the current item',
    },
    failures,
    { cause },
  )
}

export function makeToken(context: TableContext): string {
  let token = ''
  for (const byte of context.environment.randomBytes(TOKEN_BYTES)) {
    token += byte.toString(16).padStart(2, '0')
  }
  return token
}
