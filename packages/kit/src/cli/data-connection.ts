import type { Transport } from 'singletable'
import type { Engine, Storage } from 'singletable/engine'

/** A connection to the tables, which must be closed. */
export interface Connection {
  readonly transport: Transport
  /** Where the requests go, in words for the user. */
  readonly place: string
  close(): Promise<void>
}

/** How much the process may grow before the directory is opened again. */
const GROWTH_BYTES_MAX = 32 * 2 ** 20

/**
 * An engine on a data directory. The data file is mapped into memory, so what was read or written
 * of it counts as memory of the process until it is closed: after a million items, gigabytes. So the
 * engine is closed and opened again, between two requests, when the process has grown.
 */
export async function openData(
  directory: string,
  region: string | undefined,
  growthBytesMax: number = GROWTH_BYTES_MAX,
): Promise<Connection> {
  // Loaded only when needed: it is native code, which others should not wait for.
  const { createEngine } = await import('singletable/engine')
  const { lmdbStorage, reopenLmdbStorage } = await import('../storage/lmdb-storage.ts')
  const open = (storage: Storage): Engine =>
    createEngine({ storage, ...(region !== undefined && { region }) })
  let engine = open(lmdbStorage(directory))
  let openedBytes = process.memoryUsage.rss()
  const pending = new Set<Promise<unknown>>()
  let reopening: Promise<void> | undefined
  const reopen = async (): Promise<void> => {
    await Promise.allSettled(pending)
    await engine.close()
    engine = open(reopenLmdbStorage(directory))
    openedBytes = process.memoryUsage.rss()
    reopening = undefined
  }
  return {
    transport: {
      async send(operation, request, options) {
        if (process.memoryUsage.rss() - openedBytes > growthBytesMax) reopening ??= reopen()
        await reopening
        const answer = engine.send(operation, request, options)
        pending.add(answer)
        try {
          return await answer
        } finally {
          pending.delete(answer)
        }
      },
    },
    place: directory,
    close: async () => {
      await reopening
      await engine.close()
    },
  }
}
