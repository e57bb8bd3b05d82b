import type { SchemaDefinition, Transport } from 'singletable'
import { type KeyWatcher, watchKeys } from 'singletable/limits'

/** How often a partition was read and written. */
export interface PartitionTraffic {
  /** `pk=USER#alice`; of several attributes all of them. */
  readonly key: string
  readonly reads: number
  readonly writes: number
}

export const TRAFFIC_MINUTES = 15
const KEYS_MAX = 1000
/** Nothing is sent: requests are only counted. */
const NOWHERE: Transport = { send: async () => ({}) as never }

/** Reads and writes by partition key within the last minutes, in bounded memory. */
export class Traffic {
  #watcher: KeyWatcher

  constructor(schema: SchemaDefinition) {
    this.#watcher = watch(schema)
  }

  /** Counts the keys of another schema from now on. */
  follow(schema: SchemaDefinition): void {
    this.#watcher = watch(schema)
  }

  /** Counts a request that somebody sends. What can't be read is for DynamoDB to refuse. */
  note(operation: string, request: unknown): void {
    const send = this.#watcher.send as (operation: string, request: unknown) => Promise<unknown>
    send(operation, request).catch(() => {})
  }

  /** The partitions of an index with most requests, the busiest first. */
  top(table: string, index: string): readonly PartitionTraffic[] {
    const partitions = new Map<string, { key: string; reads: number; writes: number }>()
    for (const hot of this.#watcher.top(KEYS_MAX)) {
      if (hot.table !== table || hot.index !== index) continue
      const found = partitions.get(hot.key) ?? { key: hot.key, reads: 0, writes: 0 }
      found[hot.kind === 'read' ? 'reads' : 'writes'] += hot.count
      partitions.set(hot.key, found)
    }
    return [...partitions.values()].sort((a, b) => b.reads + b.writes - a.reads - a.writes)
  }
}

function watch(schema: SchemaDefinition): KeyWatcher {
  const windowMs = TRAFFIC_MINUTES * 60_000
  return watchKeys(NOWHERE, { schema, windowMs, keysMax: KEYS_MAX, onHot: () => {} })
}
