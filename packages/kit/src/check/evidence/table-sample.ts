import type { Item } from 'singletable/tools'

/** Items of a live table, read with a budget. */
export interface TableSample {
  readonly items: readonly Item[]
  /** The table's own count, which is some hours old. */
  readonly itemCount: number | undefined
  /** The day it was taken, as `2026-11-15`. */
  readonly takenOn: string
  /** The items are all that the table has. */
  readonly isWhole?: boolean | undefined
  /** What reading them consumed. */
  readonly readUnits?: number | undefined
}
