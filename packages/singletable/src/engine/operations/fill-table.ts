import { assert } from '../../errors/assert.ts'
import { type BackupRecord, readBackups } from '../backups/backup-record.ts'
import type { Table } from '../catalog/table.ts'
import type { IndexRecord, TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { backfillExpiry } from '../expiry/backfill-expiry.ts'
import { backfillIndex, type Filled } from '../indexes/backfill-index.ts'
import type { StorageKey, StorageRange, StorageTransaction } from '../storage/storage.ts'
import {
  backupFilledKey,
  backupItemKey,
  backupItems,
  backupKey,
  expiryPrefix,
  filledKey,
  prefixRange,
} from '../storage/storage-keys.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { restoreItems } from '../write/restore-items.ts'
import { isBackedUp } from '../write/save-for-backup.ts'

/** How many items one storage transaction goes over before others have their turn, and how many
 * bytes: the last item may be larger. */
export const FILL_STEP_ITEMS_MAX = 500
const FILL_STEP_BYTES = 65_536

/** Whether a change of the table has started work that goes over all of its items. */
export function isFilling({ filling, backingUp, indexes, timeToLive }: TableRecord): boolean {
  if (backingUp !== undefined) return true
  return filling === true || timeToLive?.filling === true || indexes.some((index) => index.filling)
}

/**
 * Carries out the next step of that work: entries of a new index or of items that expire, or items
 * of a backup. How far it has come is stored with the step, so an engine that is opened again
 * continues there. Call it inside `change`, last.
 */
export function fillTable(
  context: EngineContext,
  transaction: StorageTransaction,
  name: string,
): void {
  const table = context.catalog.find(name)
  const filled = table && fillSome(context, transaction, table)
  if (filled) context.catalog.put(transaction, filled)
}

/** Continues until nothing is left to do. */
export async function finishFilling(context: EngineContext, name: string): Promise<void> {
  for (;;) {
    const table = context.catalog.find(name)
    if (table === undefined || !isFilling(table.record)) return
    await context.nextTurn?.()
    await context.catalog.change((transaction) => fillTable(context, transaction, name))
  }
}

/** Continues with all that was under way when the storage was closed, or when a snapshot was
 * made. */
export function resumeFilling(context: EngineContext): void {
  for (const { name, record } of context.catalog.tables()) {
    if (!isFilling(record)) continue
    // A storage that takes no more writes, or was closed meanwhile, leaves the rest for the next
    // time.
    const finish = (): void => void finishFilling(context, name).catch(() => {})
    context.environment.schedule(finish, 0, { background: true })
  }
}

/** The record without the mark of what is finished now; undefined while there is more of it. */
function fillSome(
  context: EngineContext,
  transaction: StorageTransaction,
  table: Table,
): TableRecord | undefined {
  const { record, primary } = table
  const { filling, timeToLive, backingUp } = record
  if (backingUp !== undefined) {
    const key = backupFilledKey(record.id)
    const step = nextItems(transaction, prefixRange(primary.prefix), key)
    for (const [storageKey, stored] of step.items) {
      const saved = backupItemKey(backingUp, storageKey.slice(primary.prefix.length))
      if (transaction.get(saved) === undefined) transaction.put(saved, stored)
    }
    if (!step.isLast) return undefined
    const backup = transaction.get(backupKey(backingUp)) as BackupRecord
    transaction.put(backupKey(backingUp), withoutFilling(backup))
    const { backingUp: _done, ...rest } = record
    return rest
  }
  if (filling) {
    const backup = readBackups(transaction).find(({ arn }) => arn === record.restored?.backupArn)
    assert(backup !== undefined, 'a backup that is being restored is not deleted')
    const step = nextItems(transaction, backupItems(backup.id), filledKey(record.id, 0))
    const items = step.items.map(([, stored]) => stored).filter(isBackedUp)
    restoreItems(context, transaction, { table, items })
    return step.isLast ? withoutFilling(record) : undefined
  }
  const index = table.secondary.find((each) => each.record?.filling)
  if (index !== undefined) {
    const key = filledKey(record.id, index.id)
    const step = nextItems(transaction, prefixRange(primary.prefix), key)
    backfillIndex(transaction, { table, index }, step.items)
    if (!step.isLast) return undefined
    const indexes = record.indexes.map(
      (each): IndexRecord => (each.id === index.id ? withoutFilling(each) : each),
    )
    return { ...record, indexes }
  }
  if (!timeToLive?.filling) return undefined
  let isLast: boolean
  if (timeToLive.enabled) {
    const step = nextItems(transaction, prefixRange(primary.prefix), filledKey(record.id, 0))
    backfillExpiry(transaction, table, step.items)
    isLast = step.isLast
  } else isLast = removeSome(transaction, prefixRange(expiryPrefix(record.id)))
  return isLast ? { ...record, timeToLive: withoutFilling(timeToLive) } : undefined
}

function withoutFilling<T extends { readonly filling?: true }>(record: T): Omit<T, 'filling'> {
  const { filling: _done, ...rest } = record
  return rest
}

/** The items of a range that one step goes over, and whether they are the last. */
function nextItems(
  transaction: StorageTransaction,
  range: StorageRange,
  filled: StorageKey,
): { readonly items: readonly [StorageKey, StoredItem][]; readonly isLast: boolean } {
  const { after } = (transaction.get(filled) ?? {}) as Partial<Filled>
  const items: [StorageKey, StoredItem][] = []
  let bytes = 0
  let isLast = true
  // The first key after the last one that was done.
  const start = after === undefined ? range.start : `${after}\0`
  transaction.visit({ start, end: range.end }, (key, value) => {
    const stored = value as StoredItem
    bytes += stored.sizeBytes ?? 0
    isLast = items.push([key, stored]) < FILL_STEP_ITEMS_MAX && bytes < FILL_STEP_BYTES
    return isLast
  })
  if (isLast) transaction.remove(filled)
  else transaction.put(filled, { after: items.at(-1)![0] } satisfies Filled)
  return { items, isLast }
}

/** Removes as much of a range as one step takes; true if nothing is left of it. */
function removeSome(transaction: StorageTransaction, range: StorageRange): boolean {
  const keys: StorageKey[] = []
  transaction.visit(range, (key) => keys.push(key) < FILL_STEP_ITEMS_MAX)
  for (const key of keys) transaction.remove(key)
  return keys.length < FILL_STEP_ITEMS_MAX
}
