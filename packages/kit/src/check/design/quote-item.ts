import {
  type AttributeValue,
  getOwn,
  type Item,
  keyAttributes,
  type Schema,
} from 'singletable/tools'
import type { Design } from './design.ts'

const TEXT_MAX = 100

/** Text of the data in a message: on one line, and not longer than one can read. */
export function quote(text: string): string {
  const isLong = text.length > TEXT_MAX
  return JSON.stringify(isLong ? `${text.slice(0, TEXT_MAX)}…` : text)
}

/** The primary key of an item: `pk "USER#alice", sk "PROFILE"`. */
export function quoteKey({ primary }: Schema, item: Item): string {
  return keyAttributes(primary)
    .map((name) => `${name} ${quoteValue(getOwn(item, name))}`)
    .join(', ')
}

function quoteValue(value: AttributeValue | undefined): string {
  return quote(value?.S ?? value?.N ?? value?.B ?? '')
}

/** `3 Post items (of 200 sampled) fail`, `1 item (of all 7) fails`: the noun without its s, the
 * verb for one and for several. */
export function countItems(
  { sample }: Design,
  count: number,
  noun: string,
  [one, several]: readonly [string, string],
): string {
  const total = sample?.items.length ?? 0
  const share = sample?.isWhole ? `of all ${total}` : `of ${total} sampled`
  return count === 1 ? `1 ${noun} (${share}) ${one}` : `${count} ${noun}s (${share}) ${several}`
}
