import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { TransferError } from './transfer-error.ts'

/** What a checkpoint of each kind of work has in common; the rest is the work's own. */
export interface Checkpoint {
  readonly format: string
  readonly table: string
}

/** Writes the whole file or none of it. */
export async function writeCheckpoint(file: string, checkpoint: Checkpoint): Promise<void> {
  const draft = `${file}.part`
  await writeFile(draft, `${JSON.stringify(checkpoint)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

export async function removeCheckpoint(file: string): Promise<void> {
  await rm(file, { force: true })
}

/** The checkpoint of this work, or undefined if there is none; what belongs to other work is
 * refused. */
export async function readCheckpoint<T extends Checkpoint>(
  file: string,
  expected: Checkpoint,
): Promise<T | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  let parsed: Partial<Checkpoint> = {}
  try {
    parsed = Object(JSON.parse(text))
  } catch {
    // It is refused below, like one of other work.
  }
  if (parsed.format === expected.format && parsed.table === expected.table) {
    // Written by this code, under this format.
    return parsed as T
  }
  throw new TransferError('The checkpoint belongs to other work, or is damaged.', {
    where: file,
    fix: 'start again with --restart, or name another file by --checkpoint',
  })
}
