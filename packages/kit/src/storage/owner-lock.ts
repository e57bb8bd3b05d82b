import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase, type Transaction } from 'lmdb'
import { dataFileProblem } from './check-data-file.ts'
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts'
import { reserveSpace } from './reserve-space.ts'
import { reasonOf, storageInUse, storageRefused } from './storage-errors.ts'

/** Says which process owns the folder. */
export const OWNER_FILE = 'owner.json'
export const OWNER_DRAFT_FILE = 'owner.json.new'
/** What those that come at the same time queue for, and what other containers see. */
export const QUEUE_FILE = 'owner.mdb'

/** An owner has one entry in the table of readers; the others are for those that come to look. */
const READERS_MAX = 16

/**
 * Makes this process the only owner of the folder, until the result is called.
 *
 * The owner is who a file names: number and start of the process, and the start of the machine, so
 * a process that was killed is known to be gone, whoever has its number now. A lock of the
 * operating system would be let go when the owner reads or copies its own files (POSIX: closing any
 * descriptor of a file ends the process's locks on it).
 *
 * Two things a file can't do are left to a small file of LMDB. Its write lock makes looking and
 * taking one step. And its table of readers, where each holds a lock of the system, shows whether
 * an owner in another container, whose processes can't be seen from here, is still there.
 */
export function lockFolder(folder: string): () => Promise<void> {
  const path = join(folder, OWNER_FILE)
  const owner = readOwner(path)
  // Whoever opens the queue while a lost lock of the system makes it look unused would reset it
  // under its owner.
  if (owner !== undefined && isRunning(owner) === true) throw inUse(folder, [owner.pid])
  const queue = openQueue(folder)
  // Held until the end: a read that is collected as garbage is over.
  let reading: Transaction
  try {
    reading = queue.transactionSync(() => take(folder, path, queue))
  } catch (error) {
    void queue.close()
    throw error
  }
  return () => {
    reading.done()
    const closing = queue.close()
    rmSync(path, { force: true })
    return closing
  }
}

function take(folder: string, path: string, queue: RootDatabase): Transaction {
  queue.readerCheck()
  const readers = readerPids(queue.readerList())
  if (readers.length > 0) throw inUse(folder, readers)
  const owner = readOwner(path)
  if (owner !== undefined && isRunning(owner) === true) throw inUse(folder, [owner.pid])
  writeOwner(folder, path)
  return queue.useReadTransaction()
}

function openQueue(folder: string): RootDatabase {
  const path = join(folder, QUEUE_FILE)
  const isMade = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  const problem = isMade ? dataFileProblem(path) : undefined
  if (problem !== undefined) {
    throw storageRefused(
      folder,
      `"${QUEUE_FILE}" ${problem}.`,
      `make sure that no process uses the folder, and delete "${QUEUE_FILE}", which holds no data`,
    )
  }
  try {
    reserveSpace(path, READERS_MAX)
    return open({
      path,
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
      `make sure that this user may write to the folder and to "${QUEUE_FILE}" in it, and that the disk has room`,
    )
  }
}

/**
 * Undefined if there is none. It is written in one step, so one that is not whole never owned the
 * folder, and neither did one that was copied here from another folder: it names its own file.
 */
function readOwner(path: string): ProcessIdentity | undefined {
  try {
    const { file, ...owner } = JSON.parse(readFileSync(path, 'utf8'))
    const isOwn = file === String(statSync(path, { bigint: true }).ino)
    return isOwn && Number.isSafeInteger(owner.pid) ? owner : undefined
  } catch {
    return undefined
  }
}

function writeOwner(folder: string, path: string): void {
  const draft = join(folder, OWNER_DRAFT_FILE)
  const descriptor = openSync(draft, 'w', 0o600)
  try {
    const file = String(fstatSync(descriptor, { bigint: true }).ino)
    writeSync(descriptor, `${JSON.stringify({ ...ownIdentity(), file }, null, 2)}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(draft, path)
}

function inUse(folder: string, owners: readonly number[]): Error {
  return storageInUse(
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
