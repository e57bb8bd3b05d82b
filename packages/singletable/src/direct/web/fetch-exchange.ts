import { NoAnswerError } from '../../wire/no-answer-error.ts'
import { after, type Exchange, type Line, noAnswer, requestTimeout } from '../exchange.ts'
import { onAbort } from '../on-abort.ts'

/** Headers that the runtime sets itself, or refuses. */
const OF_THE_RUNTIME = new Set(['host', 'content-length', 'accept-encoding', 'user-agent'])

/** Sends through `fetch`, which keeps connections of its own. Whether a request has left when it
 * fails is not known, so it counts as sent. */
export function fetchExchange(line: Line): Exchange<Uint8Array> {
  const { protocol, hostname, port } = line
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  const origin = `${protocol}//${host}${port === '' ? '' : `:${port}`}`
  return async ({ method, path, headers, body }, signal) => {
    const controller = new AbortController()
    const cancelTimeout = after(line, line.requestTimeoutMs, () =>
      controller.abort(requestTimeout(line)),
    )
    const forgetSignal = signal && onAbort(signal, () => controller.abort(signal.reason))
    try {
      const response = await fetch(origin + path, {
        method,
        headers: sentHeaders(headers),
        body,
        signal: controller.signal,
        redirect: 'manual',
      })
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes }
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason
      throw cause instanceof NoAnswerError ? cause : noAnswer(cause, true)
    } finally {
      cancelTimeout?.()
      forgetSignal?.()
    }
  }
}

/** Names and values in turn. */
function sentHeaders(headers: readonly string[]): [string, string][] {
  const sent: [string, string][] = []
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!
    if (!OF_THE_RUNTIME.has(name)) sent.push([name, headers[at + 1]!])
  }
  return sent
}
