import type { Environment } from './environment.ts'

/** Waits, or ends early when the signal is aborted; whether that is a failure is for the caller to
 * say. */
export function pause(
  environment: Environment,
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = environment.schedule(end, delayMs)
    signal?.addEventListener('abort', end)
  })
}
