import { randomUUID } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { dataFileProblem } from './check-data-file.ts'
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
import { lockFolder, OWNER_DRAFT_FILE, OWNER_FILE, QUEUE_FILE } from './owner-lock.ts'
import { LOCK_SUFFIX, ROOM_SUFFIX } from './reserve-space.ts'
import { reasonOf, storageDamaged, storageRefused } from './storage-errors.ts'
import { decodeValue, ValueEncoder } from './value-codec.ts'

export const DATA_FILE = 'data.mdb'
/** Where the data says which store it belongs to. */
const STORE_KEY = '\0store'

export interface StoreFolder {
  readonly file: LmdbFile
  /** Lets others have the folder; call it after the file was closed. */
  unlock(): Promise<void>
}

/**
 * Opens the folder of a store, or makes one of a folder that is empty or not there. Whatever is
 * found instead is refused and left as it is. Nothing here deletes a data file: there is no marker,
 * however damaged, that could ask for it.
 */
export function openStoreFolder(folder: string, durability: 'flushed' | 'os'): StoreFolder {
  makeFolder(folder)
  refuseForeign(folder)
  let unlock: (() => Promise<void>) | undefined
  try {
    unlock = lockFolder(folder)
    const marker = readMarker(folder) ?? newMarker(folder)
    const data = join(folder, DATA_FILE)
    if (!marker.ready && !existsSync(data)) createData(folder, data, marker)
    const isFlushed = marker.ready && marker.durability === 'flushed'
    const problem = dataFileProblem(data, isFlushed)
    if (problem !== undefined) throw storageDamaged(folder, `"${DATA_FILE}" ${problem}.`)
    // LMDB makes it again; one that an older version has left may have holes, for which a full disk
    // has no room.
    rmSync(data + LOCK_SUFFIX, { force: true })
    // The marker never says 'flushed' of data that may hold commits which are not.
    if (marker.durability !== durability && durability === 'flushed') flushLmdbFile(data)
    const file = openLmdbFile(data, { acknowledgeBeforeFlush: durability === 'os' })
    try {
      compareStores(folder, file, marker)
      if (!marker.ready || marker.durability !== durability || marker.version !== FORMAT_VERSION) {
        writeMarker(folder, { ...marker, ready: true, durability })
      }
    } catch (error) {
      void file.close()
      throw error
    }
    for (const name of LEFTOVERS) rmSync(join(folder, name), { force: true })
    return { file, unlock }
  } catch (error) {
    void unlock?.()
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
        `The folder cannot be created: ${reasonOf(error)}.`,
        'choose a path where this user may create a folder',
      )
    }
  }
  throw storageRefused(
    folder,
    'The path, or a part of it, is a file and not a folder.',
    'choose the path of a folder, or of one that can be created',
  )
}

/** Node's own way to make the folders above too never ends where the system says that a folder is
 * missing which is there, as in /proc. */
function makeFolders(folder: string): void {
  const above = dirname(folder)
  if (!existsSync(above)) makeFolders(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
  flushFolder(above)
}

/** Files that may be there before the marker is, when the making of a folder was cut short. */
const BEFORE_MARKER = new Set([
  OWNER_FILE,
  OWNER_DRAFT_FILE,
  QUEUE_FILE,
  QUEUE_FILE + LOCK_SUFFIX,
  QUEUE_FILE + ROOM_SUFFIX,
  MARKER_DRAFT_FILE,
])
/** The data file while it is being made. */
const DATA_DRAFT_FILE = `${DATA_FILE}.new`
/** What a process that ended while it made or changed a folder may have left; nothing of it was
 * ever in use. */
const LEFTOVERS = [
  MARKER_DRAFT_FILE,
  OWNER_DRAFT_FILE,
  DATA_DRAFT_FILE,
  DATA_DRAFT_FILE + LOCK_SUFFIX,
  DATA_DRAFT_FILE + ROOM_SUFFIX,
  QUEUE_FILE + ROOM_SUFFIX,
]

function refuseForeign(folder: string): void {
  const names = readNames(folder)
  for (const name of [MARKER_FILE, OWNER_FILE, QUEUE_FILE, DATA_FILE]) {
    if (!names.includes(name)) continue
    // One that another process is just making may be gone again.
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false })
    if (stats !== undefined && !stats.isFile()) throw notAFile(folder, name, stats)
  }
  if (names.includes(MARKER_FILE)) readMarker(folder)
  else {
    const foreign = names.find((name) => !BEFORE_MARKER.has(name))
    // The marker may have been written by another process since the names were read.
    if (foreign === undefined || existsSync(join(folder, MARKER_FILE))) return
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

function newMarker(folder: string): FolderMarker {
  const marker: FolderMarker = {
    version: FORMAT_VERSION,
    storeId: randomUUID(),
    ready: false,
    durability: 'flushed',
  }
  writeMarker(folder, marker)
  return marker
}

/** Makes the data file under another name, so that one which is there under its own is whole. */
function createData(folder: string, data: string, { version, storeId }: FolderMarker): void {
  const draft = join(folder, DATA_DRAFT_FILE)
  rmSync(draft, { force: true })
  const bytes = new ValueEncoder().encode(STORE_KEY, { version, storeId })
  createLmdbFile(draft, [{ key: STORE_KEY, bytes }])
  renameSync(draft, data)
  flushFolder(folder)
}

function compareStores(folder: string, file: LmdbFile, marker: FolderMarker): void {
  const point = file.readPoint()
  const bytes = file.get(STORE_KEY, point)
  const store = bytes && (decodeValue(STORE_KEY, bytes) as Partial<FolderMarker> | undefined)
  file.release(point)
  if (store?.storeId === marker.storeId && (store.version ?? 0) <= FORMAT_VERSION) return
  throw storageDamaged(
    folder,
    store === undefined
      ? `"${DATA_FILE}" does not say which store it belongs to.`
      : `"${DATA_FILE}" belongs to another store (${store.storeId}) than "${MARKER_FILE}" (${marker.storeId}).`,
  )
}

/** Turns what LMDB or the system says about a folder into an error of ours. */
function explain(folder: string, error: unknown): unknown {
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('STORAGE_')) {
    return error
  }
  return storageRefused(
    folder,
    `The folder cannot be opened: ${reasonOf(error)}.`,
    'make sure that this user may read and write the folder and all files in it, and that the disk has room',
  )
}
