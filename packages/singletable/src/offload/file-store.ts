import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { DefinitionError } from '../errors/definition-error.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'

/** What a part of a key may be: nothing that a file system takes for something else. */
const SEGMENT = /^[\w-][\w.-]*$/

/** Of a file that is not complete. No key can end so. */
const UNFINISHED = '.part~'

/** Keeps objects as files in a folder: for tests, development, and machines that have a disk. */
export function fileStore(folder: string): ObjectStore {
  const fileOf = (key: string): string => {
    if (key.split('/').every((segment) => SEGMENT.test(segment))) return path.join(folder, key)
    throw new DefinitionError('OPTION_INVALID', {
      what: `"${key}" can't be the name of a file.`,
      where: 'fileStore()',
      fix: 'use letters, digits, - and _ in prefixes, with / between folders',
    })
  }
  return {
    async put(key, bytes) {
      const file = fileOf(key)
      await mkdir(path.dirname(file), { recursive: true })
      const handle = await open(file + UNFINISHED, 'w')
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      // A reader sees the whole object or none.
      await rename(file + UNFINISHED, file)
    },
    async get(key) {
      try {
        return new Uint8Array(await readFile(fileOf(key)))
      } catch (error) {
        return missing(error, undefined)
      }
    },
    async delete(key) {
      await rm(fileOf(key), { force: true })
    },
    async *list(prefix): AsyncGenerator<StoredObject, void, undefined> {
      const names = await readdir(folder, { recursive: true }).catch((error: unknown) =>
        missing<string[]>(error, []),
      )
      for (const name of names) {
        const key = name.split(path.sep).join('/')
        if (!key.startsWith(prefix) || key.endsWith(UNFINISHED)) continue
        const found = await stat(path.join(folder, name)).catch((error: unknown) =>
          missing(error, undefined),
        )
        if (found?.isFile()) yield { key, storedAt: found.mtimeMs }
      }
    },
  }
}

/** What stands for a file that is not there; other failures are thrown. */
function missing<T>(error: unknown, value: T): T {
  if ((error as { readonly code?: string }).code === 'ENOENT') return value
  throw error
}
