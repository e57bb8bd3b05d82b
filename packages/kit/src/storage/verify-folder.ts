import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { metaProblem } from './check-data-file.ts'
import { EntryCheck } from './entry-check.ts'
import { readMarker } from './marker-file.ts'
import { lockFolder } from './owner-lock.ts'
import { DamagedPageError, PageFile } from './page-file.ts'
import { freePages, type TreeVisitor, walkTree } from './page-tree.ts'
import { storageDamaged, storageRefused } from './storage-errors.ts'
import { DATA_FILE } from './store-folder.ts'

export interface VerifyOptions {
  /** Called now and then with how many pages have been read, of how many. */
  readonly onProgress?: (pages: number, total: number) => void
}

/** What was found in a folder. Without problems the folder is fine. */
export interface VerifyReport {
  readonly pages: number
  readonly entries: number
  /** Items of all tables and entries of all their indexes. */
  readonly items: number
  /** The first hundred, in sentences. */
  readonly problems: readonly string[]
  /** How many there are in all. */
  readonly problemsCount: number
}

const PROBLEMS_MAX = 100

/**
 * Reads everything in the folder of a durable storage and finds what is damaged or missing: each
 * page, each value by its checksum, and the numbers of pages, entries and items. Changes nothing;
 * the storage has to be closed meanwhile. The data file is read without LMDB, which a damaged one
 * could end together with the process.
 */
export async function verifyFolder(
  folder: string,
  { onProgress = () => {} }: VerifyOptions = {},
): Promise<VerifyReport> {
  if (!existsSync(folder) || readMarker(folder) === undefined) {
    throw storageRefused(
      folder,
      'There is no storage of singletable in the folder.',
      'give the folder of a storage',
    )
  }
  const unlock = lockFolder(folder)
  try {
    return await new Verification(folder, onProgress).run()
  } finally {
    await unlock()
  }
}

/** What a page has been seen to be. */
const USED = 1
const FREE = 2

class Verification {
  readonly #folder: string
  readonly #onProgress: (pages: number, total: number) => void
  readonly #problems: string[] = []
  #problemsCount = 0

  constructor(folder: string, onProgress: (pages: number, total: number) => void) {
    this.#folder = folder
    this.#onProgress = onProgress
  }

  async run(): Promise<VerifyReport> {
    let file: PageFile
    try {
      file = new PageFile(join(this.#folder, DATA_FILE))
    } catch (error) {
      if (!(error instanceof DamagedPageError)) throw error
      throw storageDamaged(this.#folder, `"${DATA_FILE}" in the folder ${error.message}.`)
    }
    try {
      // So that a first progress is seen before a long time without any.
      await nextTurn()
      const entries = this.#checkFile(file)
      const { pages } = file
      return {
        pages,
        ...entries,
        problems: this.#problems,
        problemsCount: this.#problemsCount,
      }
    } finally {
      file.close()
    }
  }

  #checkFile(file: PageFile): { readonly entries: number; readonly items: number } {
    const problem = metaProblem(file)
    if (problem !== undefined) this.#report(`The file ${problem}.`)
    const { free, main, lastPage } = file.meta
    const pages = new Uint8Array(Math.min(lastPage, file.pages) + 2)
    let read = 0
    const mark = (page: number, kind: number): void => {
      if (page < pages.length && pages[page] !== 0) {
        this.#report(`Page ${page} is used twice.`)
      }
      if (page < pages.length) pages[page] = kind
      if (++read % 1000 === 0) this.#onProgress(read, lastPage)
    }
    const visitor: Omit<TreeVisitor, 'entry'> = {
      page: (page) => mark(page, USED),
      damage: (what) => this.#report(`The file is damaged: ${what}.`),
    }
    const check = new EntryCheck((what) => this.#report(what))
    walkTree(file, main, { ...visitor, entry: (key, bytes) => check.entry(key, bytes) })
    walkTree(file, free, {
      ...visitor,
      entry: (_key, bytes) => {
        for (const page of freePages(bytes, lastPage)) {
          if (page < 2 || page > lastPage)
            this.#report(`Page ${page}, which is free, is not there.`)
          else mark(page, FREE)
        }
      },
    })
    const lost = pages
      .subarray(2, lastPage + 1)
      .reduce((sum, kind) => sum + (kind === 0 ? 1 : 0), 0)
    if (lost > 0) this.#report(`${lost} pages are neither used nor free.`)
    return check.end()
  }

  #report(what: string): void {
    this.#problemsCount++
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(what)
  }
}
