import { executeBatchWrite } from '../execute/batch-write.ts'
import { startCall } from '../execute/call.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { placeOf } from '../plan/plan-context.ts'
import { fillScope } from '../plan/scope.ts'
import { planDelete } from '../plan/write/plan-delete.ts'
import { planPut } from '../plan/write/plan-put.ts'
import type { Model } from '../schema/model.ts'
import { Builder, requireList } from './builder.ts'

interface BatchWriteState {
  readonly model: Model
  readonly items: readonly object[]
  readonly keys: readonly object[]
}

export class BatchWrite extends Builder<BatchWriteState> {
  delete(keys: readonly object[]): this {
    const place = placeOf(this.context, this.state.model, 'batchWrite')
    const { context, state } = this
    const given = requireList(keys, place).map((key) =>
      fillScope(context, state.model, key, 'batchWrite'),
    )
    return this.with({ keys: [...state.keys, ...given] })
  }

  async execute(options?: CallOptions): Promise<unknown[]> {
    const { context } = this
    const { model, items, keys } = this.state
    const call = startCall(context, 'batchWrite', model.name, options)
    const where = undefined
    const capacity = undefined
    const version = undefined
    const puts = items.map((input) =>
      planPut({ model, where, capacity, input, verb: 'put', returning: 'NEW' }, context),
    )
    const deletes = keys.map((key) =>
      planDelete(
        { model, where, capacity, key, version, returning: 'NONE', mustExist: false },
        context,
      ),
    )
    const plans = [...puts, ...deletes]
    const outputs = await executeBatchWrite(context, call, plans, [...items, ...keys])
    return outputs.slice(0, puts.length)
  }
}
