import { closeSync, fstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs'

export const LOCK_SUFFIX = '-lock'
/** LMDB's entry of a reader, and at most what comes before them. */
const READER_BYTES = 64
const HEADER_BYTES = 1024
/** What LMDB writes when it makes a file, with the largest pages. */
const NEW_FILE_BYTES = 2 * 65_536
/** Ends the name of a file that exists only while space is being tested. */
export const ROOM_SUFFIX = '.room'

/**
 * Makes sure that the disk has room for what LMDB uses without asking: on a full disk that would
 * end the process by a signal, where writing to a file is an error. LMDB maps its lock file and
 * writes to the memory, so the lock file gets its full size. And it does not survive that a new
 * file can't be started, so there has to be room for that.
 */
export function reserveSpace(path: string, readersMax: number): void {
  const lock = openSync(path + LOCK_SUFFIX, 'a', 0o600)
  try {
    fill(lock, HEADER_BYTES + readersMax * READER_BYTES - fstatSync(lock).size)
  } finally {
    closeSync(lock)
  }
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  const room = openSync(path + ROOM_SUFFIX, 'w', 0o600)
  try {
    fill(room, NEW_FILE_BYTES)
  } finally {
    closeSync(room)
    rmSync(path + ROOM_SUFFIX, { force: true })
  }
}

function fill(file: number, bytes: number): void {
  for (let left = bytes; left > 0; ) left -= writeSync(file, Buffer.alloc(left))
}
