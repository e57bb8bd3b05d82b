import { statSync } from 'node:fs'
import { DamagedPageError, PageFile } from './page-file.ts'
import { freePages, walkTree } from './page-tree.ts'

/**
 * Says why LMDB must not be given a file, or undefined if it may. LMDB maps the file as it is: what its meta pages promise
 * and the file does not have ends the process by a signal.
 */
export function dataFileProblem(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return 'is missing from the folder'
  try {
    const file = new PageFile(path)
    try {
      for (const { root } of [file.meta.free, file.meta.main]) if (root >= 0) file.page(root)
      return missingEnd(file)
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof DamagedPageError) return `in the folder ${error.message}`
    throw error
  }
}

/** A file may be shorter than its meta page says by pages that were given up before they were ever written. */
function missingEnd(file: PageFile): string | undefined {
  const missing = new Set<number>()
  for (let page = file.pages; page <= file.meta.lastPage; page++) {
    missing.add(page)
    // What was given up in one transaction is never as much as this.
    if (missing.size > MISSING_PAGES_MAX) break
  }
  if (missing.size === 0) return undefined
  walkTree(file, file.meta.free, {
    entry: (_key, bytes) => {
      for (const page of freePages(bytes, file.meta.lastPage)) missing.delete(page)
    },
    page: () => {},
    damage: (what) => {
      throw new DamagedPageError(what)
    },
  })
  if (missing.size === 0) return undefined
  const wanted = (file.meta.lastPage + 1) * file.pageBytes
  return `in the folder is cut short: it has ${file.sizeBytes} of ${wanted} bytes`
}

const MISSING_PAGES_MAX = 1_000_000
