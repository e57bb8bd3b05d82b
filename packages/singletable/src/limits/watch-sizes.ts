import { checkPositive } from '../errors/check-options.ts'
import { type Client, connect } from '../execute/connect.ts'
import { ITEM_SIZE_MAX_BYTES } from '../values/limits.ts'
import { itemSizeBytes } from '../values/size.ts'
import { aroundSend } from '../wire/around-send.ts'
import type { Transport } from '../wire/transport.ts'
import { type ItemSize, storedSize } from './item-size.ts'
import { type SentItem, sentItems, updatedItem } from './sent-items.ts'

/** An item that is larger than was meant. */
export interface LargeItem {
  readonly table: string
  readonly size: ItemSize
  /** A sentence with sizes and the largest attributes, without values. */
  readonly message: string
}

export interface WatchSizesOptions {
  /** Items of more bytes are reported; default half of what DynamoDB accepts. */
  readonly bytesMax?: number | undefined
  /** Called for them, after they were sent; `console.warn` unless given. */
  readonly onLarge?: ((large: LargeItem) => void) | undefined
}

/** A client that reports large items that are written: by puts, and by updates that give the item
 * back. */
export function watchSizes(client: Client, options: WatchSizesOptions = {}): Transport {
  checkPositive({ where: 'watchSizes()', names: ['bytesMax', 'onLarge'] }, options, ['bytesMax'])
  const { bytesMax = ITEM_SIZE_MAX_BYTES / 2, onLarge = printLarge } = options
  const look = ({ table, item, isWhole }: SentItem): void => {
    if (!isWhole || itemSizeBytes(item) <= bytesMax) return
    const size = storedSize(item)
    onLarge({ table, size, message: describe(table, size) })
  }
  return aroundSend(connect(client, 'watchSizes()'), async ({ operation, request }, send) => {
    const response = await send(request)
    const updated = updatedItem(operation, request, response)
    for (const each of updated ? [updated] : sentItems(operation, request)) look(each)
    return response
  })
}

function describe(table: string, { bytes, percentOfLimit, attributes }: ItemSize): string {
  const largest = attributes.slice(0, 3).map(({ name, bytes }) => `"${name}" ${bytes}`)
  return `an item of table "${table}" has ${bytes} bytes, ${percentOfLimit}% of the limit: ${largest.join(', ')}`
}

function printLarge({ message }: LargeItem): void {
  console.warn(`singletable: ${message}`)
}
