/** How far a shard was handled. */
export interface ShardPosition {
  /** The sequence number of the last record that was handled. */
  readonly after?: string
  /** While none was: records from that second since 1970 on are wanted; all if undefined. */
  readonly since?: number
  /** Whether the shard is closed and was handled to its end. */
  readonly finished?: boolean
}

/** How far a stream was handled: what a new poller needs to continue. Plain data, fit for JSON. */
export interface Checkpoint {
  readonly shards: { readonly [shardId: string]: ShardPosition }
}

/** Where checkpoints are kept. A poller saves one after each batch that was handled, never two at a
 * time. */
export interface Checkpoints {
  /** The last checkpoint that was saved for the stream; `undefined` if there is none. */
  load(streamArn: string): Promise<Checkpoint | undefined>
  save(streamArn: string, checkpoint: Checkpoint): Promise<void>
}

/** Checkpoints in memory: a poller that is started again in the same process continues where the
 * last one stopped. */
export function memoryCheckpoints(): Checkpoints {
  const saved = new Map<string, Checkpoint>()
  return {
    load: async (streamArn) => saved.get(streamArn),
    save: async (streamArn, checkpoint) => void saved.set(streamArn, checkpoint),
  }
}
