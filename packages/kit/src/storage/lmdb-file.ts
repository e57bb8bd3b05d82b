import { open, type RangeOptions, type Transaction } from 'lmdb'

/** A key as LMDB has it, written as Latin-1; never empty and at most `PHYSICAL_KEY_BYTES_MAX` long. */
export type PhysicalKey = string

/** LMDB's own limit with pages of 4 KB. */
export const PHYSICAL_KEY_BYTES_MAX = 1978

/** A state of the whole file that doesn't change however much is written, until it is released. */
export interface ReadPoint {
  readonly transaction: Transaction
}

export interface PhysicalRange {
  readonly start: PhysicalKey
  readonly end: PhysicalKey
  readonly reverse: boolean
}

/** What a commit is made with. */
export interface PhysicalWriter {
  put(key: PhysicalKey, bytes: Buffer): void
  remove(key: PhysicalKey): void
}

/** The handful of calls of LMDB that the storage is made of. Tests put a file in their place whose calls fail. */
export interface LmdbFile {
  /** The newest state that readers may see. */
  readPoint(): ReadPoint
  release(point: ReadPoint): void
  /** The bytes are good only until the next call. */
  get(key: PhysicalKey, point: ReadPoint): Buffer | undefined
  /** Entries from start (included) to end (excluded), the last one first if reversed; their bytes are good only until the next call or step. */
  range(range: PhysicalRange, point: ReadPoint): Iterable<{ key: PhysicalKey; value: Buffer }>
  /** Writes everything in one transaction of LMDB, off this thread. Resolves when it is as durable as the file was opened for. */
  commit(write: (writer: PhysicalWriter) => void): Promise<void>
  /** The same on this thread, with no memory of its own: for more than memory may hold. */
  commitLarge(write: (writer: PhysicalWriter) => void): Promise<void>
  close(): Promise<void>
}

export interface LmdbFileOptions {
  /** Whether a commit is acknowledged before it is flushed, and flushed afterwards. */
  readonly acknowledgeBeforeFlush: boolean
}

/** Address space set aside, not memory or disk; LMDB takes more when the file grows beyond. */
const MAP_SIZE_BYTES = 2 ** 34
/** Every snapshot holds one. */
const READERS_MAX = 1000

export function openLmdbFile(path: string, options: LmdbFileOptions): LmdbFile {
  const database = open<Buffer, PhysicalKey>({
    path,
    noSubdir: true,
    mapSize: MAP_SIZE_BYTES,
    maxReaders: READERS_MAX,
    // With it a commit is visible and its promise resolved before it is flushed. LMDB keeps track of what was flushed last, and after a
    // restart of the machine goes back to that. Without it LMDB flushes first, so that what can be seen is on the medium.
    overlappingSync: options.acknowledgeBeforeFlush,
    keyEncoder: LATIN1_KEYS,
    encoder: RAW_BYTES,
    // Not in the package's types; the mode of the files it makes.
    ...{ permissionsMode: 0o600 },
  })
  return {
    readPoint: () => ({ transaction: database.useReadTransaction() }),
    release: ({ transaction }) => transaction.done(),
    get: (key, point) => getBytes(database as unknown as FastReader, key, point),
    range({ start, end, reverse }, point) {
      const range: RangeOptions = reverse
        ? { start: end, end: start, reverse: true, ...REVERSED_ENDS }
        : { start, end }
      return database.getRange({ ...range, transaction: point.transaction })
    },
    async commit(write) {
      await settle(
        database.batch(() =>
          write({
            put: (key, bytes) => void database.put(key, bytes),
            remove: (key) => void database.remove(key),
          }),
        ),
      )
    },
    async commitLarge(write) {
      await settle(
        database.transaction(() =>
          write({
            put: (key, bytes) => void database.put(key, bytes),
            remove: (key) => void database.remove(key),
          }),
        ),
      )
    },
    close: () => database.close(),
  }
}

/** The start of a reversed range is excluded and its end included, which the package can do but doesn't list in its types. */
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

/** The types of `getBinaryFast` leave out its second argument. */
interface FastReader {
  getBinaryFast(key: PhysicalKey, options: ReadPoint): Buffer | undefined
}

function getBytes(database: FastReader, key: PhysicalKey, point: ReadPoint): Buffer | undefined {
  return database.getBinaryFast(key, point)
}

/** When a commit fails, the package rejects with an error that has another promise of the true reason. */
async function settle(committing: Promise<unknown>): Promise<void> {
  try {
    await committing
  } catch (error) {
    const reason = (error as { commitError?: Promise<never> }).commitError
    if (reason !== undefined) await reason
    throw error
  }
}
