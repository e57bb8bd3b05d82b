import { existsSync, type FSWatcher, readFileSync, watch } from 'node:fs'
import path from 'node:path'

export interface FileWatch {
  /** Watches these from now on; what they contain now is not a change. */
  follow(files: readonly string[]): void
  close(): void
}

/** Editors write a file in several steps. */
const DEBOUNCE_MS = 80

/**
 * Calls back when the text of a file is another. Folders are watched, because many editors put a
 * new file in the place of the old one; and contents are compared, because an event need not mean a
 * change.
 */
export function watchFiles(onChange: (files: readonly string[]) => void): FileWatch {
  const folders = new Map<string, FSWatcher>()
  let contents = new Map<string, string | undefined>()
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const changed = [...contents].filter(([file, before]) => readText(file) !== before)
    for (const [file] of changed) contents.set(file, readText(file))
    if (changed.length > 0) onChange(changed.map(([file]) => file))
  }
  const lookSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(look, DEBOUNCE_MS)
  }
  return {
    follow(files) {
      contents = new Map(files.map((file) => [file, readText(file)]))
      const wanted = new Set(files.map((file) => path.dirname(file)))
      for (const [folder, watcher] of folders) {
        if (wanted.has(folder)) continue
        watcher.close()
        folders.delete(folder)
      }
      for (const folder of wanted) {
        if (folders.has(folder)) continue
        if (!existsSync(folder)) continue
        const watcher = watch(folder, lookSoon)
        // A folder that goes away takes its watcher with it; the files in it count as changed.
        watcher.on('error', lookSoon)
        folders.set(folder, watcher)
      }
    },
    close() {
      clearTimeout(timer)
      for (const watcher of folders.values()) watcher.close()
    },
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
