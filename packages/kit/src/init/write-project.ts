import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { InitError } from './init-error.ts'
import type { PlannedFile } from './plan-project.ts'

/** Writes what was planned. Files that came to be meanwhile are not overwritten. */
export function writeProject(directory: string, files: readonly PlannedFile[]): void {
  try {
    makeFolder(directory)
    for (const { file, text, isNew } of files) {
      const target = path.join(directory, file)
      makeFolder(path.dirname(target))
      writeFileSync(target, text, { flag: isNew ? 'wx' : 'w' })
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new InitError(
      `The project can't be written: ${reason}.`,
      directory,
      'choose a folder that this user may write to',
      { cause },
    )
  }
}

/** Step by step: Node's own recursion never ends where the system refuses a folder as one that is
 * missing, as it does in /proc. */
function makeFolder(directory: string): void {
  if (existsSync(directory)) return
  makeFolder(path.dirname(directory))
  mkdirSync(directory)
}
