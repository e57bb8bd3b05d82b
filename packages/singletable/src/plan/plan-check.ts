import { PrintedPlaceholders } from '../expression/print.ts'
import type { TransactConditionCheck } from '../wire/item-operations.ts'
import type { WritePlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import type { CheckState } from './state.ts'
import { printVersion } from './version.ts'
import { andAlso, printExists, printWhere } from './write-condition.ts'
import { completeRequest } from './write-request.ts'

/** Plans a condition check of a transaction. One that says nothing more asks that the item exists. */
export function planCheck(state: CheckState, context: PlanContext): WritePlan {
  const { model, version, where } = state
  const place = placeOf(context, model, 'check')
  const key = model.encodeKey(state.key, place, context.warn)
  const placeholders = new PrintedPlaceholders()
  const exists = version === undefined && where === undefined
  let condition = exists ? printExists(model, placeholders, context.environment.now()) : ''
  condition = andAlso(condition, printVersion(version, model, place, placeholders))
  condition = andAlso(condition, printWhere(where, model, place, placeholders))
  const check: TransactConditionCheck = {
    TableName: context.tableName,
    Key: key,
    ConditionExpression: condition,
  }
  completeRequest(check, condition, placeholders)
  return {
    kind: 'write',
    verb: 'check',
    model,
    action: { ConditionCheck: check },
    key,
    expects: { exists, absent: false, version, where: where !== undefined },
    idempotent: true,
    output: undefined,
    returns: 'nothing',
  }
}
