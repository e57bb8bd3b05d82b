import type { CallOptions } from '../execute/table-context.ts'
import type { GetPlan } from '../plan/plan.ts'
import type { UpdatePlan } from '../plan/write/staged-plan.ts'

/** Distinguishes builders for the compiler alone; there is no such member. */
export declare const planned: unique symbol

/** What a write is about, for the compiler alone: the name of its model, and its items. */
export declare const subject: unique symbol

/** A builder of a get. */
export interface PlannedGet<out TResult> {
  readonly [planned]: 'Get'
  execute(options?: CallOptions): Promise<TResult>
}

/** A builder of a put or a create. */
export interface PlannedPut<out TResult> {
  readonly [planned]: 'Put'
  execute(options?: CallOptions): Promise<TResult>
}

/** A builder of an update or an upsert. */
export interface PlannedUpdate {
  readonly [planned]: 'Update'
}

/** A builder of a delete. */
export interface PlannedDelete<out TResult> {
  readonly [planned]: 'Delete'
  execute(options?: CallOptions): Promise<TResult>
}

/** A builder of a condition check. */
export interface PlannedCheck {
  readonly [planned]: 'ConditionCheck'
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

/** What all these builders have at run time: their plan, for transactions and batches. */
export interface Plannable<TPlan extends GetPlan | UpdatePlan> {
  /** Throws if the call takes more than one request; `verb` says in the message what asks. */
  toPlan(verb: string): TPlan
}
