import { UniqueViolationError } from '../errors/condition-failed-error.ts'
import {
  type ConditionCode,
  TransactionCanceledError,
  type TransactionFailure,
} from '../errors/transaction-canceled-error.ts'
import type { GetPlan, WritePlan } from '../plan/plan.ts'
import { describeWrite } from '../plan/write/describe-write.ts'
import type { GatheredWrites } from '../plan/write/gather-writes.ts'
import type { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'
import { nameConditionFailure, nameDerivedFailure } from './condition-failure.ts'
import type { TableContext } from './table-context.ts'

/** The step of an access pattern that an operation comes from. */
export type StepOf = Pick<TransactionFailure, 'step' | 'element'>

/** A transaction of which nothing was done: the answer with its reasons, and what was sent. */
export interface Cancellation<TPlan> {
  readonly writes: readonly TPlan[]
  readonly owners?: GatheredWrites['owners']
  readonly cause: ServiceError
}

/** The error of a transaction that was cancelled. What follows from an operation has its place. */
export function canceled(
  context: TableContext,
  call: Call,
  { writes, owners, cause }: Cancellation<WritePlan | GetPlan>,
  steps: readonly StepOf[] = [],
): TransactionCanceledError {
  const { CancellationReasons = [] } = cause
  const list: string[] = []
  const failures = CancellationReasons.flatMap(
    ({ Code: reason, Message, Item }, position): TransactionFailure[] => {
      const plan = writes[position]
      if (reason === 'None' || plan === undefined) return []
      const index = owners?.[position] ?? position
      const operation = describeWrite(plan)
      let failed: Partial<TransactionFailure> = { message: Message }
      if (reason === 'ConditionalCheckFailed' && plan.kind === 'write') {
        // It would have been left out, and all others would have been carried out.
        if (plan.role?.optional) return []
        const error =
          plan.role && plan.role.kind !== 'copy'
            ? nameDerivedFailure(call, writes[index] as WritePlan, plan, cause)
            : nameConditionFailure(context, call, plan, Item, cause)
        const { code, what: message, item } = error
        failed = {
          // Conditions have no others, and what was decoded is an object.
          code: code as ConditionCode,
          message,
          ...(item !== undefined && { item: item as Record<string, unknown> }),
          ...(error instanceof UniqueViolationError && {
            constraint: error.constraint,
            attributes: error.attributes,
          }),
        }
      }
      const { step, element } = steps[index] ?? {}
      const at = element === undefined ? '' : `[${element}]`
      const name = step === undefined ? `operation ${index}` : `step "${step}"${at}`
      list.push(
        `${name} (${operation}): ${failed.code ? failed.message!.replace(/\.$/, '') : reason}`,
      )
      const { message, ...rest } = failed
      return [
        { index, ...steps[index], operation, entity: plan.model.name, reason, message, ...rest },
      ]
    },
  )
  return new TransactionCanceledError(
    {
      what: `Nothing was done: ${list.join('; ') || 'the service gave no reason'}.`,
      where: call.place,
      fix: 'see error.failures for reasons and current items',
    },
    failures,
    { cause },
  )
}
