const SECOND_MS = 1000

let text = ''
let validUntil = 0

/** The time as the header `Date` has it, made once a second. */
export function httpDate(now: number = Date.now()): string {
  if (now >= validUntil || now < validUntil - SECOND_MS) {
    text = new Date(now).toUTCString()
    validUntil = now - (now % SECOND_MS) + SECOND_MS
  }
  return text
}
