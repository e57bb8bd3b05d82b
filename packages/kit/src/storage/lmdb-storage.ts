import { join } from 'node:path'
import type { Storage } from 'singletable/engine'
import { GroupStorage } from './group-storage.ts'
import { type LmdbFile, openLmdbFile } from './lmdb-file.ts'
import { storageRefused } from './storage-errors.ts'
import { DATA_FILE, openStoreFolder } from './store-folder.ts'

/** What `lmdbStorage` may be given; everything has a default. */
export interface LmdbStorageOptions {
  /**
   * When a write is acknowledged. `'flushed'`: when it is on the medium, so that it survives a loss
   * of power. `'os'`: when the operating system has it, so that it survives the end of the process,
   * however violent; after a loss of power the last writes may be missing, but never one before
   * another that is there. Default: `'flushed'`.
   */
  readonly durability?: 'flushed' | 'os'
}

/**
 * A storage for the engine in a folder of its own, which is made if need be. What is acknowledged
 * is still there when the folder is opened again.
 *
 * @example
 * const engine = createEngine({ storage: lmdbStorage('./data') })
 */
export function lmdbStorage(path: string, options: LmdbStorageOptions = {}): Storage {
  const { durability = 'flushed' } = options
  const { file, unlock } = openStoreFolder(path, readDurability(path, durability))
  return new GroupStorage({ file, path, afterClose: unlock })
}

/** A folder whose data file is opened several times, and that is locked all the time. */
export interface HeldFolder {
  /** The storage of the data; close the one before first. */
  open(): Storage
  /** Lets others have the folder; call it after the last storage was closed. */
  unlock(): Promise<void>
}

/** Locks a folder and checks it, once. */
export function holdLmdbFolder(path: string): HeldFolder {
  const { file, unlock } = openStoreFolder(path, 'flushed')
  let first: LmdbFile | undefined = file
  return {
    open() {
      const opened = first ?? openLmdbFile(join(path, DATA_FILE), { acknowledgeBeforeFlush: false })
      first = undefined
      return new GroupStorage({ file: opened, path })
    },
    unlock,
  }
}

function readDurability(path: string, durability: unknown): 'flushed' | 'os' {
  if (durability !== 'flushed' && durability !== 'os') {
    throw storageRefused(
      path,
      `The option durability is ${JSON.stringify(durability)}.`,
      "give 'flushed', 'os' or nothing",
    )
  }
  // On Windows LMDB knows no commit that is safe before it is flushed.
  return process.platform === 'win32' ? 'flushed' : durability
}
