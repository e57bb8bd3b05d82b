import type { CallOptions } from '../execute/table-context.ts'
import type { GetPlan, WritePlan } from '../plan/plan.ts'

/** The member under which builders give their plan to transactions and batches; no name that could stand in anyone's way. */
export const PLAN: unique symbol = Symbol('plan')

/** Tells builders of writes apart, for the compiler alone. */
declare const action: unique symbol

/** A builder of a get. */
export interface PlannedGet<out TResult> {
  [PLAN](verb: string): GetPlan
  execute(options?: CallOptions): Promise<TResult>
}

/** A builder of a put or a create. */
export interface PlannedPut<out TResult> {
  readonly [action]: 'Put'
  [PLAN](verb: string): WritePlan
  execute(options?: CallOptions): Promise<TResult>
}

/** A builder of an update or an upsert. */
export interface PlannedUpdate {
  readonly [action]: 'Update'
  [PLAN](verb: string): WritePlan
}

/** A builder of a delete. */
export interface PlannedDelete<out TResult> {
  readonly [action]: 'Delete'
  [PLAN](verb: string): WritePlan
  execute(options?: CallOptions): Promise<TResult>
}

/** A builder of a condition check. */
export interface PlannedCheck {
  readonly [action]: 'ConditionCheck'
  [PLAN](verb: string): WritePlan
}

export type PlannedWrite =
  | PlannedPut<unknown>
  | PlannedUpdate
  | PlannedDelete<unknown>
  | PlannedCheck

/** What a builder's `execute` resolves with. */
export type ResultOf<TBuilder> = TBuilder extends {
  execute(options?: CallOptions): Promise<infer TResult>
}
  ? TResult
  : never
