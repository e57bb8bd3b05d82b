import { InputError } from '../errors/input-error.ts'
import {
  TransactionCanceledError,
  type TransactionFailure,
} from '../errors/transaction-canceled-error.ts'
import type { GetPlan, WritePlan } from '../plan/plan.ts'
import type { TransactWriteItem } from '../wire/item-operations.ts'
import type { ServiceError } from '../wire/service-error.ts'
import { keyText } from './batch.ts'
import { type Call, waitForRetry } from './call.ts'
import { decodeCurrent, isAnswer } from './condition-failure.ts'
import { send } from './send.ts'
import type { TableContext } from './table-context.ts'

const TRANSACTION_ACTIONS_MAX = 100
const TOKEN_BYTES = 18

/** Reasons that say nothing about the operations themselves: others were at the same items, or too much was going on. */
const PASSING = ['None', 'TransactionConflict', 'ProvisionedThroughputExceeded', 'ThrottlingError']

/** Carries out all writes or none of them. The token is made once, so that sending again can't do them twice. */
export async function executeTransactWrite(
  context: TableContext,
  call: Call,
  plans: readonly WritePlan[],
  token: string | undefined,
): Promise<void> {
  const TransactItems = plans.map(({ action, request }): TransactWriteItem => {
    // Only single operations give something back.
    const { ReturnValues, ReturnConsumedCapacity, ...rest } = request
    return { [action]: rest }
  })
  const bytes = context.environment.randomBytes(TOKEN_BYTES)
  const request = {
    TransactItems,
    ClientRequestToken: token ?? btoa(String.fromCharCode(...bytes)),
  }
  await sendTransaction(context, call, plans, () =>
    send(context, call, 'TransactWriteItems', request, { write: true, idempotent: true }),
  )
}

/** Sends, and sends again while the transaction is cancelled only because others were in its way. */
export async function sendTransaction<TResponse>(
  context: TableContext,
  call: Call,
  plans: readonly (WritePlan | GetPlan)[],
  sendOnce: () => Promise<TResponse>,
): Promise<TResponse> {
  checkTransaction(context, call, plans)
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce()
    } catch (error) {
      if (!isAnswer(error, 'TransactionCanceledException')) throw error
      const { CancellationReasons: reasons = [] } = error
      const passing = reasons.length > 0 && reasons.every(({ Code }) => PASSING.includes(Code))
      if (!passing || attempt >= context.retry.attemptsMax) throw canceled(call, plans, error)
      call.retries++
      await waitForRetry(context, call, attempt)
    }
  }
}

function checkTransaction(
  context: TableContext,
  call: Call,
  plans: readonly (WritePlan | GetPlan)[],
): void {
  const refuse = (what: string, fix: string): never => {
    throw new InputError('TRANSACTION_INVALID', { what, where: call.place, fix }, [
      { path: [], message: what },
    ])
  }
  if (plans.length === 0 || plans.length > TRANSACTION_ACTIONS_MAX) {
    refuse(
      `The transaction has ${plans.length} operations; DynamoDB takes 1 to ${TRANSACTION_ACTIONS_MAX}.`,
      'it is not split by itself, because the parts would not be atomic together',
    )
  }
  const { hash, sort } = context.schema.primary
  const seen = new Map<string, number>()
  for (const [position, plan] of plans.entries()) {
    const text = keyText(plan.kind === 'get' ? plan.request.Key : plan.key, [...hash, ...sort])
    const earlier = seen.get(text)
    if (earlier !== undefined) {
      refuse(
        `Operations ${earlier} (${describe(plans[earlier]!)}) and ${position} (${describe(plan)}) are on the same item, which DynamoDB refuses.`,
        'make them one: a put writes all index keys, and a condition can stand on the write',
      )
    }
    seen.set(text, position)
  }
}

function describe(plan: WritePlan | GetPlan): string {
  return `${plan.kind === 'get' ? 'get' : plan.verb} ${plan.model.name}`
}

function canceled(
  call: Call,
  plans: readonly (WritePlan | GetPlan)[],
  cause: ServiceError,
): TransactionCanceledError {
  const failures: TransactionFailure[] = []
  for (const [index, { Code, Message, Item }] of (cause.CancellationReasons ?? []).entries()) {
    const plan = plans[index]
    if (Code === 'None' || plan === undefined) continue
    failures.push({
      index,
      operation: describe(plan),
      entity: plan.model.name,
      reason: Code,
      message: Message,
      ...(Item && { item: decodeCurrent(plan.model, Item) }),
    })
  }
  const list = failures.map((each) => `operation ${each.index} (${each.operation}): ${each.reason}`)
  return new TransactionCanceledError(
    {
      what: `Nothing was done: ${list.join('; ') || 'the service gave no reason'}.`,
      where: call.place,
      fix: 'see error.failures for reasons and current items',
    },
    failures,
    { cause },
  )
}
