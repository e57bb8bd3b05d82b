import type { PutState } from '../plan/state.ts'
import { planPut } from '../plan/write/plan-put.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'
import { BaseWriteBuilder } from './write.ts'

export class Put extends BaseWriteBuilder<PutState> {
  protected get verb(): string {
    return this.state.verb
  }

  protected plan(): UpdatePlan {
    return planPut(this.state, this.context)
  }

  ifNotExists(): this {
    return this.with({ verb: 'create' })
  }

  replace(): this {
    return this.with({ replaces: true })
  }

  returning(returning: PutState['returning']): this {
    this.requireOneOf('returning', returning, ['NEW', 'ALL_OLD', 'NONE'])
    return this.with({ returning })
  }
}
