export { type Duration, type DurationParts, durationMs } from './duration.ts'
export { epochSeconds, expiresIn, expiresInSeconds, type FromOptions } from './expires-in.ts'
export { expiresAt, extendTime, isExpired, timeLeftMs } from './time-to-live.ts'
