import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine } from 'singletable/engine'

/** Serves the studio next to the engine, if it is installed. */
export type ServeStudio = (options: {
  readonly engine: Engine
  readonly tableName: string
  /** The file of the schema. */
  readonly schema: string
}) => Promise<{ readonly url: string; close(): Promise<void> }>

/** The studio is a part that need not be there; without it nothing is served and nothing said. */
export async function findStudio(): Promise<ServeStudio | undefined> {
  // In src the modules are TypeScript, in dist JavaScript.
  const ending = path.extname(new URL(import.meta.url).pathname)
  const module = new URL(`../studio/serve-studio${ending}`, import.meta.url)
  if (!existsSync(fileURLToPath(module))) return undefined
  const { serveStudio } = (await import(module.href)) as { serveStudio?: ServeStudio }
  return serveStudio
}
