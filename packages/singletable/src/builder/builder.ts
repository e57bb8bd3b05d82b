import { printPlace } from '../errors/print-place.ts'
import { kindOfValue, showValue } from '../errors/show-value.ts'
import type { TableContext } from '../execute/table-context.ts'
import { isWhere, operators } from '../plan/operators.ts'
import { type PlanContext, placeOf } from '../plan/plan-context.ts'
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
 * Holds a state and changes it into others. The classes below it do what the interfaces of their
 * names promise; the types are there, so that here nothing has to be computed from a schema.
 */
export abstract class Builder<TState extends BuilderState> extends LazyCall {
  protected readonly context: BuilderContext
  protected readonly state: TState

  constructor(context: BuilderContext, state: TState) {
    super()
    this.context = context
    this.state = state
  }

  protected override get title(): string {
    return `call of ${this.state.model.name} in table "${this.context.name}"`
  }

  protected with(patch: Partial<TState>): this {
    // Every class below has the constructor above.
    const Same = this.constructor as new (context: BuilderContext, state: TState) => this
    return new Same(this.context, { ...this.state, ...patch })
  }

  returnConsumedCapacity(capacity: ReturnConsumedCapacity): this {
    this.requireOneOf('returnConsumedCapacity', capacity, ['TOTAL', 'INDEXES', 'NONE'])
    // The state may have more members than this one, and any state may have it.
    return this.with({ capacity } as Partial<TState>)
  }

  protected requireOneOf(method: string, value: unknown, values: readonly unknown[]): void {
    if (value === undefined || values.includes(value)) return
    const shown = values.map((each) => (typeof each === 'string' ? `'${each}'` : each))
    refuseInput(
      `${method}() was given ${showValue(value) ?? kindOfValue(value)}`,
      placeOf(this.context, this.state.model, method),
      `give ${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`,
    )
  }
}

/** A list as it was given; anything else is refused. */
export function requireList<T>(list: readonly T[], place: string): readonly T[] {
  if (Array.isArray(list)) return list
  return refuseInput(
    `an array was expected, not ${kindOfValue(list)}`,
    place,
    'give an array, as in [a, b]',
  )
}

/** Both conditions, where there is one before. */
export function andWhere(model: Model, before: Where | undefined, callback: WhereCallback): Where {
  const isFunction = typeof callback === 'function'
  const condition = isFunction ? callback(referencesOf(model), operators) : callback
  if (!isFunction || !isWhere(condition)) {
    const given = `${isFunction ? 'its function returned' : 'it was given'} ${kindOfValue(condition)}`
    refuseInput(
      `where() needs a function that returns a condition, and ${given}`,
      printPlace({ entity: model.name, verb: 'where' }),
      'write it as in where((attr, op) => op.eq(attr.name, value))',
    )
  }
  return before === undefined ? operators.and(condition) : operators.and(before, condition)
}

/** The place that a name or a callback means. */
export function resolveTarget(model: Model, target: unknown, place: string): Reference {
  const references = referencesOf(model)
  const isFunction = typeof target === 'function'
  const isPath = typeof target === 'string' && !(target in references) && /[.[]/.test(target)
  // Members that the references don't have are reported when they are resolved.
  const value = isFunction
    ? target(references)
    : typeof target === 'string' && !isPath
      ? (references as { readonly [name: string]: unknown })[target]
      : undefined
  const given = isFunction ? value : target
  return (
    toReference(value, place) ??
    refuseInput(
      `an attribute was expected, not ${showValue(given) ?? kindOfValue(given)}`,
      place,
      isPath
        ? `for a place inside an attribute, give a function: (attr) => attr.${target}`
        : 'give the name of an attribute, or a function such as (attr) => attr.name',
    )
  )
}
