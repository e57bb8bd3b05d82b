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
  readonly #database: RootDatabase<unknown, string>
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
    // A crash of the machine means to start again; the death of a process loses nothing.
    this.#database = open({ path: directory, noSync: true, encoding: 'json' })
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
    const entry = `key ${hashOf(key)}`
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

  putRow(source: string, key: string, cells: Readonly<Record<string, Cell>>): void {
    this.#database.putSync(`row ${source} ${hashOf(key)}`, cells)
  }

  getRow(source: string, key: string): Readonly<Record<string, Cell>> | undefined {
    return this.#database.get(`row ${source} ${hashOf(key)}`) as
      | Readonly<Record<string, Cell>>
      | undefined
  }

  count(key: string, attribute: string, by: string): void {
    const entry = `count ${hashOf(`${key} ${attribute}`)}`
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

/** Keys of LMDB are shorter than those of DynamoDB. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
