import v8 from 'node:v8'
import vm from 'node:vm'
import type { Transport } from 'singletable'
import type { ConnectOptions } from 'singletable/direct'
import type { Engine } from 'singletable/engine'

/** A connection to the tables, which must be closed. */
export interface Connection {
  readonly transport: Transport
  /** Where the requests go, in words for the user. */
  readonly place: string
  /** Who signs and where, if the tables are on AWS and more of it is asked than DynamoDB. */
  readonly aws?: { readonly region: string; readonly credentials: ConnectOptions['credentials'] }
  /** How many requests at the same time make sense; undefined where a network is between. */
  readonly concurrentRequests?: number | undefined
  close(): Promise<void>
}

/**
 * How much more of files may be mapped before the data file is opened again. Linux maps 64 KB around
 * each page that is touched, so this is about a thousand requests.
 */
const GROWTH_BYTES_MAX = 64 * 2 ** 20

/** The time between two looks at the mapped memory, each of which takes as long as a request. */
const LOOK_MS = 2

/** What comes together is committed together. */
const CONCURRENT_REQUESTS = 1_000

/** Times that the file is opened again between two collections of what that leaves in memory. */
const OPENINGS_PER_COLLECTION = 6

/**
 * An engine on a data directory. The data file is mapped into memory, so what was read or written
 * of it counts as memory of the process until it is closed: after a million items, gigabytes. So
 * the engine is closed and opened again, between two requests, when much of the file is mapped.
 */
export async function openData(
  directory: string,
  region: string | undefined,
  growthBytesMax: number = GROWTH_BYTES_MAX,
): Promise<Connection> {
  // Loaded only when needed: it is native code, which others should not wait for.
  const { createEngine } = await import('singletable/engine')
  const { holdLmdbFolder } = await import('../storage/lmdb-storage.ts')
  const { mappedBytes } = await import('../storage/mapped-bytes.ts')
  const folder = holdLmdbFolder(directory)
  const open = (): Engine =>
    createEngine({ storage: folder.open(), ...(region !== undefined && { region }) })
  let engine = open()
  let openedBytes = mappedBytes()
  const pending = new Set<Promise<unknown>>()
  let reopening: Promise<void> | undefined
  let openings = 0
  let lookedAtMs = Number.NEGATIVE_INFINITY
  const reopen = async (): Promise<void> => {
    await Promise.allSettled(pending)
    await engine.close()
    engine = open()
    if (++openings % OPENINGS_PER_COLLECTION === 0) collectGarbage()
    openedBytes = mappedBytes()
    reopening = undefined
  }
  return {
    transport: {
      async send(operation, request, options) {
        // Of requests that come together, each counts what those before it have mapped.
        for (;;) {
          await reopening
          // While this one waited, another may have started: then the engine is about to be closed.
          if (reopening) continue
          const now = performance.now()
          if (now - lookedAtMs < LOOK_MS) break
          lookedAtMs = now
          if (mappedBytes() - openedBytes <= growthBytesMax) break
          reopening = reopen()
        }
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
    concurrentRequests: CONCURRENT_REQUESTS,
    close: async () => {
      await reopening
      await engine.close()
      await folder.unlock()
    },
  }
}

let collect: (() => void) | undefined

/**
 * Collects what closed files have left. Each has buffers that are shared with a thread of LMDB, and
 * V8 does not count these when it decides whether to collect.
 */
function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc')
  collect ??= vm.runInNewContext('gc') as () => void
  collect()
}
