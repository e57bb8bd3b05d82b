import type { Storage } from 'singletable/engine'
import { GroupStorage } from './group-storage.ts'
import { storageRefused } from './storage-errors.ts'
import { openStoreFolder } from './store-folder.ts'

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

/**
 * Opens a folder again that this process has closed just before. Its pages are not checked once
 * more, which takes time in proportion to the file.
 */
export function reopenLmdbStorage(path: string): Storage {
  const { file, unlock } = openStoreFolder(path, 'flushed', false)
  return new GroupStorage({ file, path, afterClose: unlock })
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
