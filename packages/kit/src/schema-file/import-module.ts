import { createRequire } from 'node:module'
import { SingletableError } from 'singletable'
import { cacheFolder } from './cache-folder.ts'
import { EnvironmentError } from './environment-error.ts'
import { importNatively } from './import-natively.ts'
import { importedFiles, importedPackages } from './imported-files.ts'

/** How many files are being loaded at this time, and `process.exit` as it was before. */
let loadingCount = 0
let { exit } = process

/** What a file in TypeScript or JavaScript exports. */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  if (loadingCount++ === 0) exit = process.exit
  process.exit = refuseExit
  try {
    const exported = (await importNatively(file)) ?? (await importCompiled(file))
    // What a module gives is an object of its exports; of a CommonJS one, whatever it assigned.
    return Object(exported) as Record<string, unknown>
  } catch (cause) {
    if (cause instanceof ExitError) {
      throw new EnvironmentError(
        `The file ends the process: ${cause.message}.`,
        placeIn(cause, file),
        'let it only define the schema, and do the rest elsewhere',
        { cause },
      )
    }
    // What the file itself made with the library and was refused says where and why.
    if (SingletableError.is(cause)) throw cause
    const isSyntax = /SyntaxError|ParseError/.test(`${errorName(cause)} ${firstLine(cause)}`)
    throw new EnvironmentError(
      isSyntax
        ? `The file does not parse: ${firstLine(cause)}`
        : `The file can't be loaded: ${errorName(cause)}: ${firstLine(cause)}`,
      placeIn(cause, file),
      isSyntax ? 'fix its syntax' : 'make it loadable: it should only define the schema',
      { cause },
    )
  } finally {
    if (--loadingCount === 0) process.exit = exit
  }
}

function refuseExit(code?: unknown): never {
  throw new ExitError(code)
}

/** One copy of each package for the command and the file, which need not have them installed.
 * Loaded when a file names them: together they are large. */
const OWN_PACKAGES: Readonly<Record<string, () => Promise<object>>> = {
  '@singletable/kit/config': () => import('../config/index.ts'),
  singletable: () => import('singletable'),
  'singletable/codecs': () => import('singletable/codecs'),
  'singletable/direct': () => import('singletable/direct'),
  'singletable/engine': () => import('singletable/engine'),
  'singletable/limits': () => import('singletable/limits'),
  'singletable/cutover': () => import('singletable/cutover'),
  'singletable/migrations': () => import('singletable/migrations'),
  'singletable/many': () => import('singletable/many'),
  'singletable/offload': () => import('singletable/offload'),
  'singletable/partiql': () => import('singletable/partiql'),
  'singletable/streams': () => import('singletable/streams'),
  'singletable/telemetry': () => import('singletable/telemetry'),
  'singletable/tools': () => import('singletable/tools'),
  'singletable/ttl': () => import('singletable/ttl'),
}

async function importCompiled(file: string): Promise<unknown> {
  // Imported, Node would first search its 150 KB for names of exports.
  const { createJiti } = createRequire(import.meta.url)('jiti') as typeof import('jiti')
  const named = importedPackages(importedFiles(file))
  // Code of other packages, or behind an alias, is not searched: it may import any of ours.
  const isKnown = [...named].every((name) => name in OWN_PACKAGES || name.startsWith('node:'))
  const wanted = Object.entries(OWN_PACKAGES).filter(([name]) => !isKnown || named.has(name))
  const loaded = await Promise.all(wanted.map(async ([name, load]) => [name, await load()]))
  const loader = createJiti(file, {
    // A file that was changed is read again. What was compiled is kept with its source's hash,
    // because compiling takes longer than all the rest.
    moduleCache: false,
    fsCache: cacheFolder() ?? false,
    interopDefault: false,
    tsconfigPaths: true,
    virtualModules: Object.fromEntries(loaded),
  })
  return loader.import(file)
}

/** A file that is loaded has called `process.exit`. */
class ExitError extends Error {
  constructor(code: unknown) {
    super(`it calls process.exit(${code === undefined ? '' : String(code)})`)
  }
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message.split('\n')[0] ?? '').trim()
}

/** The line of the file that the stack names first, where it does. */
function placeIn(error: unknown, file: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const at = stack.indexOf(`${file}:`)
  const position = at < 0 ? null : /^:\d+(:\d+)?/.exec(stack.slice(at + file.length))
  return file + (position?.[0] ?? '')
}
