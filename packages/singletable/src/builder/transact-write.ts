import { startCall } from '../execute/call.ts'
import type { StepOf } from '../execute/canceled.ts'
import { executeTransactWrite } from '../execute/execute-transaction.ts'
import type { CallOptions } from '../execute/table-context.ts'
import type { Explanation, WritePlan } from '../plan/plan.ts'
import { explainWrite } from '../plan/write/explain-write.ts'
import { transactionParams } from '../request/native-params.ts'
import type { BuilderContext } from './builder.ts'
import { LazyCall } from './lazy-call.ts'
import { type ActionName, type Addition, planAdditions } from './plan-addition.ts'
import { resultOf } from './write.ts'

export class TransactWrite extends LazyCall {
  private readonly context: BuilderContext
  private readonly additions: readonly Addition[]
  private readonly token: string | undefined
  #planned: readonly WritePlan[] | undefined

  constructor(context: BuilderContext, additions: readonly Addition[], token?: string) {
    super()
    this.context = context
    this.additions = additions
    this.token = token
  }

  /** The steps that its operations are, if it is of an access pattern. */
  get steps(): readonly StepOf[] {
    return this.additions.map(({ step = {} }) => step)
  }

  add(write: unknown): TransactWrite {
    return this.addAction(write, undefined)
  }

  addPut(write: unknown): TransactWrite {
    return this.addAction(write, 'Put')
  }

  addUpdate(write: unknown): TransactWrite {
    return this.addAction(write, 'Update')
  }

  addDelete(write: unknown): TransactWrite {
    return this.addAction(write, 'Delete')
  }

  addConditionCheck(write: unknown): TransactWrite {
    return this.addAction(write, 'ConditionCheck')
  }

  withClientRequestToken(token: string): TransactWrite {
    return new TransactWrite(this.context, this.additions, token)
  }

  dbParams(): object {
    return transactionParams(this.plans(), this.token)
  }

  params(): object {
    return this.dbParams()
  }

  explain(): Explanation[] {
    return this.plans().map((plan) => explainWrite(plan))
  }

  result(options?: CallOptions): Promise<object> {
    return resultOf(() => this.execute(options))
  }

  async execute(options?: CallOptions): Promise<unknown[]> {
    const { context, token } = this
    const call = startCall(context, 'transactWrite', undefined, options)
    const plans = this.plans()
    const writes = await executeTransactWrite(context, call, plans, token, this.steps)
    return plans.map((_, position) => writes[position]!.output)
  }

  private addAction(write: unknown, action: ActionName | undefined): TransactWrite {
    const { context, additions, token } = this
    const addition = { write, action, position: additions.length, verb: 'transactWrite' } as const
    return new TransactWrite(context, [...additions, addition], token)
  }

  private plans(): readonly WritePlan[] {
    // DynamoDB compares what has the same token, so times and ids must be the same each time.
    if (this.token !== undefined && this.#planned) return this.#planned
    // A transaction of writes takes nothing else.
    this.#planned = planAdditions(this.context, this.additions) as WritePlan[]
    return this.#planned
  }
}
