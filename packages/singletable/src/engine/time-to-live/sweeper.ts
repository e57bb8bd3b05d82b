import type { Item } from '../../values/attribute-value.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineContext } from '../context/context.ts'
import { allInTurns } from '../context/turns.ts'
import { type ExpiryEntry, expirySeconds } from '../expiry/expiry-entry.ts'
import { primaryKey } from '../indexes/entry-key.ts'
import type { StorageRange, StorageReader } from '../storage/storage.ts'
import { expiredRange, expiryKey, expiryPrefix, prefixRange } from '../storage/storage-keys.ts'
import type { StoredItem } from '../storage/stored-item.ts'
import { applyWrite } from '../write/apply-writes.ts'

/** An item that expired longer ago than this is never deleted: on AWS, it is taken for a mistake.
 * Five years of 365 days. */
export const EXPIRY_AGE_MAX_SECONDS: number = 5 * 365 * 24 * 60 * 60

/**
 * How many items the sweeper deletes in one go before it lets other work run; on disk they share a
 * flush. Items that are left over follow at once, not only at the next sweep.
 */
export const SWEEP_ITEMS_MAX = 1000

export interface SweepOptions {
  /** Sweep this table alone. */
  readonly table?: string
  /** Delete at most this many items; the rest stays for another sweep. */
  readonly limit?: number
}

/** Deletes every item whose time to live has run out, and returns how many there were. */
export async function sweepExpired(
  context: EngineContext,
  options: SweepOptions = {},
): Promise<number> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY
  let deleted = 0
  for (const table of context.catalog.tables()) {
    if (table.record.timeToLive?.enabled !== true) continue
    if (options.table !== undefined && options.table !== table.name) continue
    deleted += await sweepTable(context, table, limit - deleted)
  }
  return deleted
}

/**
 * Sweeps again and again at the interval of the settings, until the result is called. One sweep
 * begins only after the one before has ended; with no table that has a time to live it does nothing
 * but look at the list of tables.
 */
export function startSweeper(
  context: EngineContext,
  contextNow: () => EngineContext = () => context,
): () => void {
  const { environment } = context
  // Without a pause at all the timer would leave no time for anything else.
  const intervalMs = Math.max(1, context.settings.timeToLiveSweepMs)
  let stopped = false
  let cancel: () => void = () => {}
  const scheduleAfter = (delayMs: number) => {
    if (!stopped) cancel = environment.schedule(run, delayMs, { background: true, workAtMs })
  }
  const workAtMs = () => earliestExpiryMs(contextNow())
  const run = () => {
    sweepExpired(contextNow(), { limit: SWEEP_ITEMS_MAX }).then(
      (deleted) => scheduleAfter(deleted === SWEEP_ITEMS_MAX ? 0 : intervalMs),
      // A sweep that fails, for instance because the disk is full, leaves its items to the next.
      () => scheduleAfter(intervalMs),
    )
  }
  scheduleAfter(intervalMs)
  return () => {
    stopped = true
    cancel()
  }
}

/** When the first of the stored items is due; never if `Infinity`. */
function earliestExpiryMs(context: EngineContext): number {
  let earliestMs = Number.POSITIVE_INFINITY
  for (const table of context.catalog.tables()) {
    if (table.record.timeToLive?.enabled !== true) continue
    const delayMs = context.delays.expiryMs(table.name)
    const start = expiryKey(table.record.id, dueSpan(context, delayMs).oldestSeconds, '')
    const { end } = prefixRange(expiryPrefix(table.record.id))
    context.storage.visit({ start, end }, (_key, value) => {
      const dueMs = (value as ExpiryEntry).expirySeconds * 1000 + delayMs
      earliestMs = Math.min(earliestMs, dueMs)
      return false
    })
  }
  return earliestMs
}

async function sweepTable(context: EngineContext, table: Table, limit: number): Promise<number> {
  const delayMs = context.delays.expiryMs(table.name)
  let deleted = 0
  for (;;) {
    const roundLimit = Math.min(SWEEP_ITEMS_MAX, limit - deleted)
    const keys = dueKeys(context.storage, table, {
      ...dueSpan(context, delayMs),
      limit: roundLimit,
    })
    const results = await allInTurns(context, keys, (key) =>
      deleteExpired(context, { table, key, delayMs }),
    )
    const deletedNow = results.filter((wasDeleted) => wasDeleted).length
    deleted += deletedNow
    if (keys.length < roundLimit || deletedNow === 0) return deleted
  }
}

interface DueSpan {
  readonly oldestSeconds: number
  readonly newestSeconds: number
}

/** Which times of expiry are due now. */
function dueSpan(context: EngineContext, delayMs: number): DueSpan {
  const nowMs = context.environment.now()
  return {
    oldestSeconds: Math.max(0, Math.ceil(nowMs / 1000) - EXPIRY_AGE_MAX_SECONDS),
    newestSeconds: Math.floor((nowMs - delayMs) / 1000),
  }
}

function dueKeys(
  reader: StorageReader,
  table: Table,
  span: DueSpan & { readonly limit: number },
): Item[] {
  if (span.newestSeconds < span.oldestSeconds || span.limit === 0) return []
  const { id } = table.record
  const range: StorageRange = {
    start: expiryKey(id, span.oldestSeconds, ''),
    end: expiredRange(id, span.newestSeconds).end,
  }
  const keys: Item[] = []
  reader.visit(range, (_key, value) => {
    keys.push((value as ExpiryEntry).key)
    return keys.length < span.limit
  })
  return keys
}

/** Stops a deletion from within its storage transaction. */
const NOT_DUE = new Error('The item is no longer due for expiry.')

/**
 * Deletes the item if it is still due. Since the entry was found the item may have been renewed,
 * the table changed or the clock set back; so everything is asked again inside the transaction that
 * deletes.
 */
async function deleteExpired(
  context: EngineContext,
  { table, key, delayMs }: { readonly table: Table; readonly key: Item; readonly delayMs: number },
): Promise<boolean> {
  const storageKey = primaryKey(table, key)
  try {
    await applyWrite(
      context,
      {
        table,
        keyed: key,
        storageKey,
        action: { kind: 'delete' },
        origin: 'expiry',
      },
      (transaction) => {
        if (context.catalog.find(table.name)?.record !== table.record) throw NOT_DUE
        const stored = transaction.get(storageKey) as StoredItem | undefined
        const seconds = stored && expirySeconds(table, stored.item)
        const span = dueSpan(context, delayMs)
        if (seconds === undefined || seconds < span.oldestSeconds || seconds > span.newestSeconds) {
          throw NOT_DUE
        }
      },
    )
    return true
  } catch (error) {
    if (error === NOT_DUE) return false
    throw error
  }
}
