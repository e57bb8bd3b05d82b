/** Messages about the time to live. */

export const TIME_TO_LIVE_ENABLED = 'TimeToLive is already enabled'
export const TIME_TO_LIVE_DISABLED = 'TimeToLive is already disabled'
export const TIME_TO_LIVE_CHANGING =
  'Time to live has been modified multiple times within a fixed interval'

export function timeToLiveElsewhere(attribute: string): string {
  return `TimeToLive is active on a different AttributeName: current AttributeName is ${attribute}`
}
