import { printPlace } from '../errors/print-place.ts'
import type { TableContext } from '../execute/table-context.ts'
import { operators } from '../plan/operators.ts'
import type { PlanContext } from '../plan/plan-context.ts'
import type { Reference } from '../plan/reference.ts'
import { referencesOf, toReference } from '../plan/references.ts'
import type { Where } from '../plan/where.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import type { ReturnConsumedCapacity } from '../wire/item-operations.ts'
import { LazyCall } from './lazy-call.ts'

/** What builders know of their table: for planning and for sending. */
export type BuilderContext = TableContext & PlanContext

/** A condition as callers write it. */
export type WhereCallback = (attr: object, op: object) => unknown

interface BuilderState {
  readonly model: Model
  readonly capacity?: ReturnConsumedCapacity | undefined
}

/**
 * Holds a state and changes it into others. The classes below it do what the interfaces of their names promise; types are told there, so
 * that here nothing has to be computed from a schema.
 */
export abstract class Builder<TState extends BuilderState> extends LazyCall {
  protected readonly context: BuilderContext
  protected readonly state: TState

  constructor(context: BuilderContext, state: TState) {
    super()
    this.context = context
    this.state = state
  }

  protected with(patch: Partial<TState>): this {
    // Every class below has the constructor above.
    const Same = this.constructor as new (context: BuilderContext, state: TState) => this
    return new Same(this.context, { ...this.state, ...patch })
  }

  returnConsumedCapacity(capacity: ReturnConsumedCapacity): this {
    // The state may have more members than this one, and any state may have it.
    return this.with({ capacity } as Partial<TState>)
  }
}

/** A list as it was given; anything else is refused. */
export function requireList<T>(list: readonly T[], place: string): readonly T[] {
  if (Array.isArray(list)) return list
  return refuseInput('what is given is no list', place, 'give an array')
}

/** Both conditions, where there is one before. */
export function andWhere(model: Model, before: Where | undefined, callback: WhereCallback): Where {
  const condition =
    typeof callback === 'function' ? callback(referencesOf(model), operators) : undefined
  if (condition === undefined) {
    refuseInput(
      'where() was given no condition',
      printPlace({ entity: model.name, verb: 'where' }),
      'give a function that returns one, as in (attr, op) => op.eq(attr.name, value)',
    )
  }
  return before === undefined ? operators.and(condition) : operators.and(before, condition)
}

/** The place that a name or a callback means. */
export function resolveTarget(model: Model, target: unknown, place: string): Reference {
  const references = referencesOf(model)
  // Members that the references don't have are told when they are resolved.
  const value =
    typeof target === 'function'
      ? target(references)
      : (references as { readonly [name: string]: unknown })[String(target)]
  return (
    toReference(value, place) ??
    refuseInput(
      'no attribute was named',
      place,
      'give the name of an attribute, or a function such as (attr) => attr.name',
    )
  )
}
