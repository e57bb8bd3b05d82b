import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { reasonOf, storageInUse, storageRefused } from './storage-errors.ts'

export const OWNER_FILE = 'owner.mdb'

/** An owner has one entry in the table of readers; the others are for those that come to look. */
const READERS_MAX = 16

/**
 * Makes this process the only owner of the folder, until the result is called.
 *
 * The lock is LMDB's own: a small file of LMDB has a table of the processes that read it, and each of them holds a lock of the operating system for its place there. A
 * process that ends in whatever way loses it, and a process that gets the same number later doesn't have it. The owner starts a read and never ends it. Looking and
 * starting is one transaction, so that of two who come at the same time one is first.
 */
export function lockFolder(folder: string): () => Promise<void> {
  let database: RootDatabase
  try {
    database = open({
      path: join(folder, OWNER_FILE),
      noSubdir: true,
      overlappingSync: false,
      maxReaders: READERS_MAX,
      // Not in the package's types; the mode of the files it makes.
      ...{ permissionsMode: 0o600 },
    })
  } catch (error) {
    throw storageRefused(
      folder,
      `The folder cannot be locked: ${reasonOf(error)}.`,
      `see that this user may write to the folder and to "${OWNER_FILE}" in it`,
    )
  }
  const owners = database.transactionSync(() => {
    database.readerCheck()
    const found = readerPids(database.readerList())
    if (found.length === 0) database.useReadTransaction()
    return found
  })
  if (owners.length === 0) return () => database.close()
  void database.close()
  throw storageInUse(
    folder,
    owners.includes(process.pid)
      ? `this process (${process.pid}), or one of the same number in another container`
      : `process ${owners.join(', ')}`,
  )
}

/** LMDB lists one reader a line, below a title; the number of the process comes first. */
function readerPids(list: string): number[] {
  return list
    .split('\n')
    .map((line) => Number(/^\s*(\d+)\s/.exec(line)?.[1]))
    .filter((pid) => pid > 0)
}
