/** What is known of a timer besides its time; only the first changes anything on a real clock. */
export interface TimerOptions {
  /** Nobody waits for it, so that it does not keep the process alive. */
  readonly background?: boolean | undefined
  /** A call does nothing but wait for it: a simulated clock moves on to it by itself. */
  readonly waited?: boolean | undefined
  /**
   * Of work that is repeated: when there will be some, as things are; `Infinity` for never. A
   * simulated clock leaves out the turns before.
   */
  readonly workAtMs?: (() => number) | undefined
}

/** Everything that library, direct transport and engine take from outside: clock, random bytes and
 * timers. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number
  /** This many unpredictable bytes. */
  randomBytes(count: number): Uint8Array
  /**
   * Calls back once after this many milliseconds; the result cancels. A caller may be waiting for
   * it, so that it keeps the process alive, unless it is `background` work.
   */
  schedule(callback: () => void, delayMs: number, options?: TimerOptions): () => void
}

/** What timers of the platform can wait for; with a longer delay they fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

/** The real clock, the platform's cryptographic random source and its timers: the default
 * everywhere. */
export const systemEnvironment: Environment = {
  now: () => Date.now(),
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  schedule(callback, delayMs, options) {
    let timer: ReturnType<typeof setTimeout>
    const wait = (leftMs: number): void => {
      const rest = leftMs - TIMER_MS_MAX
      timer = rest > 0 ? setTimeout(wait, TIMER_MS_MAX, rest) : setTimeout(callback, leftMs)
      // Where timers are numbers, as in browsers, nothing has to be kept alive.
      if (options?.background) (timer as { unref?(): void }).unref?.()
    }
    wait(delayMs)
    return () => clearTimeout(timer)
  },
}
