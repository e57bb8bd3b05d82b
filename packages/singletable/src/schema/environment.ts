/** Everything the library takes from the world around it: clock, random bytes and timers. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number
  /** So many unpredictable bytes. */
  randomBytes(count: number): Uint8Array
  /** Calls back once after so many milliseconds; the result cancels. */
  schedule(callback: () => void, delayMs: number): () => void
}

/** The real clock, the platform's cryptographic random source and its timers; what a table has by default. */
export const systemEnvironment: Environment = {
  now: () => Date.now(),
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  schedule(callback, delayMs) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
