import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { RequestRecord } from '@singletable/kit/server'
import type { Engine } from 'singletable/engine'
import { BodyBudget } from '../../packages/kit/src/server/body-budget.ts'
import { ByteBudget } from '../../packages/kit/src/server/byte-budget.ts'
import { Connection } from '../../packages/kit/src/server/connection.ts'
import { ConnectionTimeouts } from '../../packages/kit/src/server/connection-timeouts.ts'
import { Guard, LOOPBACK_HOSTS } from '../../packages/kit/src/server/guard.ts'
import { DEFAULT_LIMITS, type ServerLimits } from '../../packages/kit/src/server/limits.ts'
import { printKeepAlive } from '../../packages/kit/src/server/print-answer.ts'
import { WaitingSockets } from '../../packages/kit/src/server/waiting-sockets.ts'

/** A socket whose segments come as the test has them, which no network promises. */
export class ScriptedSocket extends Duplex {
  readonly sent: Buffer[] = []

  constructor() {
    super({ allowHalfOpen: true, decodeStrings: false })
  }

  override _read(): void {}

  override _write(
    chunk: Buffer | string,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.sent.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
    done()
  }

  destroySoon(): void {
    this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }
}

export interface ScriptedOptions {
  readonly engine: Engine
  readonly guard?: Guard
  readonly limits?: Partial<ServerLimits>
  readonly onRequest?: (record: RequestRecord) => void
}

export interface ScriptedResult {
  /** All that was sent back, but for what differs each time: dates and ids. */
  readonly sent: string
  readonly isClosed: boolean
  /** What had been sent when the connection ended. */
  readonly seenBytes: number
}

const LOOPBACK = new Guard({
  hosts: new Set(LOOPBACK_HOSTS),
  anyAddress: false,
  origins: new Set(),
})

/** Sends segments to a connection of the server, each when the one before has been seen, then the
 * client's end. */
export async function runScript(
  segments: readonly Buffer[],
  options: ScriptedOptions,
): Promise<ScriptedResult> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const socket = new ScriptedSocket()
  const isClosed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)))
  const connection = new Connection(
    {
      engine: options.engine,
      guard: options.guard ?? LOOPBACK,
      limits,
      bodies: new BodyBudget(limits.bodiesInFlightMaxBytes),
      answers: new ByteBudget(limits.answersInFlightMaxBytes),
      keepAlive: printKeepAlive(limits.keepAliveTimeoutMs, limits.requestsPerConnectionMax),
      timeouts: new ConnectionTimeouts(limits.timeoutCheckMs),
      sockets: new WaitingSockets(limits.connectionsMax),
      handling: {},
      onRequest: options.onRequest,
    },
    // It has all that a connection uses of a socket.
    socket as unknown as Socket,
  )
  connection.open()
  let seenBytes = 0
  for (const segment of segments) {
    if (socket.destroyed) break
    seenBytes += segment.length
    socket.push(segment)
    await turn()
  }
  if (!socket.destroyed) socket.push(null)
  const left = new Promise<false>((resolve) => setTimeout(resolve, 5000, false).unref())
  return {
    seenBytes,
    isClosed: await Promise.race([isClosed, left]),
    sent: Buffer.concat(socket.sent)
      .toString('latin1')
      .replace(/^(Date|x-amzn-RequestId): [^\r]*/gm, '$1: …'),
  }
}

/** The numbers of all answers, in their order. */
export function statusesOf(sent: string): number[] {
  return [...sent.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
