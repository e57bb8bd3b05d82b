import type { Engine } from 'singletable/engine'
import type { BodyBudget } from './body-budget.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { ConnectionTimeouts } from './connection-timeouts.ts'
import type { Guard } from './guard.ts'
import type { HandleOptions } from './handle-request.ts'
import type { ServerLimits } from './limits.ts'
import type { RequestRecord } from './request-record.ts'
import type { WaitingSockets } from './waiting-sockets.ts'

/** What all connections of a server have in common. */
export interface ServerContext {
  readonly engine: Engine
  readonly guard: Guard
  readonly limits: ServerLimits
  /** Of requests that are being read or answered. */
  readonly bodies: BodyBudget
  /** Of answers that their clients have not taken yet. */
  readonly answers: ByteBudget
  /** The lines that say how long a connection is kept. */
  readonly keepAlive: string
  readonly timeouts: ConnectionTimeouts
  readonly sockets: WaitingSockets
  readonly handling: HandleOptions
  readonly onRequest: ((record: RequestRecord) => void) | undefined
}
