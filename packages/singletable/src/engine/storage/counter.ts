import type { StorageTransaction } from './storage.ts'
import { counterKey } from './storage-keys.ts'

/** The next number of a persistent series that starts at 1. */
export function nextNumber(transaction: StorageTransaction, series: string): number {
  const key = counterKey(series)
  const stored = transaction.get(key) as { readonly last: number } | undefined
  const next = (stored?.last ?? 0) + 1
  transaction.put(key, { last: next })
  return next
}
