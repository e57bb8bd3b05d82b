import type { FoundItem } from '../../api/contract.ts'
import { joinedKey } from '../state/keys.ts'

const ROW_PX = 28
const BAND_PX = 36

/** The head of a partition. */
export interface BandLine {
  readonly kind: 'band'
  readonly partition: string
  readonly items: readonly FoundItem[]
  readonly isFolded: boolean
}

export interface ItemLine {
  readonly kind: 'item'
  readonly found: FoundItem
}

/** A line of the table: the head of a partition, or an item of it. */
export type Line = BandLine | ItemLine

/** All lines of a table, and where each of them is. */
export interface Lines {
  readonly list: readonly Line[]
  /** The height at which each line begins, and at the end the height of all. */
  readonly tops: readonly number[]
}

/** Items under the head of their partition, in the order in which they came. */
export function linesOf(
  items: readonly FoundItem[],
  hash: readonly string[],
  folded: ReadonlySet<string>,
): Lines {
  const bands = new Map<string, FoundItem[]>()
  for (const found of items) {
    const partition = joinedKey(found.item, hash)
    const band = bands.get(partition)
    if (band) band.push(found)
    else bands.set(partition, [found])
  }
  const list: Line[] = []
  const tops: number[] = [0]
  let top = 0
  const add = (line: Line, px: number): void => {
    list.push(line)
    top += px
    tops.push(top)
  }
  for (const [partition, members] of bands) {
    const isFolded = folded.has(partition)
    add({ kind: 'band', partition, items: members, isFolded }, BAND_PX)
    if (!isFolded) for (const found of members) add({ kind: 'item', found }, ROW_PX)
  }
  return { list, tops }
}

/** The line at a height, found by halving. */
export function lineAt({ list, tops }: Lines, height: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tops[middle] ?? 0) <= height) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
