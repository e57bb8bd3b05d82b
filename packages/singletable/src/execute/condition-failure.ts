import type { ErrorCode } from '../errors/codes.ts'
import {
  ConditionFailedError,
  ItemExistsError,
  ItemNotFoundError,
  VersionConflictError,
} from '../errors/condition-failed-error.ts'
import type { WritePlan } from '../plan/plan.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'
import { isExpired } from './decode-found.ts'
import type { TableContext } from './table-context.ts'

/** Whether the service answered with this error. By name alone: the engine may come from another installed copy of the package. */
export function isAnswer(error: unknown, name: string): error is ServiceError {
  return error instanceof Error && error.name === name
}

/** Tells by name what a write expected and did not find. `item` is what stands under its key. */
export function nameConditionFailure(
  context: TableContext,
  call: Call,
  { model, verb, expects }: Pick<WritePlan, 'model' | 'verb' | 'expects'>,
  item: Item | undefined,
  cause: unknown,
): ConditionFailedError {
  const { name } = model
  const stands = item !== undefined && !isExpired(model, item, context)
  const version = model.version && item && getOwn(item, model.version.stored)?.N
  const [Failure, code, what, fix]: [typeof ConditionFailedError, ErrorCode, string, string] =
    expects.absent && stands
      ? [
          ItemExistsError,
          'ITEM_EXISTS',
          `${name} exists under this key already.`,
          'use put() to replace it or update() to change it; error.item is the current one',
        ]
      : expects.exists && !stands
        ? [
            ItemNotFoundError,
            'ITEM_NOT_FOUND',
            `${name} does not exist under this key.`,
            'check the key, or use create() or upsert() to make one',
          ]
        : expects.version !== undefined && version !== String(expects.version)
          ? [
              VersionConflictError,
              'VERSION_CONFLICT',
              `${name} ${stands ? `has version ${version ?? 'none'}` : 'does not exist under this key'}, not version ${expects.version}: someone else has changed it.`,
              'make the change on error.item, the current one, and write that',
            ]
          : [
              ConditionFailedError,
              'CONDITION_FAILED',
              `The condition of the ${verb} does not hold for this ${name}.`,
              'see error.item for the current values',
            ]
  const parts = { what, where: call.place, fix }
  return new Failure(code, parts, { item: decodeCurrent(model, item), cause })
}

/** The current item for an error. What can't be decoded is no reason to hide the failure itself. */
export function decodeCurrent(model: Model, item: Item | undefined): unknown {
  try {
    return item && model.decode(item, true)
  } catch {
    return undefined
  }
}
