import { statSync } from 'node:fs'
import { DamagedPageError, PageFile, type TreeRoot } from './page-file.ts'
import { freePages, walkBranches, walkTree } from './page-tree.ts'

/** Of a file up to this size all pages are checked, which takes some milliseconds per megabyte; of
 * a larger one those that lead to others. */
const CHECKED_MAX_BYTES = 8 * 1024 * 1024

/**
 * Says why LMDB must not be given a file, or undefined if it may. LMDB maps the file as it is: what
 * its meta pages promise and the file does not have, or pages that point anywhere, end the process
 * by a signal. `isFlushed`: every commit was flushed before the next.
 */
export function dataFileProblem(path: string, isFlushed = false): string | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return 'is missing from the folder'
  try {
    const file = new PageFile(path)
    try {
      const trees = [file.meta.free, file.meta.main]
      for (const { root } of trees) if (root >= 0) file.page(root)
      const problem = (isFlushed ? metaProblem(file) : undefined) ?? missingEnd(file)
      if (problem === undefined) for (const tree of trees) checkTree(file, tree)
      return problem && `in the folder ${problem}`
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof DamagedPageError) return `in the folder ${error.message}`
    throw error
  }
}

/** Each commit writes the other meta page: one that is behind by more, or in the wrong place, would
 * hide the last commits. */
export function metaProblem({ metas }: PageFile): string | undefined {
  const [even, odd] = metas.map(({ transaction }) => transaction) as [number, number]
  const isNew = even === 0 && odd === 0
  if (isNew || (even % 2 === 0 && odd % 2 === 1 && Math.abs(even - odd) === 1)) return undefined
  return `has meta pages of the commits ${even} and ${odd}, which do not follow each other`
}

function checkTree(file: PageFile, tree: TreeRoot): void {
  let first: string | undefined
  const damage = (what: string): void => {
    first ??= what
  }
  if (file.sizeBytes > CHECKED_MAX_BYTES) walkBranches(file, tree, { damage })
  else walkTree(file, tree, { entry: () => {}, page: () => {}, damage })
  if (first !== undefined) throw new DamagedPageError(`is damaged: ${first}`)
}

/** A file may be shorter than its meta page says by pages that were given up before they were ever
 * written. */
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
  return `is cut short: it has ${file.sizeBytes} of ${wanted} bytes`
}

const MISSING_PAGES_MAX = 1_000_000
