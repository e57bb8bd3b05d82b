import { answerPreflight } from './cors.ts'
import { plain } from './handle-request.ts'
import type { RequestHead } from './parse-head.ts'
import type { ServerContext } from './server-context.ts'
import type { KnownHeaders, WireResponse } from './wire-request.ts'

/** The answer that a request gets before its body is read, if there is one: a refusal, or what a
 * browser asks beforehand. */
export function answerByHead(
  { guard, limits }: ServerContext,
  head: RequestHead,
  known: KnownHeaders,
): WireResponse | undefined {
  const refused = guard.judge(head.url, known)
  if (refused !== undefined) return plain(refused, '', undefined)
  if (head.method === 'OPTIONS' && known.origin !== undefined) return answerPreflight(head)
  if (Number(known.contentLength) > limits.bodyMaxBytes) return plain(413, '', undefined)
  return undefined
}
