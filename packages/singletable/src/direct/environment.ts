/** What the transport takes from the world besides its sockets: clock, random bytes and timers. A table's environment fits. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number
  /** So many unpredictable bytes. */
  randomBytes(count: number): Uint8Array
  /** Calls back once after so many milliseconds; the result cancels. */
  schedule(callback: () => void, delayMs: number): () => void
}

/** The real clock, the platform's cryptographic random source and its timers. */
export const systemEnvironment: Environment = {
  now: () => Date.now(),
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  schedule(callback, delayMs) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
