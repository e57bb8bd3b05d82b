import { readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT: string = path.resolve(import.meta.dirname, '../..')

/** A file, or one for each condition. */
type ExportTarget = string | { readonly [condition: string]: ExportTarget }

export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, ExportTarget>>
}

/** The package.json of `packages/<folder>`, or of the repository. */
export function readManifest(folder?: string): PackageManifest {
  const place = folder === undefined ? ROOT : path.join(ROOT, 'packages', folder)
  return JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'))
}

/** The source modules, relative to src, that a package exports. */
export function entryModules(manifest: PackageManifest): readonly string[] {
  return [...new Set(Object.values(manifest.exports ?? {}).flatMap(sourcesOf))]
}

function sourcesOf(target: ExportTarget): string[] {
  if (typeof target === 'string') return []
  return Object.entries(target).flatMap(([condition, file]) =>
    condition === 'singletable-source' && typeof file === 'string'
      ? [file.replace('./src/', '')]
      : sourcesOf(file),
  )
}
