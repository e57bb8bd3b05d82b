import { type EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { watchFiles } from '../dev/watch-files.ts'
import { EnvironmentError } from '../schema-file/environment-error.ts'
import { importedFiles } from '../schema-file/imported-files.ts'
import type { LoadedSchema } from '../schema-file/load-schema.ts'
import { hideSecrets } from './api/hide-secrets.ts'
import { SECURITY_HEADERS } from './api/security-headers.ts'
import type { Api } from './api/serve-api.ts'
import { readStaticFiles, type StaticFile } from './api/static-files.ts'
import type { StudioConnection } from './api/studio-source.ts'
import { createToken } from './api/token.ts'

export const STUDIO_PORT = 4610
const PORTS_TRIED = 20
const HOST = '127.0.0.1'
const IDLE_LOOK_MS = 10_000
/** How long a browser that is open already takes to ask for the page. */
const PAGE_WAIT_MS = 100

export interface StudioOptions extends StudioConnection {
  readonly loaded: LoadedSchema
  /** Loads the schema again after an edit. */
  readonly reload: () => Promise<LoadedSchema>
  /** 4610, or the next that is free; 0 takes any. */
  readonly port?: number | undefined
  /** The built page; the one of this package unless given. */
  readonly web?: string | undefined
  /** Called with a line for the terminal. */
  readonly onFault: (line: string) => void
  /** Called when no page was open, and none asked for anything, for so long. */
  readonly idle?: { readonly ms: number; readonly onIdle: () => void } | undefined
}

export interface Studio {
  /** With the token, for the browser of who started it. */
  readonly url: string
  readonly port: number
  /** The page has its files, or nobody asked for them: other work does not delay it any more. */
  readonly shown: Promise<void>
  close(): Promise<void>
}

/** Serves the studio on this machine, for whoever has the token. */
export async function serveStudio(options: StudioOptions): Promise<Studio> {
  const { loaded, reload, idle, port = STUDIO_PORT, ...rest } = options
  const { web = webFolder(), ...connection } = rest
  const onFault = (error: unknown): void => options.onFault(hideSecrets(String(error)))
  // From the start: the API is loaded later, and the schema may be edited before that.
  const watch = watchFiles(() => void followSchema())
  watch.follow(filesOf(loaded))
  const files = readStaticFiles(web)
  const token = createToken()
  let hosts: ReadonlySet<string> = new Set()
  let opened: Promise<Api> | undefined
  let isClosed = false
  const open = async (): Promise<Api> => {
    const { serveApi } = await import('./api/serve-api.ts')
    return serveApi({ connection, loaded, reload, files, token, hosts: () => hosts, onFault })
  }
  const api = (): Promise<Api> => {
    opened ??= open()
    return opened
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const file = hosts.has(`${request.headers.host}`.toLowerCase()) && findFile(files, request)
    if (file) {
      sendFile(response, file)
      if (file.headers['content-type'].startsWith('text/javascript')) response.on('finish', show)
      return
    }
    try {
      const { listener } = await api()
      await listener(request, response)
    } catch (error) {
      onFault(error)
      response.writeHead(500, SECURITY_HEADERS).end()
    }
  }
  const followSchema = async (): Promise<void> => {
    watch.follow(filesOf(loaded))
    try {
      await (await api()).follow()
    } catch (error) {
      onFault(error)
    }
  }
  let show = (): void => {}
  const shown = new Promise<void>((resolve) => {
    show = resolve
  })
  const server = createServer((request, response) => void answer(request, response))
  const stopWatch = idle ? watchIdle(server, idle.ms, idle.onIdle) : () => {}
  const taken = await listen(server, port).catch((error: unknown) => {
    watch.close()
    stopWatch()
    throw error
  })
  hosts = new Set(['127.0.0.1', 'localhost'].map((name) => `${name}:${taken}`))
  const wait = setTimeout(show, PAGE_WAIT_MS)
  // The page is drawn while what it asks for first is loaded.
  void shown.then(() => (isClosed ? undefined : api().catch(onFault)))
  return {
    url: `http://${HOST}:${taken}/#t=${token}`,
    port: taken,
    shown,
    close: async () => {
      isClosed = true
      watch.close()
      stopWatch()
      clearTimeout(wait)
      await opened?.then(
        (each) => each.close(),
        () => {},
      )
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** The files of a schema; one that was guessed has none. */
function filesOf({ file }: LoadedSchema): readonly string[] {
  return file === '' ? [] : importedFiles(file)
}

/** The files of the page need nothing that takes time to load. */
function findFile(
  files: ReturnType<typeof readStaticFiles>,
  { method, url = '' }: IncomingMessage,
): StaticFile | undefined {
  return method === 'GET' ? files.find(url.replace(/\?.*$/s, '')) : undefined
}

function sendFile(response: ServerResponse, { body, headers }: StaticFile): void {
  response.writeHead(200, { ...SECURITY_HEADERS, ...headers, 'content-length': body.length })
  response.end(body)
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
