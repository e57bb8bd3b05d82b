import { type EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { EnvironmentError } from '../schema-file/environment-error.ts'
import { importedFiles } from '../schema-file/imported-files.ts'
import { watchFiles } from '../dev/watch-files.ts'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import { createApp } from './api/app.ts'
import type { StudioEvent } from './api/contract.ts'
import { Guard } from './api/guard.ts'
import { MigrationRunner } from './api/run-migrations.ts'
import { readStaticFiles } from './api/static-files.ts'
import { failureOf } from './api/studio-error.ts'
import { type StudioConnection, StudioSource } from './api/studio-source.ts'
import { TableSources } from './api/table-sources.ts'

export const STUDIO_PORT = 4610
const PORTS_TRIED = 20
const HOST = '127.0.0.1'
const IDLE_LOOK_MS = 10_000

export interface StudioOptions extends StudioConnection {
  readonly loaded: LoadedSchema
  /** Loads the schema again after an edit. */
  readonly reload: () => Promise<LoadedSchema>
  /** 4610, or the next that is free; 0 takes any. */
  readonly port?: number | undefined
  /** The built page; the one of this package unless given. */
  readonly web?: string | undefined
  readonly onFault: (error: unknown) => void
  /** Called when no page was open, and none asked for anything, for so long. */
  readonly idle?: { readonly ms: number; readonly onIdle: () => void } | undefined
}

export interface Studio {
  /** With the token, for the browser of who started it. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Serves the studio on this machine, for whoever has the token. */
export async function serveStudio(options: StudioOptions): Promise<Studio> {
  const { loaded, reload, onFault, idle, port = STUDIO_PORT, ...rest } = options
  const { web = webFolder(), ...connection } = rest
  const source = new StudioSource(connection, loaded)
  const listeners = new Set<(event: StudioEvent) => void>()
  const emit = (event: StudioEvent): void => {
    for (const listener of listeners) listener(event)
  }
  let hosts: ReadonlySet<string> = new Set()
  const guard = new Guard(() => hosts)
  const runner = new MigrationRunner(onFault)
  const app = createApp({
    sources: new TableSources(source, connection.showsTables === true),
    guard,
    runner,
    files: readStaticFiles(web),
    events: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onFault,
  })
  const server = createAdaptorServer({ fetch: app.fetch })
  const stopWatch = idle ? watchIdle(server, idle.ms, idle.onIdle) : () => {}
  const taken = await listen(server, port)
  hosts = new Set(['127.0.0.1', 'localhost'].map((name) => `${name}:${taken}`))
  const watch = watchFiles(() => void follow())
  const follow = async (): Promise<void> => {
    watch.follow(filesOf(loaded))
    try {
      source.replace(await reload())
    } catch (error) {
      const failure = failureOf(error)
      if (failure === undefined) return onFault(error)
      source.refuse(failure)
    }
    emit({ kind: 'design', version: source.design().version })
  }
  watch.follow(filesOf(loaded))
  // While the browser opens the page, what it asks for first is prepared.
  setImmediate(() => source.design())
  return {
    url: `http://${HOST}:${taken}/#t=${guard.token}`,
    port: taken,
    close: async () => {
      stopWatch()
      watch.close()
      emit({ kind: 'stopped' })
      await runner.close()
      const closed = once(server, 'close')
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}

/** The files of a schema; one that was guessed has none. */
function filesOf({ file }: LoadedSchema): readonly string[] {
  return file === '' ? [] : importedFiles(file)
}

/** A page that is open listens to events, which is a request that does not end. */
function watchIdle(server: Server, ms: number, onIdle: () => void): () => void {
  let [open, last] = [0, Date.now()]
  server.on('request', (_: unknown, response: EventEmitter) => {
    open++
    response.on('close', () => {
      open--
      last = Date.now()
    })
  })
  const timer = setInterval(
    () => {
      if (open === 0 && Date.now() - last >= ms) onIdle()
    },
    Math.min(ms / 4, IDLE_LOOK_MS),
  )
  return () => clearInterval(timer)
}

type Server = ReturnType<typeof createAdaptorServer>

/** The port, or the next one that is free. */
async function listen(server: Server, port: number): Promise<number> {
  for (let attempt = 0; attempt < PORTS_TRIED; attempt++) {
    try {
      // The host is given: without it, Node listens to other machines as well.
      server.listen({ port: port === 0 ? 0 : port + attempt, host: HOST })
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    } catch (error) {
      const { code } = error as { readonly code?: unknown }
      if (code !== 'EADDRINUSE') throw error
    }
  }
  throw new EnvironmentError(
    `The ports ${port} to ${port + PORTS_TRIED - 1} are in use.`,
    HOST,
    'pass --port with another one; --port 0 takes any that is free',
  )
}

/** Where the build puts the page, seen from the joined files and from the sources. */
const PAGE = fileURLToPath(new URL('../studio/web', import.meta.url))

/** Whether the page is built: in the sources of the repository it is not. */
export function hasPage(): boolean {
  return existsSync(`${PAGE}/assets`)
}

function webFolder(): string {
  if (hasPage()) return PAGE
  throw new EnvironmentError(
    'The page of the studio is not built.',
    PAGE,
    'run npm run build in the repository of singletable',
  )
}
