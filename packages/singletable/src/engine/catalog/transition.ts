import type { EngineContext } from '../context.ts'
import type { Transition } from './table-record.ts'

/** How long that table and its indexes stay CREATING, UPDATING or DELETING. */
function transitionMs(context: EngineContext, tableName: string): number {
  const { faults, settings } = context
  return (faults.any ? faults.delayMs('transition', tableName) : undefined) ?? settings.transitionMs
}

/** Makes the member `transition` of a record whose state changes now, to be spread into the record. */
export type BeginTransition = (status: Transition['status']) => { transition?: Transition }

/**
 * All changes of state that one request makes take the same time. Where they take none, records get no transition: one that
 * ends now would come back to life if the clock were set back.
 */
export function transitionsOf(context: EngineContext, tableName: string): BeginTransition {
  const durationMs = transitionMs(context, tableName)
  if (durationMs <= 0) return () => ({})
  const endsMs = context.environment.now() + durationMs
  return (status) => ({ transition: { status, endsMs } })
}

/** A transition without end: for the answer that announces a change of state, which may have ended already. */
export function announced(status: Transition['status']): Transition {
  return { status, endsMs: Number.POSITIVE_INFINITY }
}
