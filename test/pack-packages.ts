import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { ROOT, readManifest } from './architecture/package-manifest.ts'

/** Where programs of the repository's tools are. */
export const TOOLS: string = path.join(ROOT, 'node_modules/.bin')

/** Compiler and npm may have to share the machine with all other tests. */
export const PACK_MS = 600_000

export interface PackedPackages {
  /** The copy in which they were built. */
  readonly workspace: string
  readonly singletable: string
  readonly kit: string
}

/** Builds and packs a copy, so that nothing left over in a working tree can get into the packages
 * or be missing from them. Gives the tarballs. */
export function packPackages(folder: string): PackedPackages {
  const workspace = path.join(folder, 'workspace')
  for (const name of ['singletable', 'kit']) {
    const source = path.join(ROOT, 'packages', name)
    const isOwn = (file: string): boolean =>
      !/\/(build|dist|node_modules)$|singletable\/docs$|\.tsbuildinfo$/.test(file)
    cpSync(source, path.join(workspace, 'packages', name), { recursive: true, filter: isOwn })
  }
  const builders = ['packages/build.mjs', 'packages/build-web.mjs']
  for (const file of ['tsconfig.base.json', ...builders, 'docs/errors.md']) {
    cpSync(path.join(ROOT, file), path.join(workspace, file))
  }
  linkPackages(workspace, [
    'typescript',
    'esbuild',
    'vite',
    'preact',
    '@preact/signals',
    '@types/node',
    '@types/pg',
    'pg',
    'node-sql-parser',
    'undici-types',
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/client-dynamodb-streams',
    ...kitDependencies(),
  ])
  symlinkSync('../packages/singletable', path.join(workspace, 'node_modules/singletable'))
  runIn(workspace, process.execPath, 'packages/build.mjs')
  const pack = (name: string, file: string): string => {
    const place = path.join(workspace, 'packages', name)
    runIn(place, 'npm', 'pack', '--ignore-scripts', '--pack-destination', folder)
    return path.join(folder, file)
  }
  const { version } = readManifest('singletable')
  return {
    workspace,
    singletable: pack('singletable', `singletable-${version}.tgz`),
    kit: pack('kit', `singletable-kit-${version}.tgz`),
  }
}

/** The packages that the kit needs, without the library. */
export function kitDependencies(): readonly string[] {
  const { dependencies, optionalDependencies } = readManifest('kit')
  const { singletable: _own, ...others } = { ...dependencies, ...optionalDependencies }
  return Object.keys(others)
}

/** Puts packages of this repository into a folder's node_modules. */
export function linkPackages(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const link = path.join(folder, 'node_modules', name)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(path.join(ROOT, 'node_modules', name), link)
  }
}

/** Runs a command and returns what it printed; what it reported is in the error. */
export function runIn(place: string, command: string, ...parameters: readonly string[]): string {
  try {
    return execFileSync(command, parameters, {
      cwd: place,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: plainEnvironment(),
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${parameters.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

/** Without what a surrounding npm sets, which would make the inner npm work on this repository. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_|^VITEST/i.test(name)),
  )
}
