import { InputError } from '../errors/input-error.ts'
import { TransactionRepeatedError } from '../errors/transaction-canceled-error.ts'
import type { GetPlan, WritePlan } from '../plan/plan.ts'
import { describeWrite } from '../plan/write/describe-write.ts'
import type { GatheredWrites } from '../plan/write/gather-writes.ts'
import { compileAction } from '../request/compile-write.ts'
import { TRANSACTION_ACTIONS_MAX } from '../values/limits.ts'
import { keyText } from './batch.ts'
import type { Call } from './call.ts'
import { type Cancellation, canceled } from './canceled.ts'
import { isAnswer } from './condition-failure.ts'
import { send, WITH_TOKEN } from './send.ts'
import type { TableContext } from './table-context.ts'

const TOKEN_BYTES = 18
/** Writes of one transaction of which any may have been left out: 31 requests find out which. */
const LEFT_OUT_MAX = 5

/**
 * Sends all writes, and those that can be left out no more if only their conditions fail. The token
 * is made once for each set of writes, so that sending it again can't do them twice. Gives nothing
 * when all was done.
 */
export async function sendWrites(
  context: TableContext,
  call: Call,
  gathered: GatheredWrites,
  token: string | undefined,
): Promise<Cancellation<WritePlan> | undefined> {
  const { writes } = gathered
  checkTransaction(call, writes)
  try {
    await sendOnce(context, call, writes, token)
    return undefined
  } catch (cause) {
    if (token !== undefined && isMismatch(cause)) {
      if (await wasDone(context, call, gathered, token)) return undefined
      throw repeated(call, token, Object(cause).cause)
    }
    if (!isAnswer(cause, 'TransactionCanceledException')) throw cause
    const { CancellationReasons = [] } = cause
    const isFailed = (position: number): boolean =>
      CancellationReasons[position]?.Code === 'ConditionalCheckFailed'
    const failed = writes.filter((_, position) => isFailed(position))
    // The reason of what is carried out otherwise is known when that has failed as well.
    const isOver = !failed.some(({ instead }) => instead) && !failed.every(isDispensable)
    if (failed.length === 0 || isOver) return { ...gathered, cause }
    // A cancelled transaction has not used its token up.
    return sendWrites(context, call, without(gathered, isFailed), token)
  }
}

async function sendOnce(
  context: TableContext,
  call: Call,
  writes: readonly WritePlan[],
  token: string | undefined,
): Promise<void> {
  const TransactItems = writes.map(compileAction)
  const bytes = context.environment.randomBytes(TOKEN_BYTES)
  const ClientRequestToken = token ?? btoa(String.fromCharCode(...bytes))
  await send(context, call, 'TransactWriteItems', { TransactItems, ClientRequestToken }, WITH_TOKEN)
}

/**
 * Whether the caller's token was used for these writes by an earlier call that had to leave some
 * out. While DynamoDB remembers a token it carries nothing else out under it, so asking for each of
 * the sets that can have been sent does no harm.
 */
async function wasDone(
  context: TableContext,
  call: Call,
  gathered: GatheredWrites,
  token: string,
): Promise<boolean> {
  const optional = [...gathered.writes.keys()]
    .filter((position) => isDispensable(gathered.writes[position]!))
    .slice(0, LEFT_OUT_MAX)
  for (let set = 1; set < 2 ** optional.length; set++) {
    const left = without(gathered, (position) => {
      const bit = optional.indexOf(position)
      return bit >= 0 && (set & (1 << bit)) !== 0
    })
    try {
      await sendOnce(context, call, left.writes, token)
      return true
    } catch (cause) {
      if (!isMismatch(cause)) throw cause
    }
  }
  return false
}

function repeated(call: Call, token: string, cause: unknown): TransactionRepeatedError {
  return new TransactionRepeatedError(
    {
      what: `A transaction with the token "${token}" was carried out within the last ten minutes, with other values: nothing was written now.`,
      where: call.place,
      fix: 'if this is the same request again, it is done; its times and generated ids are those of the first call. For another request, use another token',
    },
    { cause },
  )
}

function isMismatch(error: unknown): boolean {
  return isAnswer(Object(error).cause, 'IdempotentParameterMismatchException')
}

/** Whether the others can be carried out without a write, or with another in its place. */
function isDispensable({ role, instead }: WritePlan): boolean {
  return role?.optional === true || instead !== undefined
}

/** Without those that failed and that nothing else depends on. */
function without(
  { writes, owners }: GatheredWrites,
  isLeftOut: (position: number) => boolean,
): GatheredWrites {
  const isLeft = (_: unknown, position: number): boolean =>
    !isLeftOut(position) || !writes[position]!.role?.optional
  const rest = writes.map((write, position) => (isLeftOut(position) && write.instead) || write)
  return { writes: rest.filter(isLeft), owners: owners?.filter(isLeft) }
}

/** Sends what is no more than a transaction can have; one that was cancelled says why. */
export async function sendTransaction<TResponse>(
  context: TableContext,
  call: Call,
  plans: readonly (WritePlan | GetPlan)[],
  sendOnce: () => Promise<TResponse>,
): Promise<TResponse> {
  checkTransaction(call, plans)
  try {
    return await sendOnce()
  } catch (error) {
    if (!isAnswer(error, 'TransactionCanceledException')) throw error
    throw canceled(context, call, { writes: plans, cause: error })
  }
}

function checkTransaction(call: Call, plans: readonly (WritePlan | GetPlan)[]): void {
  const refuse = (what: string, fix: string): never => {
    throw new InputError('TRANSACTION_INVALID', { what, where: call.place, fix }, [
      { path: [], message: what },
    ])
  }
  if (plans.length === 0 || plans.length > TRANSACTION_ACTIONS_MAX) {
    const [copies, list] = mostCopies(plans)
    const share = list ? ` ${copies} of them are copies, one for each element of "${list}".` : ''
    refuse(
      `The transaction has ${plans.length} operations; DynamoDB takes 1 to ${TRANSACTION_ACTIONS_MAX}.${share}`,
      list
        ? `give "${list}" fewer elements, or change fewer of them at once; the library does not split what must be atomic`
        : plans.length === 0
          ? 'give operations, as in table.transactWrite([User.put({ … })])'
          : 'send several transactions; they are not split here, because the parts would not be atomic together',
    )
  }
  const seen = new Map<string, number>()
  for (const [position, plan] of plans.entries()) {
    // Operations may be on several tables, whose key attributes have other names.
    const { key, tableName } = plan
    const text = `${tableName} ${keyText(key, Object.keys(key).sort())}`
    const earlier = seen.get(text)
    if (earlier !== undefined) {
      refuse(
        `Operations ${earlier} (${describeWrite(plans[earlier]!)}) and ${position} (${describeWrite(plan)}) are on the same item, which DynamoDB refuses.`,
        roleOf(plan) === 'unique'
          ? 'release the value first, and take it in a second transaction: one transaction can write its guard only once'
          : roleOf(plan) === 'count'
            ? `delete the ${plan.model.name} in a call of its own: this transaction adds to what it counts`
            : 'combine them into one operation: an update takes several changes, and every write takes conditions with where()',
      )
    }
    seen.set(text, position)
  }
}

/** How many copies there are of the list or set that has most of them, and its name. */
function mostCopies(plans: readonly (WritePlan | GetPlan)[]): [number, string?] {
  const counts = new Map<string, number>()
  for (const plan of plans) {
    const { kind, attributes: [list] = [] } = (plan.kind === 'write' && plan.role) || {}
    if (kind === 'copy' && list) counts.set(list, (counts.get(list) ?? 0) + 1)
  }
  const [[list, copies] = [undefined, 0]] = [...counts].sort(([, a], [, b]) => b - a)
  return list === undefined ? [0] : [copies, list]
}

function roleOf(plan: WritePlan | GetPlan): string | undefined {
  return plan.kind === 'write' ? plan.role?.kind : undefined
}
