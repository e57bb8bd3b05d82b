import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { InitError } from './init-error.ts'
import type { PlannedFile } from './plan-project.ts'

/** Writes what was planned. Files that came to be meanwhile are not overwritten. */
export function writeProject(directory: string, files: readonly PlannedFile[]): void {
  try {
    mkdirSync(directory, { recursive: true })
    for (const { file, text, isNew } of files) {
      const target = path.join(directory, file)
      mkdirSync(path.dirname(target), { recursive: true })
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
