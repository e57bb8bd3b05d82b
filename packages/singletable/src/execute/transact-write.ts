import { InputError } from '../errors/input-error.ts'
import {
  TransactionCanceledError,
  type TransactionFailure,
} from '../errors/transaction-canceled-error.ts'
import type { GetPlan, WritePlan } from '../plan/plan.ts'
import type { TransactWriteItem } from '../wire/item-operations.ts'
import type { ServiceError } from '../wire/service-error.ts'
import { keyText } from './batch.ts'
import type { Call } from './call.ts'
import { decodeCurrent, isAnswer } from './condition-failure.ts'
import { send } from './send.ts'
import type { TableContext } from './table-context.ts'

const TRANSACTION_ACTIONS_MAX = 100
const TOKEN_BYTES = 18

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
  await sendTransaction(call, plans, () =>
    send(context, call, 'TransactWriteItems', request, { write: true, idempotent: true }),
  )
}

/** Sends what is no more than a transaction can have; one that was cancelled says why. */
export async function sendTransaction<TResponse>(
  call: Call,
  plans: readonly (WritePlan | GetPlan)[],
  sendOnce: () => Promise<TResponse>,
): Promise<TResponse> {
  checkTransaction(call, plans)
  try {
    return await sendOnce()
  } catch (error) {
    throw isAnswer(error, 'TransactionCanceledException') ? canceled(call, plans, error) : error
  }
}

function checkTransaction(call: Call, plans: readonly (WritePlan | GetPlan)[]): void {
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
  const seen = new Map<string, number>()
  for (const [position, plan] of plans.entries()) {
    // Operations may be on several tables, whose key attributes have other names.
    const key = plan.kind === 'get' ? plan.request.Key : plan.key
    const text = `${plan.request.TableName} ${keyText(key, Object.keys(key).sort())}`
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
  const { CancellationReasons = [] } = cause
  const failures = CancellationReasons.flatMap(
    ({ Code: reason, Message: message, Item }, index): TransactionFailure[] => {
      const plan = plans[index]
      if (reason === 'None' || plan === undefined) return []
      const { model } = plan
      const item = Item && { item: decodeCurrent(model, Item) }
      return [{ index, operation: describe(plan), entity: model.name, reason, message, ...item }]
    },
  )
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
