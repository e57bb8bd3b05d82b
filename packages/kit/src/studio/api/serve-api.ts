import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { LoadedSchema } from '../../schema-file/load-schema.ts'
import { createApp } from './app.ts'
import type { StudioEvent } from './contract.ts'
import { Guard } from './guard.ts'
import { MigrationRunner } from './run-migrations.ts'
import type { StaticFiles } from './static-files.ts'
import { failureOf } from './studio-error.ts'
import { type StudioConnection, StudioSource } from './studio-source.ts'
import { TableSources } from './table-sources.ts'

export interface ApiOptions {
  readonly connection: StudioConnection
  readonly loaded: LoadedSchema
  /** Loads the schema again after an edit. */
  readonly reload: () => Promise<LoadedSchema>
  readonly files: StaticFiles
  readonly token: string
  readonly hosts: () => ReadonlySet<string>
  readonly onFault: (error: unknown) => void
}

export interface Api {
  listener(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Shows the schema as its files have it now. */
  follow(): Promise<void>
  close(): Promise<void>
}

/**
 * All that the page asks for, and the schema as it changes. This is most of the code of the studio,
 * so it is loaded while the browser opens the page.
 */
export function serveApi(options: ApiOptions): Api {
  const { connection, loaded, reload, files, token, hosts, onFault } = options
  const source = new StudioSource(connection, loaded)
  const listeners = new Set<(event: StudioEvent) => void>()
  const emit = (event: StudioEvent): void => {
    for (const listener of listeners) listener(event)
  }
  const runner = new MigrationRunner(onFault)
  const app = createApp({
    sources: new TableSources(source, connection.showsTables === true),
    guard: new Guard(hosts, token),
    runner,
    files,
    events: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onFault,
  })
  const follow = async (): Promise<void> => {
    try {
      source.replace(await reload())
    } catch (error) {
      const failure = failureOf(error)
      if (failure === undefined) return onFault(error)
      source.refuse(failure)
    }
    emit({ kind: 'design', version: source.design().version })
  }
  return {
    listener: getRequestListener(app.fetch),
    follow,
    close: async () => {
      emit({ kind: 'stopped' })
      await runner.close()
    },
  }
}
