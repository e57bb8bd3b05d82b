import { gatherWrites } from '../plan/gather-writes.ts'
import type { WritePlan } from '../plan/plan.ts'
import type { Call } from './call.ts'
import { isExpired } from './decode-found.ts'
import { deleteExpired } from './execute-write.ts'
import type { TableContext } from './table-context.ts'
import { canceled, sendWrites } from './transact-write.ts'

/** Carries out all writes or none of them. */
export async function executeTransactWrite(
  context: TableContext,
  call: Call,
  plans: readonly WritePlan[],
  token: string | undefined,
): Promise<readonly WritePlan[]> {
  const gathered = gatherWrites(plans)
  for (let round = 1; ; round++) {
    const cancellation = await sendWrites(context, call, gathered, token)
    if (cancellation === undefined) return gathered.writes
    const { cause, writes, owners } = cancellation
    const { CancellationReasons = [] } = cause
    // What an upsert makes has nothing of an item that is over; once is enough, as it can't be over again.
    const expired = writes.flatMap(({ verb, model, request }, position) => {
      const { Item } = CancellationReasons[position] ?? {}
      const { schema } = model
      // It may be of another table than the transaction's.
      return verb === 'upsert' && Item && isExpired(model, Item, context)
        ? [() => deleteExpired({ ...context, name: request.TableName, schema }, call, model, Item)]
        : []
    })
    if (expired.length === 0 || round > 1) throw canceled(call, writes, cause, owners)
    for (const remove of expired) await remove()
  }
}
