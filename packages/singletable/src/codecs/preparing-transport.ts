import { aroundSend } from '../wire/around-send.ts'
import type { Transport } from '../wire/transport.ts'
import { untilAborted } from '../wire/until-aborted.ts'

/** A transport that waits for something to be prepared for each answer, also for the items in a
 * refusal. */
export function preparingTransport(
  transport: Transport,
  prepare: (answer: unknown) => Promise<void>,
): Transport {
  return aroundSend(transport, async ({ request, signal }, send) => {
    const prepared = (answer: unknown): Promise<void> =>
      signal ? untilAborted(prepare(answer), signal) : prepare(answer)
    try {
      const response = await send(request)
      await prepared(response)
      return response
    } catch (error) {
      // Only these members of a refusal hold items.
      const { Item, CancellationReasons } = Object(error) as {
        readonly Item?: unknown
        readonly CancellationReasons?: unknown
      }
      if (Item || CancellationReasons) await prepared([Item, CancellationReasons])
      throw error
    }
  })
}
