import { executeBatchGet } from '../execute/batch-get.ts'
import { READ_OPTIONS, startCall } from '../execute/call.ts'
import type { ReadOptions } from '../execute/table-context.ts'
import { planGet } from '../plan/plan-get.ts'
import type { ReadState } from '../plan/state.ts'
import { SelectingRead } from './read.ts'

interface BatchGetState extends ReadState {
  readonly keys: readonly object[]
  readonly includeExpired: boolean
}

export class BatchGet extends SelectingRead<BatchGetState> {
  async execute(options?: ReadOptions): Promise<unknown[]> {
    const { context, state } = this
    const { keys } = state
    const call = startCall(context, 'batchGet', state.model.name, options, READ_OPTIONS)
    const plans = keys.map((key) => planGet({ ...state, key }, context))
    return executeBatchGet(context, call, plans, keys)
  }
}
