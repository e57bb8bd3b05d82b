import type { DeleteState } from '../plan/state.ts'
import { planDelete } from '../plan/write/plan-delete.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'
import { BaseWriteBuilder } from './write.ts'

export class Delete extends BaseWriteBuilder<DeleteState> {
  protected get verb(): string {
    return 'delete'
  }

  protected plan(): UpdatePlan {
    return planDelete(this.state, this.context)
  }

  ifVersion(version: number): this {
    return this.with({ version: this.requireVersion(version) })
  }

  mustExist(): this {
    return this.with({ mustExist: true })
  }

  given(given: object): this {
    return this.with({ given: { ...this.state.given, ...this.requireGiven(given) } })
  }

  returning(returning: DeleteState['returning']): this {
    this.requireOneOf('returning', returning, ['ALL_OLD', 'NONE'])
    return this.with({ returning })
  }
}
