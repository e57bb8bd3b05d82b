import { checkPositive } from '../errors/check-options.ts'
import { type Client, connect } from '../execute/connect.ts'
import { compileSchema } from '../plan/compile-schema.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import { type Environment, systemEnvironment } from '../values/environment.ts'
import { aroundSend, type Passage } from '../wire/around-send.ts'
import type { ServiceError, ThrottlingReason } from '../wire/service-error.ts'
import type { Transport } from '../wire/transport.ts'
import { itemPartitions, type Partition, partitionsOf } from './partitions-of.ts'
import { updatedItem } from './sent-items.ts'
import { SlidingCounts } from './sliding-counts.ts'

/** A partition key that is used more than others should be. */
export interface HotKey extends Partition {
  /** Reads or writes of it within the window, at least. */
  readonly count: number
  readonly windowMs: number
  /** Why DynamoDB throttled a request with this key; empty if it was only counted. */
  readonly throttled: readonly ThrottlingReason[]
  /** A sentence with the key in it. */
  readonly message: string
}

export interface WatchKeysOptions {
  /** Says which attributes are keys. */
  readonly schema: SchemaDefinition
  /** What is counted together; a minute unless given. */
  readonly windowMs?: number | undefined
  /** More reads of one key within the window are reported; default 1,500. */
  readonly readsMax?: number | undefined
  /** More writes; 500 unless given. */
  readonly writesMax?: number | undefined
  /** Different keys that are counted at a time; 256 unless given. Rare ones give way. */
  readonly keysMax?: number | undefined
  /** Called for hot and throttled keys, once for each in a window; `console.warn` unless given. */
  readonly onHot?: ((hot: HotKey) => void) | undefined
  /** The clock, for tests that control it. */
  readonly environment?: Pick<Environment, 'now'> | undefined
}

/** A client that watches keys. */
export interface KeyWatcher extends Transport {
  /** The keys that were used most within the window. */
  top(count?: number): readonly HotKey[]
}

const NUMBERS = ['windowMs', 'readsMax', 'writesMax', 'keysMax']
const NAMES = ['schema', 'onHot', 'environment', ...NUMBERS]

const THROTTLED = /^(ProvisionedThroughput|RequestLimit)Exceeded|^Throttling/

/**
 * A client that counts how often each partition key is read and written, in the table and in its
 * indexes, and reports those that may be too hot for one partition. It sees what this process
 * sends, and no other's.
 */
export function watchKeys(client: Client, options: WatchKeysOptions): KeyWatcher {
  checkPositive({ where: 'watchKeys()', names: NAMES }, options, NUMBERS)
  const { windowMs = 60_000, readsMax = 1_500, writesMax = 500, keysMax = 256 } = options
  const { onHot = printHot, environment = systemEnvironment } = options
  const schema = compileSchema(options.schema)
  const counts = new SlidingCounts(windowMs, keysMax)
  /** When each was reported; those of earlier windows are forgotten. */
  const reportedAt = new Map<string, number>()

  const report = (id: string, hot: HotKey, now: number): void => {
    for (const [reported, at] of reportedAt) {
      if (now - at < windowMs && reportedAt.size <= keysMax) break
      reportedAt.delete(reported)
    }
    if (reportedAt.has(id)) return
    reportedAt.set(id, now)
    onHot(hot)
  }
  const count = (partition: Partition, now: number): void => {
    const id = idOf(partition)
    const occurred = counts.add(id, now)
    if (occurred > (partition.kind === 'read' ? readsMax : writesMax)) {
      report(id, hotKey(partition, occurred, windowMs), now)
    }
  }

  const transport = aroundSend(connect(client, 'watchKeys()'), async (passage, send) => {
    const { operation, request } = passage
    const partitions = partitionsOf(schema, operation, request)
    const now = environment.now()
    for (const each of partitions.flat()) count(each, now)
    try {
      const response = await send(request)
      const updated = updatedItem(operation, request, response)
      // The primary key was in the request.
      const indexes = updated ? itemPartitions(schema, updated).slice(1) : []
      for (const each of indexes) count(each, now)
      return response
    } catch (error) {
      for (const [partition, reasons] of throttledPartitions(partitions, passage, error)) {
        const hot = hotKey(partition, counts.count(idOf(partition), now), windowMs, reasons)
        report(`throttled ${idOf(partition)}`, hot, now)
      }
      throw error
    }
  })
  return {
    ...transport,
    top: (limit = 10) =>
      counts
        .top(limit, environment.now())
        .map(([id, occurred]) => hotKey(partitionOf(id), occurred, windowMs)),
  }
}

/** The keys that a refusal is about: of a cancelled transaction those of the items that were
 * throttled, else all of the request. */
function throttledPartitions(
  partitions: readonly (readonly Partition[])[],
  { request }: Passage,
  error: unknown,
): readonly (readonly [Partition, readonly ThrottlingReason[]])[] {
  const { name, ThrottlingReasons, CancellationReasons } = Object(error) as Partial<ServiceError>
  if (CancellationReasons && 'TransactItems' in request) {
    return CancellationReasons.flatMap(({ Code, Message = '' }, position) =>
      THROTTLED.test(Code)
        ? (partitions[position] ?? []).map(
            (each) => [each, [{ reason: Code, resource: Message }]] as const,
          )
        : [],
    )
  }
  if (name === undefined || !THROTTLED.test(name)) return []
  const reasons = ThrottlingReasons ?? [{ reason: name, resource: '' }]
  return partitions.flat().map((each) => [each, reasons] as const)
}

function hotKey(
  partition: Partition,
  count: number,
  windowMs: number,
  throttled: readonly ThrottlingReason[] = [],
): HotKey {
  const { table, index, key, kind } = partition
  const why = throttled.map(({ reason }) => reason).join(', ')
  const message = `${key} of ${index === 'primary' ? '' : `index "${index}" of `}table "${table}" had ${count} ${kind}s in ${windowMs / 1000} s${why && `, and was throttled: ${why}`}`
  return { ...partition, count, windowMs, throttled, message }
}

function idOf({ table, index, key, kind }: Partition): string {
  return JSON.stringify([table, index, key, kind])
}

function partitionOf(id: string): Partition {
  // What was written above.
  const [table, index, key, kind] = JSON.parse(id) as [string, string, string, Partition['kind']]
  return { table, index, key, kind }
}

function printHot({ message }: HotKey): void {
  console.warn(`singletable: ${message}`)
}
