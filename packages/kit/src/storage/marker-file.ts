import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { storageDamaged, storageRefused } from './storage-errors.ts'

/** Says what a folder is, in words for people too. */
export const MARKER_FILE = 'singletable.json'
/** The marker while it is being written. */
export const MARKER_DRAFT_FILE = 'singletable.json.new'

/** Raised when the files, the encoding of values or the engine's layout of keys change so that an
 * older version would misread them. */
export const FORMAT_VERSION = 2
/** Version 1 differs in its marker alone, which has no checksum; it is rewritten when such a folder
 * is opened. */
const FORMAT_VERSION_MIN = 1

const FORMAT = 'singletable storage'

export interface FolderMarker {
  readonly version: number
  /** The same id is in the data, so that files of two folders can't be mixed up. */
  readonly storeId: string
  /** False while the folder is being made: nothing has been acknowledged yet. */
  readonly ready: boolean
  /** How the data was written last: with 'os' it may hold commits that were never flushed. */
  readonly durability: 'flushed' | 'os'
}

/** The marker of the folder, or undefined if it has none. Whatever is not exactly a marker is
 * refused, never guessed. */
export function readMarker(folder: string): FolderMarker | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(join(folder, MARKER_FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const read = parse(bytes)
  if (read?.format !== FORMAT || !Number.isSafeInteger(read.version)) {
    throw storageRefused(
      folder,
      `"${MARKER_FILE}" in the folder is not that of a storage of singletable.`,
      'choose another folder, or an empty one; if this was a storage, restore a copy of the file',
    )
  }
  const { format: _, version, checksum, ...members } = read
  if (Number(version) > FORMAT_VERSION) {
    throw storageRefused(
      folder,
      `The folder has format version ${version}; this version of singletable knows ${FORMAT_VERSION}.`,
      'use the newer version of @singletable/kit that wrote it, or one after it; if none did, the file is damaged: restore a copy',
    )
  }
  const marker = members as Partial<Omit<FolderMarker, 'version'>>
  const isWhole =
    (version === FORMAT_VERSION
      ? checksum === checksumOf({ version, ...members })
      : version === FORMAT_VERSION_MIN && checksum === undefined) &&
    Object.keys(members).sort().join() === 'durability,ready,storeId' &&
    typeof marker.storeId === 'string' &&
    typeof marker.ready === 'boolean' &&
    (marker.durability === 'flushed' || marker.durability === 'os')
  if (isWhole) return { ...(marker as FolderMarker), version: Number(version) }
  throw storageDamaged(folder, `"${MARKER_FILE}" in the folder is not as it was written.`)
}

/** Replaces the marker; it is on the medium when this returns. */
export function writeMarker(
  folder: string,
  { storeId, ready, durability }: Omit<FolderMarker, 'version'>,
): void {
  const draft = join(folder, MARKER_DRAFT_FILE)
  const file = openSync(draft, 'w', 0o600)
  const members = { version: FORMAT_VERSION, storeId, ready, durability }
  const marker = { format: FORMAT, ...members, checksum: checksumOf(members) }
  try {
    writeSync(file, `${JSON.stringify(marker, null, 2)}\n`)
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

function checksumOf(members: object): string {
  return crc32(JSON.stringify(members)).toString(16).padStart(8, '0')
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof parsed === 'object' && parsed !== null
      ? (parsed as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
