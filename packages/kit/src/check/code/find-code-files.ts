import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** A project with more is looked at as far as this. */
export const CODE_FILES_MAX = 20_000

const SKIPPED = ['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'cdk.out']
const TEST_FOLDERS = ['test', 'tests', '__tests__', '__mocks__']
const CODE = /\.[cm]?[jt]sx?$/
const NOT_SOURCE = /\.d\.[cm]?ts$|\.(test|spec|test-d|min|bundle)\.[cm]?[jt]sx?$/

/**
 * The TypeScript and JavaScript files of a project, relative to it, in the order of their names. Tests, what is generated or installed, hidden
 * folders and what links lead to are left out.
 */
export async function findCodeFiles(directory: string): Promise<readonly string[]> {
  const files: string[] = []
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = await entriesOf(path.join(directory, folder))
    const folders: string[] = []
    for (const entry of entries) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        const isLeftOut =
          entry.name.startsWith('.') ||
          SKIPPED.includes(entry.name) ||
          TEST_FOLDERS.includes(entry.name)
        if (!isLeftOut) folders.push(name)
      } else if (entry.isFile() && CODE.test(entry.name) && !NOT_SOURCE.test(entry.name)) {
        files.push(name)
        if (files.length >= CODE_FILES_MAX) return files.sort()
      }
    }
    waiting.push(...folders.toReversed())
  }
  return files.sort()
}

/** Of a folder that can't be read nothing is known. */
async function entriesOf(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
