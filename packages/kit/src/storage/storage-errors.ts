import { SingletableError } from 'singletable/engine'

export function storageClosed(path: string, call: string): SingletableError {
  return new SingletableError('STORAGE_CLOSED', {
    what: 'The storage has been closed.',
    where: `lmdbStorage('${path}'), ${call}()`,
    fix: 'use the storage, or the engine on it, only before close(), or open another one',
  })
}

export function storageFailed(path: string, cause: unknown): SingletableError {
  return new SingletableError(
    'STORAGE_FAILED',
    {
      what: `Writing to the disk has failed: ${reasonOf(cause)}. This write and those with it may or may not be found after a restart; no other is lost.`,
      where: `lmdbStorage('${path}')`,
      fix: 'make sure that the disk works and has room, close the storage or the engine on it, and open it again; until then it can be read but takes no writes',
    },
    { cause },
  )
}

export function storageDamaged(path: string, what: string): SingletableError {
  return new SingletableError('STORAGE_DAMAGED', {
    what,
    where: `lmdbStorage('${path}')`,
    fix: 'keep the folder as it is, look for errors of the disk, and restore a copy; nothing is repaired or deleted automatically',
  })
}

export function storageRefused(path: string, what: string, fix: string): SingletableError {
  return new SingletableError('STORAGE_REFUSED', { what, where: `lmdbStorage('${path}')`, fix })
}

export function storageInUse(path: string, who: string): SingletableError {
  return new SingletableError('STORAGE_IN_USE', {
    what: `The folder is in use by ${who}.`,
    where: `lmdbStorage('${path}')`,
    fix: 'close the storage or the engine there, or end that process, and open it again; or choose another folder',
  })
}

export function tooManySnapshots(path: string, max: number): SingletableError {
  return new SingletableError('STORAGE_SNAPSHOT_LIMIT', {
    what: `${max} snapshots of different states are held, the most that one storage can keep. Nothing was changed, and writes continue.`,
    where: `lmdbStorage('${path}'), snapshot()`,
    fix: 'keep fewer snapshots: one is released when nothing refers to it any more and the garbage collector has run, or when the storage is closed',
  })
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
