import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A file and its new content. */
export interface FileContent {
  /** An absolute path. */
  readonly file: string
  readonly text: string
}

/**
 * Replaces each file atomically. All new contents are on the disk before the first file is
 * replaced: if one can't be written, for lack of space or permissions, no file changes.
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

/** The target of a symbolic link: the file is replaced, and not the link. */
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
