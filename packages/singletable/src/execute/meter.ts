import { aroundSend } from '../wire/around-send.ts'
import type { TableContext } from './table-context.ts'

/** What the requests of a call have cost so far. */
export interface Meter {
  /** Capacity units; `undefined` until the service reports some. */
  consumed: number | undefined
  requests: number
  /** Items looked at and paid for. */
  itemsRead: number
}

/** The members of responses that say what was read. */
interface Answer {
  readonly ConsumedCapacity?:
    | { readonly CapacityUnits?: number }
    | readonly { readonly CapacityUnits?: number }[]
  readonly ScannedCount?: number
  readonly Item?: unknown
  readonly Responses?: object
}

/** A context whose requests ask what they cost, and the meter that counts it. */
export function metered<TContext extends TableContext>(
  context: TContext,
): { readonly context: TContext; readonly meter: Meter } {
  const meter: Meter = { consumed: undefined, requests: 0, itemsRead: 0 }
  const { transport } = context
  const counting = aroundSend(transport, async ({ request }, send) => {
    meter.requests++
    // Every operation on items has this member.
    const response = await send({ ...request, ReturnConsumedCapacity: 'TOTAL' })
    count(meter, response as Answer)
    return response
  })
  return { context: { ...context, transport: counting }, meter }
}

function count(meter: Meter, { ConsumedCapacity, ScannedCount, Item, Responses }: Answer): void {
  for (const { CapacityUnits } of [ConsumedCapacity ?? []].flat()) {
    if (CapacityUnits !== undefined) meter.consumed = (meter.consumed ?? 0) + CapacityUnits
  }
  // Batches have lists of items by table, transactions one list of answers.
  const found = Array.isArray(Responses)
    ? Responses.filter((each: Answer) => each.Item !== undefined)
    : Object.values(Responses ?? {}).flat()
  meter.itemsRead += ScannedCount ?? (Item === undefined ? found.length : 1)
}
