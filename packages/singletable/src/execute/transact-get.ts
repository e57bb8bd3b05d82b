import type { GetPlan } from '../plan/plan.ts'
import { compileGet } from '../request/compile-read.ts'
import type { Call } from './call.ts'
import { decodeFound } from './decode-found.ts'
import { READ, send } from './send.ts'
import type { TableContext } from './table-context.ts'
import { sendTransaction } from './transact-write.ts'

/** Reads several items as they were at one moment, in the order of the plans. */
export async function executeTransactGet(
  context: TableContext,
  call: Call,
  plans: readonly GetPlan[],
): Promise<(Record<string, unknown> | undefined)[]> {
  if (plans.length === 0) return []
  const TransactItems = plans.map((plan) => {
    // A transaction always reads what was written last, and is asked as a whole what it costs.
    const { ConsistentRead, ReturnConsumedCapacity, ...Get } = compileGet(plan)
    return { Get }
  })
  const { Responses } = await sendTransaction(context, call, plans, () =>
    send(context, call, 'TransactGetItems', { TransactItems }, READ),
  )
  return plans.map((plan, index) => decodeFound(context, plan, Responses[index]?.Item))
}
