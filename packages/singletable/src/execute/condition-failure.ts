import type { ErrorCode } from '../errors/codes.ts'
import {
  ConditionFailedError,
  ItemExistsError,
  ItemNotFoundError,
  VersionConflictError,
} from '../errors/condition-failed-error.ts'
import type { WritePlan } from '../plan/plan.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { ServiceError } from '../wire/service-error.ts'
import { isExpired } from './decode-found.ts'
import type { TableContext } from './table-context.ts'

/** By name as well: the engine may come from another installed copy of the package. */
export function isConditionFailure(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException'
}

/** Tells by name what a write expected and did not find. `item` is what stands under its key. */
export function nameConditionFailure(
  context: TableContext,
  plan: WritePlan,
  item: Item | undefined,
  cause: unknown,
): ConditionFailedError {
  const { model, verb, expects } = plan
  const failure = (
    Failure: typeof ConditionFailedError,
    code: ErrorCode,
    what: string,
    fix: string,
  ): ConditionFailedError => {
    const where = `table "${context.name}", entity "${model.name}", ${verb}()`
    return new Failure(code, { what, where, fix }, { item: decodeCurrent(plan, item), cause })
  }
  const stands = item !== undefined && !isExpired(model, item, context)
  if (expects.absent && stands) {
    return failure(
      ItemExistsError,
      'ITEM_EXISTS',
      `There is a ${model.name} under this key already.`,
      'use put() to replace it or update() to change it; error.item is the one that is there',
    )
  }
  if (expects.exists && !stands) {
    return failure(
      ItemNotFoundError,
      'ITEM_NOT_FOUND',
      `There is no ${model.name} under this key.`,
      verb === 'update' ? 'use create() or upsert() to make one' : 'check the key',
    )
  }
  const version = model.version && item && getOwn(item, model.version.stored)
  if (expects.version !== undefined && version?.N !== String(expects.version)) {
    return failure(
      VersionConflictError,
      'VERSION_CONFLICT',
      `The ${model.name} has version ${version?.N ?? 'none'}, not ${expects.version}: someone else has written it.`,
      'read it again, make the change on the new one, and write that; error.item is the current one',
    )
  }
  return failure(
    ConditionFailedError,
    'CONDITION_FAILED',
    `The condition of the ${verb} does not hold for this ${model.name}.`,
    'see error.item for the current values',
  )
}

/** The current item for an error. What can't be decoded is no reason to hide the failure itself. */
export function decodeCurrent({ model }: WritePlan, item: Item | undefined): unknown {
  try {
    return item && model.decode(item, true)
  } catch {
    return undefined
  }
}
