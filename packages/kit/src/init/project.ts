import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { InitError } from './init-error.ts'
import { type PackageManager, packageManagerOf } from './package-manager.ts'

/** What is there before anything is made. */
export interface Project {
  readonly directory: string
  /** The text of package.json, if there is one. */
  readonly manifestText: string | undefined
  readonly type: 'module' | 'commonjs'
  readonly packageManager: PackageManager
  /** The names of all packages that package.json asks for. */
  readonly dependencies: ReadonlySet<string>
  readonly hasTsconfig: boolean
  /** The ending that imports of TypeScript files are written with. */
  readonly importEnding: 'ts' | 'js'
  has(file: string): boolean
  read(file: string): string | undefined
}

/** Reads the folder of a project, which need not be there yet. */
export function readProject(directory: string): Project {
  if (existsSync(directory) && !statSync(directory).isDirectory()) {
    throw new InitError('It is a file, not a folder.', directory, 'name the folder of the project')
  }
  const has = (file: string): boolean => existsSync(path.join(directory, file))
  const read = (file: string): string | undefined =>
    has(file) ? readFileSync(path.join(directory, file), 'utf8') : undefined
  const manifestText = read('package.json')
  const manifest = parseManifest(manifestText, path.join(directory, 'package.json'))
  const tsconfig = read('tsconfig.json')
  // A setting of ours lets TypeScript be imported by its own name, as Node does it; others'
  // projects need not have it.
  const isByOwnName =
    tsconfig === undefined ||
    /"(allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(tsconfig)
  return {
    directory,
    manifestText,
    type: manifest === undefined || manifest.type === 'module' ? 'module' : 'commonjs',
    packageManager: packageManagerOf(manifest?.packageManager, has),
    dependencies: new Set(
      ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((name) =>
        Object.keys(Object(manifest?.[name])),
      ),
    ),
    hasTsconfig: tsconfig !== undefined,
    importEnding: isByOwnName ? 'ts' : 'js',
    has,
    read,
  }
}

function parseManifest(
  text: string | undefined,
  file: string,
): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined
  let manifest: unknown
  try {
    // Some editors on Windows begin a file with a mark that JSON does not know.
    manifest = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new InitError(`package.json is not valid JSON: ${reason}.`, file, 'fix it first', {
      cause,
    })
  }
  if (!isObject(manifest))
    throw new InitError('package.json is not an object.', file, 'fix it first')
  if (manifest.scripts !== undefined && !isObject(manifest.scripts)) {
    throw new InitError('"scripts" in package.json is not an object.', file, 'fix it first')
  }
  return manifest
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
