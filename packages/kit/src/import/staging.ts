import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, type RootDatabase } from 'lmdb'
import { addDecimals } from 'singletable/tools'
import { TransferError } from '../transfer/transfer-error.ts'
import type { Cell } from './row.ts'

/** How far an import is. */
export interface ImportProgress {
  readonly startedAt: number
  /** Of the mapping, so that a changed one is not taken for it. */
  readonly checksum: string
  /** Rows of each source whose items are at the target. */
  readonly rows: Readonly<Record<string, number>>
  /** Sources whose rows are staged for joins. */
  readonly staged: readonly string[]
  readonly items: number
  /** Files that are complete, where the target is files. */
  readonly parts: number
}

/** A counter of a parent, as far as it is counted. */
export interface StagedCount {
  readonly key: string
  readonly attribute: string
  readonly sum: string
}

/**
 * What an import keeps on disk while it runs: how far it is, which row gave which key, rows for
 * joins, and counts. So memory does not grow with the source, and a run that was killed continues.
 */
export class Staging {
  readonly #directory: string
  readonly #releaseEntries: number
  #database: RootDatabase<unknown, string>
  /** Entries that were read or written since the file was opened. */
  #used = 0

  constructor(directory: string, releaseEntries: number = RELEASE_ENTRIES) {
    this.#directory = directory
    this.#releaseEntries = releaseEntries
    this.#database = openFile(directory)
  }

  /** Whether there is memory to be given back. */
  get isLarge(): boolean {
    return this.#used >= this.#releaseEntries
  }

  /**
   * Gives memory back. The file is mapped, so that all that was used of it counts as memory of the
   * process until it is closed.
   */
  async release(): Promise<void> {
    if (!this.isLarge) return
    this.#used = 0
    await this.#database.close()
    this.#database = openFile(this.#directory)
  }

  get progress(): ImportProgress | undefined {
    // Written by this class.
    return this.#database.get('progress') as ImportProgress | undefined
  }

  save(progress: ImportProgress): void {
    this.#database.transactionSync(() => this.#database.putSync('progress', progress))
  }

  /** Does all of it at once or nothing. */
  transaction<T>(work: () => T): T {
    return this.#database.transactionSync(work)
  }

  /**
   * Notes which row gives an item with this key; false if it is noted already. Two rows with one
   * key are an error: one of them would be lost.
   */
  claim(key: string, where: string, what: string): boolean {
    this.#used++
    const entry = entryOf('key', key)
    const first = this.#database.get(entry) as string | undefined
    if (first === where) return false
    if (first !== undefined) {
      throw new TransferError(`Two rows give the same ${what}: ${key}.`, {
        where: `${first} and ${where}`,
        fix: 'correct one of the rows, or put what differs into the key',
      })
    }
    this.#database.putSync(entry, where)
    return true
  }

  isClaimed(key: string): boolean {
    this.#used++
    return this.#database.doesExist(entryOf('key', key))
  }

  putRow(source: string, key: string, cells: Readonly<Record<string, Cell>>): void {
    this.#used++
    this.#database.putSync(entryOf(`row ${source}`, key), cells)
  }

  getRow(source: string, key: string): Readonly<Record<string, Cell>> | undefined {
    this.#used++
    return this.#database.get(entryOf(`row ${source}`, key)) as
      | Readonly<Record<string, Cell>>
      | undefined
  }

  count(key: string, attribute: string, by: string): void {
    this.#used++
    const entry = entryOf('count', `${key} ${attribute}`)
    const known = this.#database.get(entry) as StagedCount | undefined
    const sum = addDecimals(known?.sum ?? '0', by) ?? '0'
    this.#database.putSync(entry, { key, attribute, sum } satisfies StagedCount)
  }

  *counts(): Generator<StagedCount, void, undefined> {
    for (const { value } of this.#database.getRange({ start: 'count ', end: 'count!' })) {
      yield value as StagedCount
    }
  }

  async close(): Promise<void> {
    await this.#database.close()
  }

  async remove(): Promise<void> {
    await this.close()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

/** Each may be on a page of its own, of 4 KB. */
const RELEASE_ENTRIES = 10_000
/** Neighbours stay neighbours, which is faster and smaller than hashes. */
const PLAIN_KEY = /^[ -~]{1,300}$/

function openFile(path: string): RootDatabase<unknown, string> {
  // A crash of the machine means to start again; the death of a process loses nothing.
  return open({ path, noSync: true, encoding: 'json' })
}

/** Keys of LMDB are shorter than those of DynamoDB, so long ones are hashed. */
function entryOf(kind: string, text: string): string {
  if (PLAIN_KEY.test(text)) return `${kind} ${text}`
  return `${kind} ~${createHash('sha256').update(text).digest('base64url')}~`
}
