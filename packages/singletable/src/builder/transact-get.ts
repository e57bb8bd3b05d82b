import { startCall } from '../execute/call.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { executeTransactGet } from '../execute/transact-get.ts'
import type { GetPlan } from '../plan/plan.ts'
import type { BuilderContext } from './builder.ts'
import { LazyCall } from './lazy-call.ts'
import { type Addition, planAddition } from './plan-addition.ts'

export class TransactGet extends LazyCall {
  private readonly context: BuilderContext
  private readonly additions: readonly Addition[]

  constructor(context: BuilderContext, additions: readonly Addition[]) {
    super()
    this.context = context
    this.additions = additions
  }

  protected override onlyReads(): boolean {
    return true
  }

  addGet(write: unknown): TransactGet {
    const { additions } = this
    return new TransactGet(this.context, [
      ...additions,
      { write, action: 'Get', position: additions.length, verb: 'transactGet' },
    ])
  }

  async execute(options?: CallOptions): Promise<unknown[]> {
    const { context } = this
    const call = startCall(context, 'transactGet', undefined, options)
    // A transaction of gets takes nothing else.
    const plans = this.additions.map((each) => planAddition(context, each)) as GetPlan[]
    return executeTransactGet(context, call, plans)
  }
}
