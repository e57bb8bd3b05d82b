import http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import type { Environment } from './environment.ts'

/** The sockets of one transport to one endpoint. */
export interface Sockets {
  readonly agent: http.Agent
  /** Ends sockets that were idle for too long, before one of them is used. */
  dropStale(): void
  /** Ends idle sockets now, and the others when their request is done. */
  close(): void
}

/**
 * Keeps sockets open from request to request. The one used last is used first, so that few stay open when there is little to do. A
 * service ends connections that are idle for long, and a request that meets such an end may have been carried out or not, so a
 * socket is not used again after `socketIdleMsMax`.
 */
export function createSockets(
  protocol: string,
  { socketsMax, socketIdleMsMax }: { socketsMax: number; socketIdleMsMax: number },
  environment: Environment,
): Sockets {
  const Agent = protocol === 'https:' ? https.Agent : http.Agent
  const agent = new Agent({
    keepAlive: true,
    maxSockets: socketsMax,
    maxFreeSockets: socketsMax,
    scheduling: 'lifo',
  })
  const idleSince = new WeakMap<Duplex, number>()
  let isClosed = false
  const keepSocketAlive = agent.keepSocketAlive
  // Node documents that a socket is destroyed if this method gives false; the type says nothing of a result.
  agent.keepSocketAlive = (socket): unknown => {
    if (isClosed) return false
    idleSince.set(socket, environment.now())
    return keepSocketAlive.call(agent, socket)
  }
  const drop = (mayDrop: (newest: Duplex | undefined) => boolean): void => {
    const lists = agent.freeSockets
    for (const name in lists) {
      const sockets = lists[name] ?? []
      if (!mayDrop(sockets.at(-1))) continue
      for (const socket of [...sockets]) socket.destroy()
    }
  }
  return {
    agent,
    dropStale() {
      const limit = environment.now() - socketIdleMsMax
      // The newest is what would be used; when it is too old, so are all others.
      drop((newest) => newest !== undefined && (idleSince.get(newest) ?? 0) < limit)
    },
    close() {
      isClosed = true
      drop(() => true)
    },
  }
}
