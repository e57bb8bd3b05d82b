import { startCall } from '../execute/call.ts'
import { executeWrite } from '../execute/execute-write.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { explainWrite } from '../plan/explain-write.ts'
import { nativeParams } from '../plan/native-params.ts'
import type { Explanation, UpdatePlan } from '../plan/plan.ts'
import { placeOf } from '../plan/plan-context.ts'
import { requireSingle, requireWrite } from '../plan/require-write.ts'
import type { Where } from '../plan/where.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import { andWhere, Builder, type WhereCallback } from './builder.ts'
import type { Plannable } from './planned.ts'

interface ConditionalState {
  readonly model: Model
  readonly where: Where | undefined
}

/** The words that all writes have. */
export abstract class Write<TState extends ConditionalState>
  extends Builder<TState>
  implements Plannable<UpdatePlan>
{
  protected abstract readonly verb: string
  protected abstract plan(): UpdatePlan

  where(callback: WhereCallback): this {
    const { model, where } = this.state
    // All states of writes have this member.
    return this.with({ where: andWhere(model, where, callback) } as Partial<TState>)
  }

  /** What asserts nothing must not look like an assertion. */
  protected requireGiven(given: object): object {
    if (typeof given === 'object' && given !== null) return given
    return refuseInput(
      [{ path: [], message: 'given() was given no object' }],
      placeOf(this.context, this.state.model, this.verb),
      'give the current values by attribute, as in { status: value }',
    )
  }

  toPlan(verb: string): UpdatePlan {
    // A batch carries out by themselves those that take more than one request.
    const plan = this.plan()
    return verb === 'batchWrite' && plan.kind !== 'write' && plan.unconditional
      ? plan
      : requireWrite(plan, placeOf(this.context, this.state.model, verb))
  }

  dbParams(): object {
    const place = placeOf(this.context, this.state.model, 'dbParams')
    return nativeParams(requireSingle(requireWrite(this.plan(), place), place))
  }

  explain(): Explanation {
    return explainWrite(this.plan())
  }

  async execute(options?: CallOptions): Promise<unknown> {
    const { context } = this
    const call = startCall(context, this.verb, this.state.model.name, options)
    return executeWrite(context, call, this.plan())
  }
}
