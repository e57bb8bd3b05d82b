import * as nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'
import { cacheFolder } from './cache-folder.ts'

/** What newer versions of Node have. */
interface NewerModule {
  enableCompileCache?(folder?: string): unknown
  registerHooks?(hooks: {
    resolve(
      specifier: string,
      context: object,
      next: (specifier: string, context: object) => unknown,
    ): unknown
  }): unknown
}

// The types of the oldest version that is supported have none of them.
const newer = nodeModule as unknown as NewerModule
const NOT_UNDERSTOOD =
  /MODULE_NOT_FOUND|_TYPESCRIPT_SYNTAX|ERR_UNSUPPORTED_|ERR_UNKNOWN_FILE_EXTENSION|ERR_REQUIRE_/
const CONDITIONS = ['node', 'import', 'module-sync']
let isAllowed = false
/** Node loads a module once; the second time it was probably changed. */
const seen = new Set<string>()

/**
 * Lets Node load files itself where it can (22.18 and up), and keep what it compiles. Only a
 * process of our own is changed like that: its imports of our packages are resolved from here.
 */
export function allowNativeImport(): void {
  const folder = cacheFolder()
  if (folder !== undefined) newer.enableCompileCache?.(folder)
  const { typescript } = process.features as { readonly typescript?: unknown }
  if (newer.registerHooks === undefined || !typescript) return
  isAllowed = true
  newer.registerHooks({
    resolve: (specifier, context, next) =>
      /^(singletable|@singletable\/kit)(\/|$)/.test(specifier)
        ? // For `require` too: one copy for the command and the file.
          next(specifier, { ...context, parentURL: import.meta.url, conditions: CONDITIONS })
        : next(specifier, context),
  })
}

/** What the file exports, or undefined where Node does not understand it: TypeScript that is not
 * erased, imports without an ending, aliases. */
export async function importNatively(file: string): Promise<unknown> {
  if (!isAllowed || seen.has(file)) return undefined
  seen.add(file)
  const { emitWarning } = process
  // That it had to find out whether a file is a module is nothing a user of the command can act on.
  process.emitWarning = () => {}
  try {
    return await import(pathToFileURL(file).href)
  } catch (error) {
    const { name, code } = Object(error) as { readonly name?: unknown; readonly code?: unknown }
    // The other loader either understands it, or says what is wrong.
    if (name === 'SyntaxError' || NOT_UNDERSTOOD.test(String(code))) return undefined
    throw error
  } finally {
    process.emitWarning = emitWarning
  }
}
