import type { TimeToLiveStatus } from '../../wire/time-to-live-operations.ts'
import type { TimeToLive } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'

/** Whether the time to live is still being switched on or off; it takes as long as other
 * transitions of a table. */
export function isTimeToLiveChanging(
  { environment, settings }: EngineContext,
  timeToLive: TimeToLive | undefined,
): boolean {
  if (timeToLive === undefined) return false
  const endsMs = timeToLive.changedMs + settings.transitionMs
  return timeToLive.filling === true || environment.now() < endsMs
}

export function timeToLiveStatus(
  context: EngineContext,
  timeToLive: TimeToLive | undefined,
): TimeToLiveStatus {
  const changing = isTimeToLiveChanging(context, timeToLive)
  if (timeToLive?.enabled === true) return changing ? 'ENABLING' : 'ENABLED'
  return changing ? 'DISABLING' : 'DISABLED'
}
