import { createHash } from 'node:crypto'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { importedFiles } from './imported-files.ts'
import type { Locate, LocateOptions, Position } from './locate-schema.ts'

/**
 * Keeps what was located in files, because loading the parser takes longer than most checks. What
 * is kept is valid for these sources and for this build of the command.
 */
export function keepPositions(
  { file, exportName, directory }: LocateOptions,
  folder: string,
  locate: Locate,
): Locate {
  const kept = path.join(folder, `positions-${hashOf([exportName, directory, file])}.json`)
  const sources = hashOf([
    String(statSync(fileURLToPath(import.meta.url)).mtimeMs),
    ...importedFiles(file).flatMap((each) => [each, textOf(each)]),
  ])
  const known = readPositions(kept, sources)
  let isWritten = true
  return (subject) => {
    const { model, attribute, index, pattern } = subject
    const name = JSON.stringify([model, attribute, index, pattern])
    let position = known.get(name)
    if (position === undefined) {
      position = locate(subject)
      known.set(name, position)
      // All subjects of a report are located in one go; then it is written once.
      if (isWritten) queueMicrotask(write)
      isWritten = false
    }
    return position
  }
  function write(): void {
    isWritten = true
    const draft = `${kept}.${process.pid}`
    try {
      writeFileSync(draft, JSON.stringify({ sources, positions: [...known] }), { mode: 0o600 })
      renameSync(draft, kept)
    } catch {
      // The next run locates them again.
    }
  }
}

function readPositions(kept: string, sources: string): Map<string, Position> {
  try {
    const { sources: of, positions } = JSON.parse(readFileSync(kept, 'utf8'))
    return new Map(of === sources ? positions : [])
  } catch {
    return new Map()
  }
}

function hashOf(strings: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(strings)).digest('hex')
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
