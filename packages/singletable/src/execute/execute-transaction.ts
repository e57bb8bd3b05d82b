import { isExpired } from '../plan/is-expired.ts'
import type { WritePlan } from '../plan/plan.ts'
import { buildsOnItem, planExisting } from '../plan/write/complete.ts'
import { gatherWrites } from '../plan/write/gather-writes.ts'
import type { Call } from './call.ts'
import { canceled, type StepOf } from './canceled.ts'
import { deleteExpired } from './execute-write.ts'
import type { TableContext } from './table-context.ts'
import { sendWrites } from './transact-write.ts'

/** Carries out all writes or none of them. */
export async function executeTransactWrite(
  context: TableContext,
  call: Call,
  plans: readonly WritePlan[],
  token: string | undefined,
  steps?: readonly StepOf[],
): Promise<readonly WritePlan[]> {
  let writing = plans
  for (let round = 1; ; round++) {
    const gathered = gatherWrites(writing)
    const cancellation = await sendWrites(context, call, gathered, token)
    if (cancellation === undefined) return gathered.writes
    const { CancellationReasons = [] } = cancellation.cause
    const expired: (() => Promise<void>)[] = []
    const next = [...writing]
    for (const [position, plan] of plans.entries()) {
      const { Code, Item } = CancellationReasons[position] ?? {}
      const { model, tableName, expects } = plan
      if (Code !== 'ConditionalCheckFailed') continue
      // It may be of another table than the transaction's.
      const own = { ...context, name: tableName, schema: model.schema }
      // What it makes has nothing of an item that is over.
      if (Item && isExpired(model, Item, context)) {
        if (!buildsOnItem(plan) && !expects.absent) continue
        expired.push(() => deleteExpired(own, call, model, Item))
      } else next[position] = (Item && planExisting(plan, Item, context.environment.now())) ?? plan
    }
    const isOther = next.some((plan, position) => plan !== writing[position])
    // Once is enough for each of both: what is there can't be over or incomplete again, unless
    // others come in between.
    if ((expired.length === 0 && !isOther) || round > 2) {
      throw canceled(context, call, cancellation, steps)
    }
    writing = next
    for (const remove of expired) await remove()
  }
}
