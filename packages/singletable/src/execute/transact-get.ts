import { TransactionCanceledError } from '../errors/transaction-canceled-error.ts'
import type { GetPlan } from '../plan/plan.ts'
import type { TransactGet } from '../wire/item-operations.ts'
import type { Call } from './call.ts'
import { decodeFound } from './decode-found.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'
import {
  refuseTransaction,
  refuseTwice,
  sendTransaction,
  TRANSACTION_ACTIONS_MAX,
} from './transact-write.ts'

/** Reads several items as they were at one moment, in the order of the plans. */
export async function executeTransactGet(
  context: TableContext,
  call: Call,
  plans: readonly GetPlan[],
): Promise<(Record<string, unknown> | undefined)[]> {
  if (plans.length === 0) return []
  if (plans.length > TRANSACTION_ACTIONS_MAX) {
    const what = `The transaction reads ${plans.length} items; DynamoDB takes ${TRANSACTION_ACTIONS_MAX}.`
    throw refuseTransaction(call, what, 'read fewer at once, or use batchGet()')
  }
  refuseTwice(
    context,
    call,
    plans.map(({ request, model }) => ({ key: request.Key, text: `get ${model.name}` })),
    'read it once',
  )
  const request = { TransactItems: plans.map((plan) => ({ Get: transactGet(plan) })) }
  const response = await sendTransaction(
    context,
    call,
    (reasons, cause) =>
      new TransactionCanceledError(
        {
          what: `Nothing was read: ${reasons.map((reason) => reason.Code).join(', ')}.`,
          where: call.place,
          fix: 'try again: other transactions were writing the same items',
        },
        reasons.flatMap((reason, index) =>
          reason.Code === 'None'
            ? []
            : {
                index,
                operation: `get ${plans[index]?.model.name}`,
                entity: plans[index]?.model.name,
                reason: reason.Code,
                message: reason.Message,
              },
        ),
        { cause },
      ),
    () => send(context, call, 'TransactGetItems', request, READ),
  )
  return plans.map((plan, index) => decodeFound(context, plan, response.Responses[index]?.Item))
}

function transactGet(plan: GetPlan): TransactGet {
  const { TableName, Key, ProjectionExpression, ExpressionAttributeNames } = plan.request
  return {
    TableName,
    Key,
    ...(ProjectionExpression === undefined ? {} : { ProjectionExpression }),
    ...(ExpressionAttributeNames === undefined ? {} : { ExpressionAttributeNames }),
  }
}
