import type { ErrorCode } from '../errors/codes.ts'
import {
  ConditionFailedError,
  ItemExistsError,
  ItemNotFoundError,
  ParentMissingError,
  UniqueViolationError,
  VersionConflictError,
} from '../errors/condition-failed-error.ts'
import { isExpired } from '../plan/is-expired.ts'
import type { WritePlan } from '../plan/plan.ts'
import { emptiesSet } from '../plan/write/write-condition.ts'
import { typeIn } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { ServiceError } from '../wire/service-error.ts'
import type { Call } from './call.ts'
import type { TableContext } from './table-context.ts'

/**
 * Whether the service answered with this error. By name alone: the engine may come from another
 * installed copy of the package.
 */
export function isAnswer(error: unknown, name: string): error is ServiceError {
  return error instanceof Error && error.name === name
}

/**
 * Makes the error that names what a write expected and did not find. `item` is what is under its
 * key.
 */
export function nameConditionFailure(
  context: TableContext,
  call: Call,
  { model, verb, expects }: Pick<WritePlan, 'model' | 'verb' | 'expects'>,
  item: Item | undefined,
  cause: unknown,
): ConditionFailedError {
  const { name } = model
  const type = model.isShared && item ? typeIn(item, model.schema.params)?.S : model.type
  const isOther = type !== model.type
  const isThere = item !== undefined && !isExpired(model, item, context) && !isOther
  const version = model.version && isThere && getOwn(item, model.version.stored)?.N
  const emptied = expects.lasting?.find((change) => isThere && emptiesSet(change, item))
  const [Failure, code, what, fix]: [typeof ConditionFailedError, ErrorCode, string, string] =
    isOther && !expects.exists
      ? [
          ItemExistsError,
          'ITEM_EXISTS',
          `An item of another model, "${type}", is under this key.`,
          `choose another key, or delete that item first: ${name} shares its keys with it`,
        ]
      : expects.absent && isThere
        ? [
            ItemExistsError,
            'ITEM_EXISTS',
            `${name} exists under this key already.`,
            verb === 'put'
              ? `give "${model.version?.name}" as it was read to replace it, or use update(); error.item is the current one`
              : 'use put() to replace it or update() to change it; error.item is the current one',
          ]
        : expects.exists && !isThere
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
                `${name} ${isThere ? `has version ${version ?? 'none'}` : 'does not exist under this key'}, not version ${expects.version}: someone else has changed it.`,
                'apply the change to error.item, the current item, and write that',
              ]
            : [
                ConditionFailedError,
                'CONDITION_FAILED',
                emptied
                  ? `The ${verb} would remove the last members of "${emptied.name}", which is required.`
                  : `The condition of the ${verb} does not hold for this ${name}.`,
                'see error.item for the current values',
              ]
  const parts = { what, where: call.place, fix }
  return new Failure(code, parts, { item: isThere ? decodeCurrent(model, item) : undefined, cause })
}

/** Makes the error that names which of the writes that follow from another one was not possible. */
export function nameDerivedFailure(
  call: Call,
  { model, verb }: WritePlan,
  derived: WritePlan,
  cause: unknown,
): ConditionFailedError {
  const { kind, name, attributes } = derived.role!
  const where = call.place
  if (kind === 'count') {
    const parent = derived.model.name
    return new ParentMissingError(
      'PARENT_MISSING',
      {
        what: `The ${parent} whose ${name} counts this ${model.name} does not exist.`,
        where,
        fix: `create the ${parent} first, or in the same transaction`,
      },
      { cause },
    )
  }
  const values = attributes.map((attribute) => `"${attribute}"`).join(', ')
  return new UniqueViolationError(
    'UNIQUE_TAKEN',
    {
      what: `Another ${model.name} has the same ${values}, which is unique${attributes.join() === name ? '' : ` by "${name}"`}: the ${verb} would make two.`,
      where,
      fix: 'choose other values, or change or delete the item that has them',
    },
    { cause },
    { constraint: name, attributes },
  )
}

/**
 * The current item for an error. An item that can't be decoded must not hide the failure itself.
 */
export function decodeCurrent(model: Model, item: Item | undefined): unknown {
  try {
    return item && model.decode(item, true)
  } catch {
    return undefined
  }
}
