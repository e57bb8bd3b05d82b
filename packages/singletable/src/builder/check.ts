import { PlanError } from '../errors/plan-error.ts'
import type { WritePlan } from '../plan/plan.ts'
import { placeOf } from '../plan/plan-context.ts'
import type { CheckState } from '../plan/state.ts'
import { planCheck } from '../plan/write/plan-check.ts'
import { BaseWriteBuilder } from './write.ts'

export class Check extends BaseWriteBuilder<CheckState> {
  protected get verb(): string {
    return 'check'
  }

  protected plan(): WritePlan {
    return planCheck(this.state, this.context)
  }

  ifVersion(version: number): this {
    return this.with({ version: this.requireVersion(version) })
  }

  override async execute(): Promise<never> {
    throw new PlanError('PLAN_INVALID', {
      what: 'A check is part of a transaction; DynamoDB has no operation for it alone.',
      where: placeOf(this.context, this.state.model, 'check'),
      fix: 'give it to table.transactWrite([…]), or read the item with get()',
    })
  }
}
