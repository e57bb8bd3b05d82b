import { randomBytes } from 'node:crypto'

const COUNTER_LENGTH = 12

/** Makes the ids of requests: 52 characters of `0-9A-Z` as on AWS, the first 40 random for each server, the rest counted. */
export function requestIds(): () => string {
  const start = Array.from(randomBytes(40), (byte) => (byte % 36).toString(36))
    .join('')
    .toUpperCase()
  let count = 0
  return () => start + (++count).toString(36).toUpperCase().padStart(COUNTER_LENGTH, '0')
}
