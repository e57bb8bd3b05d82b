import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

const SPECIFIER = /(?:\bfrom|\bimport|\brequire|\bimport\s*\(|\brequire\s*\()\s*(['"])([^'"\n]+)\1/g
const RELATIVE = /^\.{1,2}\//
const ENDINGS = [
  '',
  '.ts',
  '.mts',
  '.cts',
  '.js',
  '.mjs',
  '.cjs',
  '.json',
  '/index.ts',
  '/index.js',
]
/** More than any schema has; a project's whole code need not be watched. */
const FILES_MAX = 200

/** A file and the files it imports by relative paths, theirs too; of those that are not there, the
 * likeliest name. */
export function importedFiles(file: string): readonly string[] {
  const found = new Set([file])
  // The set grows while it is gone through.
  for (const each of found) {
    for (const specifier of specifiersOf(each)) {
      if (!RELATIVE.test(specifier)) continue
      const target = resolveFile(path.resolve(path.dirname(each), specifier))
      if (found.size < FILES_MAX) found.add(target)
    }
  }
  return [...found]
}

/** The packages that these files import, by the names they use. */
export function importedPackages(files: readonly string[]): ReadonlySet<string> {
  return new Set(files.flatMap(specifiersOf).filter((each) => !RELATIVE.test(each)))
}

/** By their looks, since a file that is being edited need not parse. */
function specifiersOf(file: string): readonly string[] {
  try {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(SPECIFIER)].map(([, , specifier = '']) => specifier)
  } catch {
    return []
  }
}

function resolveFile(place: string): string {
  // TypeScript is imported by the name that it has when it is compiled, too.
  const source = place.replace(/\.([cm]?)js$/, '.$1ts')
  const candidates = [...ENDINGS.map((ending) => place + ending), source]
  const found = candidates.find((each) => existsSync(each) && statSync(each).isFile())
  return found ?? (path.extname(place) === '' ? `${place}.ts` : source)
}
