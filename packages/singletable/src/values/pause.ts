import type { Environment } from './environment.ts'

/** Waits, or ends early when the signal is aborted; whether that is a failure is for the caller to
 * say. `waited` is false for a loop that never ends, which a simulated clock must not follow. */
export function pause(
  environment: Environment,
  delayMs: number,
  signal: AbortSignal | undefined,
  waited = true,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = environment.schedule(end, delayMs, { waited })
    signal?.addEventListener('abort', end)
  })
}
