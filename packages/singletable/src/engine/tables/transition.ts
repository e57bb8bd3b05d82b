import type { Transition } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'

/** Makes the member `transition` of a record whose state changes now, to be spread into the
 * record. */
export type BeginTransition = (status: Transition['status']) => { transition?: Transition }

/**
 * All changes of state that one request makes take the same time. Where they take none, records get
 * no transition: one that ends now would come back to life if the clock were set back.
 */
export function transitionsOf(context: EngineContext, tableName: string): BeginTransition {
  const durationMs = context.delays.transitionMs(tableName)
  if (durationMs <= 0) return () => ({})
  const endsMs = context.environment.now() + durationMs
  return (status) => ({ transition: { status, endsMs } })
}

/** A transition without end: for the answer that announces a change of state, which may have ended
 * already. */
export function announced(status: Transition['status']): Transition {
  return { status, endsMs: Number.POSITIVE_INFINITY }
}
