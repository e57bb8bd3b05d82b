import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A file and what shall be in it. */
export interface FileContent {
  /** An absolute path. */
  readonly file: string
  readonly text: string
}

/**
 * Writes files so that each is the old one or the new one at every moment. All of them are on the disk before the first one takes its place: what
 * can't be written, for lack of space or rights, leaves all as they were.
 */
export function writeFiles(files: readonly FileContent[]): void {
  const drafts: { readonly draft: string; readonly place: string }[] = []
  try {
    for (const { file, text } of files) {
      mkdirSync(path.dirname(file), { recursive: true })
      const place = realPlace(file)
      const draft = path.join(path.dirname(place), `.${path.basename(place)}.${process.pid}.draft`)
      drafts.push({ draft, place })
      writeFileSync(draft, text, { mode: modeOf(place) })
    }
    for (const { draft, place } of drafts) renameSync(draft, place)
  } finally {
    for (const { draft } of drafts) rmSync(draft, { force: true })
  }
}

/** Where a link leads to: the file changes, and not the link. */
function realPlace(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function modeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mode ?? 0o666
}
