import { open, type RangeOptions, type RootDatabase, type Transaction } from 'lmdb'
import { assert } from './assert.ts'
import { repeatCommit } from './free-list.ts'
import { reserveSpace } from './reserve-space.ts'

/** A key as LMDB has it, written as Latin-1; never empty and at most 1978 bytes long, which is
 * LMDB's limit with pages of 4 KB. */
export type PhysicalKey = string

/** A state of the whole file that doesn't change however much is written, until it is released. */
export interface ReadPoint {
  readonly transaction: Transaction
}

export interface PhysicalRange {
  readonly start: PhysicalKey
  readonly end: PhysicalKey
  readonly reverse: boolean
}

/** One entry to be written, or to be removed if it has no bytes. */
export interface PhysicalWrite {
  readonly key: PhysicalKey
  readonly bytes: Buffer | undefined
}

/** The handful of calls of LMDB that the storage is made of. Tests put another file in its place,
 * whose calls fail. */
export interface LmdbFile {
  /** The newest state that readers may see. */
  readPoint(): ReadPoint
  release(point: ReadPoint): void
  /** The bytes are good only until the next call. */
  get(key: PhysicalKey, point: ReadPoint): Buffer | undefined
  /** Entries from start (included) to end (excluded), the last one first if reversed; their bytes
   * are good only until the next call or step. */
  range(range: PhysicalRange, point: ReadPoint): Iterable<{ key: PhysicalKey; value: Buffer }>
  /** Writes everything in one transaction of LMDB, off this thread. Resolves when it is as durable
   * as the file was opened for. */
  commit(writes: readonly PhysicalWrite[]): Promise<void>
  /**
   * The same on this thread, flushed in any case, without a list of the writes: for more than
   * memory may hold. If the callback throws, nothing is written. During the callback `get` sees
   * what has been written, `range` what was there before.
   */
  commitLarge(callback: (write: (write: PhysicalWrite) => void) => void): void
  close(): Promise<void>
}

export interface LmdbFileOptions {
  /** Whether a commit is acknowledged before it is flushed, and flushed afterwards. */
  readonly acknowledgeBeforeFlush: boolean
}

/** Address space set aside, not memory or disk; LMDB takes more when the file grows beyond. */
const MAP_SIZE_BYTES = 2 ** 34
/** States of the file that snapshots may hold at a time. */
export const HELD_POINTS_MAX = 1000
/** LMDB's places for them, and for the state that is read, the one that follows it, and what LMDB
 * reads for itself. */
const READERS_MAX: number = HELD_POINTS_MAX + 24

export function openLmdbFile(path: string, options: LmdbFileOptions): LmdbFile {
  const database = openDatabase(path, options)
  const write = ({ key, bytes }: PhysicalWrite): void => {
    if (bytes === undefined) void database.remove(key)
    else void database.put(key, bytes)
  }
  const commit = (writes: readonly PhysicalWrite[]): Promise<void> =>
    settle(
      database.batch(() => {
        for (const each of writes) write(each)
      }),
    )
  return {
    readPoint: () => ({ transaction: database.useReadTransaction() }),
    release: ({ transaction }) => transaction.done(),
    // The package's types leave out the second argument.
    get: (key, point) => (database as unknown as FastReader).getBinaryFast(key, point),
    range({ start, end, reverse }, { transaction }) {
      const range: RangeOptions = reverse
        ? { start: end, end: start, reverse: true, ...REVERSED_ENDS, transaction }
        : { start, end, transaction }
      return database.getRange(range)
    },
    commit: (writes) =>
      repeatCommit(
        () => commit(writes),
        () => commit([{ key: FLUSHED_KEY, bytes: Buffer.alloc(1) }]),
      ),
    commitLarge: (callback) => database.transactionSync(() => callback(write)),
    close: () => database.close(),
  }
}

/**
 * Makes a file that was written with `acknowledgeBeforeFlush` good to be opened without. LMDB finds
 * the state that was flushed last only if it is asked to look for it, and the next commit must not
 * use again what that state needs. So the file is opened the old way, and one small commit flushes
 * everything.
 */
export function flushLmdbFile(path: string): void {
  const database = openDatabase(path, { acknowledgeBeforeFlush: true })
  database.transactionSync(() => void database.put(FLUSHED_KEY, Buffer.alloc(1)))
  closeNow(database)
}

/** Something has to be written to make a commit; nobody reads it, so it has no checksum. */
export const FLUSHED_KEY: PhysicalKey = '\0flushed'

/** Writes the first entries of a new file, flushed when this returns. */
export function createLmdbFile(path: string, writes: readonly PhysicalWrite[]): void {
  const database = openDatabase(path, { acknowledgeBeforeFlush: false })
  database.transactionSync(() => {
    for (const { key, bytes } of writes) if (bytes !== undefined) void database.put(key, bytes)
  })
  closeNow(database)
}

function openDatabase(path: string, options: LmdbFileOptions): RootDatabase<Buffer, PhysicalKey> {
  reserveSpace(path, READERS_MAX)
  return open<Buffer, PhysicalKey>({
    path,
    noSubdir: true,
    mapSize: MAP_SIZE_BYTES,
    maxReaders: READERS_MAX,
    // With it a commit is visible and its promise resolved before it is flushed. LMDB keeps track
    // of what was flushed last, and after a restart of the machine goes back to that. Without it
    // LMDB flushes first, so that what can be seen is on the medium.
    overlappingSync: options.acknowledgeBeforeFlush,
    // With it the package starts a batch of its own around each of ours, and the promise of that
    // batch is handed to no caller: when a commit fails, its rejection would end the process.
    eventTurnBatching: false,
    keyEncoder: LATIN1_KEYS,
    encoder: RAW_BYTES,
    // Not in the package's types; the mode of the files it makes.
    ...{ permissionsMode: 0o600 },
  })
}

/** With no write under way the package closes before it returns. */
function closeNow(database: RootDatabase<Buffer, PhysicalKey>): void {
  void database.close()
  // Not in the package's types.
  const { status } = database as unknown as { readonly status: string }
  assert(status === 'closed', 'A file of LMDB without pending writes closes at once.')
}

/** The start of a reversed range is excluded and its end included, which the package can do but
 * doesn't list in its types. */
const REVERSED_ENDS = { exclusiveStart: true, inclusiveEnd: true }

const LATIN1_KEYS = {
  writeKey: (key: PhysicalKey, target: Buffer, start: number): number =>
    start + target.write(key, start, 'latin1'),
  readKey: (source: Buffer, start: number, end: number): PhysicalKey =>
    source.toString('latin1', start, end),
}

/** Values are encoded before and decoded after, where the key is known. */
const RAW_BYTES = {
  encode: (bytes: Buffer): Buffer => bytes,
  decode: (bytes: Buffer): Buffer => bytes,
}

interface FastReader {
  getBinaryFast(key: PhysicalKey, options: ReadPoint): Buffer | undefined
}

/** When a commit fails, the package rejects with an error that has another promise of the true
 * reason. */
async function settle(committing: Promise<unknown>): Promise<void> {
  try {
    await committing
  } catch (error) {
    const reason = (error as { commitError?: Promise<never> }).commitError
    if (reason !== undefined) await reason
    throw error
  }
}
