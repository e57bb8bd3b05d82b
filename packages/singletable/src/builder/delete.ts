import type { WritePlan } from '../plan/plan.ts'
import { planDelete } from '../plan/plan-delete.ts'
import type { DeleteState } from '../plan/state.ts'
import { Write } from './write.ts'

export class Delete extends Write<DeleteState> {
  protected get verb(): string {
    return 'delete'
  }

  protected plan(): WritePlan {
    return planDelete(this.state, this.context)
  }

  ifVersion(version: number): this {
    return this.with({ version })
  }

  mustExist(): this {
    return this.with({ mustExist: true })
  }

  returning(returning: DeleteState['returning']): this {
    return this.with({ returning })
  }
}
