import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { storageRefused } from './storage-errors.ts'

/** Tells what a folder is, in words for people too. */
export const MARKER_FILE = 'singletable.json'
/** The marker while it is being written. */
export const MARKER_DRAFT_FILE = 'singletable.json.new'

/** Raised when the files, the encoding of values or the engine's layout of keys change so that an older version would misread them. */
export const FORMAT_VERSION = 1

const FORMAT = 'singletable storage'

export interface FolderMarker {
  readonly version: number
  /** The same stands in the data, so that files of two folders can't be mixed up. */
  readonly storeId: string
  /** False while the folder is being made: nothing has been acknowledged, so it can be made anew. */
  readonly ready: boolean
  /** How the data was written last: with 'os' it may hold commits that were never flushed. */
  readonly durability: 'flushed' | 'os'
}

/** The marker of the folder, or undefined if it has none. */
export function readMarker(folder: string): FolderMarker | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, MARKER_FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const marker = parse(text)
  if (marker?.format !== FORMAT || typeof marker.version !== 'number') {
    throw storageRefused(
      folder,
      `"${MARKER_FILE}" in the folder is not that of a storage of singletable.`,
      'choose another folder, or an empty one',
    )
  }
  if (marker.version > FORMAT_VERSION) {
    throw storageRefused(
      folder,
      `The folder has format version ${marker.version}; this version of singletable knows ${FORMAT_VERSION}.`,
      'use the newer version of @singletable/kit that wrote it, or one after it',
    )
  }
  return {
    version: marker.version,
    storeId: String(marker.storeId),
    ready: marker.ready === true,
    durability: marker.durability === 'flushed' ? 'flushed' : 'os',
  }
}

/** Replaces the marker; it is on the medium when this returns. */
export function writeMarker(folder: string, marker: FolderMarker): void {
  const draft = join(folder, MARKER_DRAFT_FILE)
  const file = openSync(draft, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify({ format: FORMAT, ...marker }, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, join(folder, MARKER_FILE))
  flushFolder(folder)
}

/** Names of files are on the medium only when their folder is flushed. */
export function flushFolder(folder: string): void {
  // Windows cannot open a folder, and keeps names without being asked to.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null
      ? (parsed as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
