import { startCall } from '../execute/call.ts'
import { decodeFound } from '../execute/decode-found.ts'
import { READ, send } from '../execute/send.ts'
import type { CallOptions } from '../execute/table-context.ts'
import type { Explanation, GetPlan } from '../plan/plan.ts'
import { explainGet, planGet } from '../plan/plan-get.ts'
import type { GetState } from '../plan/state.ts'
import { compileGet } from '../request/compile-read.ts'
import { nativeParams } from '../request/native-params.ts'
import type { Plannable } from './planned.ts'
import { SelectingRead } from './read.ts'

export class Get extends SelectingRead<GetState> implements Plannable<GetPlan> {
  toPlan(): GetPlan {
    return planGet(this.state, this.context)
  }

  dbParams(): object {
    return nativeParams(this.toPlan())
  }

  params(): object {
    return this.dbParams()
  }

  explain(): Explanation {
    return explainGet(this.state, this.context)
  }

  async execute(options?: CallOptions): Promise<unknown> {
    const { context } = this
    const call = startCall(context, 'get', this.state.model.name, options)
    const plan = this.toPlan()
    return decodeFound(
      context,
      plan,
      (await send(context, call, 'GetItem', compileGet(plan), READ)).Item,
    )
  }
}
