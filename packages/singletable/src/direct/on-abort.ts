/** Those who wait for one signal, and the one listener that calls them all. */
interface Waiting {
  readonly callbacks: Set<() => void>
  readonly notify: () => void
}

const waitingFor = new WeakMap<AbortSignal, Waiting>()

/**
 * Calls back when the signal is aborted, until the result is called. One signal may end any number
 * of requests that are under way, but of more than ten listeners Node warns as of a leak; so there
 * is one.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const waiting = waitingFor.get(signal) ?? createWaiting(signal)
  const { callbacks, notify } = waiting
  if (callbacks.size === 0) signal.addEventListener('abort', notify)
  callbacks.add(callback)
  return () => {
    if (callbacks.delete(callback) && callbacks.size === 0) {
      signal.removeEventListener('abort', notify)
    }
  }
}

function createWaiting(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>()
  const notify = (): void => {
    for (const callback of [...callbacks]) callback()
  }
  const waiting = { callbacks, notify }
  waitingFor.set(signal, waiting)
  return waiting
}
