import { SingletableError } from '../errors/singletable-error.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import type { SendOptions, Transport } from '../wire/transport.ts'
import { createCatalog } from './catalog/catalog.ts'
import { type ClientConfig, clientConfig } from './client-config.ts'
import type { EngineContext } from './context/context.ts'
import { type EngineSettings, readSettings } from './context/settings.ts'
import { after, inTurns, turnsOfEventLoop } from './context/turns.ts'
import { createExpressionCaches } from './expressions/expression-caches.ts'
import type { Faults } from './faults/fault.ts'
import { FaultPlan } from './faults/fault-plan.ts'
import { LaggingIndexes } from './faults/lagging-indexes.ts'
import { unknownOperation, unsupportedOperation } from './messages/request-messages.ts'
import { ALL_OPERATIONS } from './operations/all-operations.ts'
import { resumeFilling } from './operations/fill-table.ts'
import { runOperation } from './operations/operation.ts'
import { UNSUPPORTED_OPERATIONS } from './operations/unsupported-operations.ts'
import { readInSteps, readStructure } from './shapes/read-shape.ts'
import { memoryStorage } from './storage/memory-storage.ts'
import { PendingDeletes } from './storage/pending-deletes.ts'
import type { Storage, StorageSnapshot } from './storage/storage.ts'
import { copyForCaller, copyPackedForCaller, responseText } from './storage/stored-item.ts'
import { rotateShards } from './streams/rotate-shards.ts'
import { startSweeper, sweepExpired } from './time-to-live/sweeper.ts'

/** What `createEngine` may be given; everything has a default. */
export interface EngineOptions extends Partial<EngineSettings> {
  /** Where the data lives; default: in memory. */
  readonly storage?: Storage
  /** Clock, random source and timers; default: the real ones. */
  readonly environment?: Environment
}

/** How a request is sent to an engine. */
export interface EngineSendOptions extends SendOptions {
  /**
   * Called with the `eventID` of each stream record that the request makes, for tools that show what
   * caused a change. Of a request that fails, no record is kept.
   */
  readonly onStreamRecord?: ((eventId: string) => void) | undefined
}

/** A point in time of a whole engine, for `restore` of the same engine. Faults and the clock are
 * not part of it. */
export interface EngineSnapshot {
  readonly storage: StorageSnapshot
}

/** DynamoDB in this process. Send it requests, or give `clientConfig()` to a client of the AWS
 * SDK. */
export interface Engine extends Transport {
  /** Sends one request, as `Transport` says; an engine can name the stream records that it makes. */
  send<TOperation extends OperationName>(
    operation: TOperation,
    request: Operations[TOperation]['request'],
    options?: EngineSendOptions,
  ): Promise<Operations[TOperation]['response']>
  /**
   * As `send`, with the answer as the JSON that the service would send, for servers. Items that are
   * answered as a whole go from the storage into the text without becoming objects. Work that takes
   * long lets other requests have their turns, also the reading of a request that is said to be
   * large.
   */
  sendText(
    operation: string,
    request: unknown,
    options?: EngineSendOptions & { readonly isLarge?: boolean },
  ): Promise<string>
  /**
   * Configuration that makes a real `DynamoDBClient` or `DynamoDBStreamsClient` run on this engine
   * without a port.
   *
   * @example
   * const client = new DynamoDBClient(engine.clientConfig())
   */
  clientConfig(): ClientConfig
  /** What goes wrong on purpose: throttling, lost answers, late indexes and more. */
  readonly faults: Faults
  /** Deletes every item whose time to live has run out, without waiting for the timer; resolves to
   * how many there were. */
  sweepExpired(): Promise<number>
  /** Closes the open shard of a stream and opens its child, which otherwise comes every four hours:
   * a test of consumers. */
  rotateShards(streamArn: string): Promise<void>
  /** Remembers all tables, items, streams and backups as they are. Costs next to nothing in memory,
   * whatever the size. */
  snapshot(): Promise<EngineSnapshot>
  /** Puts everything back as it was at the snapshot, any number of times. */
  restore(snapshot: EngineSnapshot): Promise<void>
  /** Ends timers and closes the storage. Later calls are refused with `ENGINE_CLOSED`; closing
   * again does nothing. */
  close(): Promise<void>
}

/**
 * Makes an engine that behaves like Amazon DynamoDB. Requests and responses have the service's JSON
 * shapes.
 *
 * @example
 * const engine = createEngine()
 * await engine.send('CreateTable', {
 *   TableName: 'blog',
 *   AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
 *   KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
 *   BillingMode: 'PAY_PER_REQUEST',
 * })
 * await engine.send('PutItem', { TableName: 'blog', Item: { pk: { S: 'a' }, n: { N: '1.0' } } })
 * const { Item } = await engine.send('GetItem', { TableName: 'blog', Key: { pk: { S: 'a' } } })
 * Item // => { pk: { S: 'a' }, n: { N: '1' } }
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const settings = readSettings(options)
  const environment = options.environment ?? systemEnvironment
  const faults = new FaultPlan(environment, settings, new Set(ALL_OPERATIONS.keys()))
  const laggingIndexes = new LaggingIndexes({
    storage: options.storage ?? memoryStorage(),
    environment,
    faults,
  })
  const { storage } = laggingIndexes
  const pendingDeletes = new PendingDeletes(storage, environment)
  const catalog = createCatalog({ storage, environment, pendingDeletes })
  const context: EngineContext = {
    storage,
    environment,
    settings,
    catalog,
    expressions: createExpressionCaches(),
    runningTokens: new Set(),
    pendingDeletes,
    delays: faults,
    applyIndexChange: laggingIndexes.apply,
    copyForCaller,
  }
  const textContext: EngineContext = {
    ...context,
    copyForCaller: copyPackedForCaller,
    nextTurn: turnsOfEventLoop(),
  }
  const largeContext: EngineContext = { ...textContext, isLarge: true }
  // An engine that serves others lets them have their turns while it sweeps, too.
  let isServing = false
  const contextNow = (): EngineContext => (isServing ? textContext : context)
  resumeFilling(context)
  const stopSweeper = startSweeper(context, contextNow)
  let closed = false

  // Not an async function: what one keeps of itself while it waits is a tenth of all that a small
  // write allocates.
  function dispatch(
    name: string,
    request: unknown,
    sendOptions?: EngineSendOptions,
    shared: EngineContext = context,
    isLarge = false,
  ): Promise<object> {
    try {
      if (closed) throw engineClosed(`engine.send('${name}')`)
      sendOptions?.signal?.throwIfAborted()
      const onStreamRecord = sendOptions?.onStreamRecord
      const as = onStreamRecord ? { ...shared, onStreamRecord } : shared
      const operation = ALL_OPERATIONS.get(name)
      if (operation === undefined) {
        throw UNSUPPORTED_OPERATIONS.has(name) ? unsupportedOperation(name) : unknownOperation()
      }
      const run = (read: object): object | Promise<object> => {
        if (!faults.any) return runOperation(operation, as, read)
        return faults.around(name, { request: read, signal: sendOptions?.signal }, () => {
          if (closed) throw engineClosed(`engine.send('${name}')`)
          return runOperation(operation, as, read)
        })
      }
      return Promise.resolve(
        isLarge
          ? after(inTurns(as, readInSteps(operation.shape, request)), run)
          : run(readStructure(operation.shape, request)),
      )
    } catch (error) {
      return Promise.reject(error)
    }
  }

  return {
    // Each operation in the table answers with the response of its own name.
    send: dispatch as Engine['send'],
    sendText(name, request, sendOptions) {
      isServing = true
      const isLarge = sendOptions?.isLarge === true
      const as = isLarge ? largeContext : textContext
      return dispatch(name, request, sendOptions, as, isLarge).then((response) =>
        inTurns(textContext, responseText(response)),
      )
    },
    clientConfig: () => clientConfig(settings, dispatch),
    faults,
    async sweepExpired() {
      if (closed) throw engineClosed('engine.sweepExpired()')
      return sweepExpired(context)
    },
    async rotateShards(streamArn) {
      if (closed) throw engineClosed('engine.rotateShards()')
      await rotateShards(context, streamArn)
    },
    async snapshot() {
      if (closed) throw engineClosed('engine.snapshot()')
      await laggingIndexes.flush()
      return { storage: storage.snapshot() }
    },
    async restore(snapshot) {
      if (closed) throw engineClosed('engine.restore()')
      await storage.restore(snapshot.storage)
      context.catalog.reload()
      pendingDeletes.resume()
      resumeFilling(contextNow())
    },
    async close() {
      if (closed) return
      closed = true
      stopSweeper()
      pendingDeletes.stop()
      await storage.close()
    },
  }
}

function engineClosed(where: string): SingletableError {
  return new SingletableError('ENGINE_CLOSED', {
    what: 'The engine is closed.',
    where,
    fix: 'use the engine before close(), or make a new one with createEngine()',
  })
}
