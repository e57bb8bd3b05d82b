import { readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT: string = path.resolve(import.meta.dirname, '../..')

export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** The package.json of `packages/<folder>`, or of the repository. */
export function readManifest(folder?: string): PackageManifest {
  const place = folder === undefined ? ROOT : path.join(ROOT, 'packages', folder)
  return JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'))
}

/** The source modules, relative to src, that a package exports. */
export function entryModules(manifest: PackageManifest): readonly string[] {
  return Object.values(manifest.exports ?? {}).flatMap((target) => {
    const source = typeof target === 'string' ? undefined : target['singletable-source']
    return source === undefined ? [] : [source.replace('./src/', '')]
  })
}
