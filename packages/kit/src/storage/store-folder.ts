import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createLmdbFile, flushLmdbFile, type LmdbFile, openLmdbFile } from './lmdb-file.ts'
import {
  FORMAT_VERSION,
  type FolderMarker,
  flushFolder,
  MARKER_DRAFT_FILE,
  MARKER_FILE,
  readMarker,
  writeMarker,
} from './marker-file.ts'
import { lockFolder, OWNER_FILE } from './owner-lock.ts'
import { reasonOf, storageDamaged, storageRefused } from './storage-errors.ts'
import { decodeValue, ValueEncoder } from './value-codec.ts'

const DATA_FILE = 'data.mdb'
const LOCK_SUFFIX = '-lock'
/** Where the data says which store it belongs to. */
const STORE_KEY = '\0store'

export interface StoreFolder {
  readonly file: LmdbFile
  /** Lets others have the folder; call it after the file was closed. */
  unlock(): Promise<void>
}

/**
 * Opens the folder of a store, or makes one of a folder that is empty or not there. Whatever is found instead is refused and left as it is.
 */
export function openStoreFolder(folder: string, durability: 'flushed' | 'os'): StoreFolder {
  makeFolder(folder)
  refuseForeign(folder)
  const unlock = lockFolder(folder)
  try {
    const marker = readyMarker(folder)
    const data = join(folder, DATA_FILE)
    refuseBrokenData(folder, data)
    prepareDurability(folder, marker, durability)
    const file = openLmdbFile(data, { acknowledgeBeforeFlush: durability === 'os' })
    try {
      compareStores(folder, file, marker)
    } catch (error) {
      void file.close()
      throw error
    }
    rmSync(join(folder, MARKER_DRAFT_FILE), { force: true })
    return { file, unlock }
  } catch (error) {
    void unlock()
    throw explain(folder, error)
  }
}

function makeFolder(folder: string): void {
  try {
    if (!existsSync(folder)) makeFolders(resolve(folder))
    if (statSync(folder).isDirectory()) return
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'ENOTDIR') {
      throw storageRefused(
        folder,
        `The folder cannot be made: ${reasonOf(error)}.`,
        'choose a path where this user may make a folder',
      )
    }
  }
  throw storageRefused(
    folder,
    'The path, or a part of it, is a file and not a folder.',
    'choose the path of a folder, or of one that can be made',
  )
}

/** Node's own way to make the folders above too never ends where the system says that a folder is missing which is there, as in /proc. */
function makeFolders(folder: string): void {
  const above = dirname(folder)
  if (!existsSync(above)) makeFolders(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it since we looked.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
  flushFolder(above)
}

/** Files that may be there before the marker is, when the making of a folder was cut short. */
const BEFORE_MARKER = new Set([OWNER_FILE, OWNER_FILE + LOCK_SUFFIX, MARKER_DRAFT_FILE])

function refuseForeign(folder: string): void {
  const names = readNames(folder)
  for (const name of [MARKER_FILE, OWNER_FILE, DATA_FILE]) {
    if (!names.includes(name)) continue
    // One that another process is just making may be gone again.
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false })
    if (stats !== undefined && !stats.isFile()) throw notAFile(folder, name, stats)
  }
  if (names.includes(MARKER_FILE)) readMarker(folder)
  else {
    const foreign = names.find((name) => !BEFORE_MARKER.has(name))
    if (foreign === undefined) return
    throw storageRefused(
      folder,
      `The folder is not a storage of singletable: it holds "${foreign}" and has no "${MARKER_FILE}".`,
      'choose another folder, or an empty one',
    )
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw storageRefused(
      folder,
      `The folder cannot be read: ${reasonOf(error)}.`,
      'choose a folder that this user may read and write',
    )
  }
}

function notAFile(folder: string, name: string, stats: Stats): Error {
  const kind = stats.isSymbolicLink() ? 'a symbolic link' : 'not a plain file'
  return storageRefused(
    folder,
    `"${name}" in the folder is ${kind}.`,
    'put the file itself there; links are not followed, because two folders could then share their data',
  )
}

/** The marker of a folder whose data exists, which is made if it doesn't. */
function readyMarker(folder: string): FolderMarker {
  const found = readMarker(folder)
  if (found?.ready === true) return found
  const marker: FolderMarker = {
    version: FORMAT_VERSION,
    storeId: randomUUID(),
    ready: false,
    durability: 'flushed',
  }
  writeMarker(folder, marker)
  // What an earlier attempt has left was never used.
  const data = join(folder, DATA_FILE)
  rmSync(data, { force: true })
  rmSync(data + LOCK_SUFFIX, { force: true })
  const { version, storeId } = marker
  const bytes = new ValueEncoder().encode(STORE_KEY, { version, storeId })
  createLmdbFile(data, [{ key: STORE_KEY, bytes }])
  flushFolder(folder)
  const ready = { ...marker, ready: true }
  writeMarker(folder, ready)
  return ready
}

/** A file that starts otherwise is none of LMDB's: 24 bytes of page header, then this. */
const MAGIC = Buffer.from([0xde, 0xc0, 0xef, 0xbe])
const MAGIC_POSITION = 24

function refuseBrokenData(folder: string, data: string): void {
  const head = Buffer.alloc(MAGIC_POSITION + MAGIC.length)
  let length: number
  try {
    const file = openSync(data, 'r')
    try {
      length = readSync(file, head, 0, head.length, 0)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw storageDamaged(folder, `"${DATA_FILE}" is missing from the folder.`)
  }
  if (length === head.length && head.subarray(MAGIC_POSITION).equals(MAGIC)) return
  throw storageDamaged(
    folder,
    `"${DATA_FILE}" in the folder is ${length === 0 ? 'empty' : 'not a file of LMDB'}.`,
  )
}

function prepareDurability(
  folder: string,
  marker: FolderMarker,
  durability: 'flushed' | 'os',
): void {
  if (marker.durability === durability) return
  // The marker never says 'flushed' of data that may hold commits which are not.
  if (durability === 'flushed') flushLmdbFile(join(folder, DATA_FILE))
  writeMarker(folder, { ...marker, durability })
}

function compareStores(folder: string, file: LmdbFile, marker: FolderMarker): void {
  const point = file.readPoint()
  const bytes = file.get(STORE_KEY, point)
  const store = bytes && (decodeValue(STORE_KEY, bytes) as Partial<FolderMarker> | undefined)
  file.release(point)
  if (store?.storeId === marker.storeId && store.version === marker.version) return
  throw storageDamaged(
    folder,
    store === undefined
      ? `"${DATA_FILE}" does not say which store it belongs to.`
      : `"${DATA_FILE}" belongs to another store (${store.storeId}, version ${store.version}) than "${MARKER_FILE}" (${marker.storeId}, version ${marker.version}).`,
  )
}

/** What LMDB or the system says about a folder is no error of ours yet. */
function explain(folder: string, error: unknown): unknown {
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('STORAGE_')) {
    return error
  }
  return storageRefused(
    folder,
    `The folder cannot be opened: ${reasonOf(error)}.`,
    'see that this user may read and write the folder and all files in it, and that the disk has room',
  )
}
