import { startCall } from '../execute/call.ts'
import { executeWrite } from '../execute/execute-write.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { explainWrite } from '../plan/explain-write.ts'
import { nativeParams } from '../plan/native-params.ts'
import type { Explanation, UpdatePlan, WritePlan } from '../plan/plan.ts'
import { placeOf } from '../plan/plan-context.ts'
import { requireWrite } from '../plan/require-write.ts'
import type { Where } from '../plan/where.ts'
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
  implements Plannable<WritePlan>
{
  protected abstract readonly verb: string
  protected abstract plan(): UpdatePlan

  where(callback: WhereCallback): this {
    const { model, where } = this.state
    // All states of writes have this member.
    return this.with({ where: andWhere(model, where, callback) } as Partial<TState>)
  }

  toPlan(verb: string): WritePlan {
    return requireWrite(this.plan(), placeOf(this.context, this.state.model, verb))
  }

  dbParams(): object {
    return nativeParams(this.toPlan('dbParams'))
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
