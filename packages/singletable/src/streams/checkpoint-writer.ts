import { setOwn } from '../values/own.ts'
import type { Checkpoint, Checkpoints, ShardPosition } from './checkpoints.ts'
import { type PollerEnvironment, pauseAfterFailure } from './stream-reader.ts'

/** The positions of a stream's shards, and their saving: one save at a time, each with all that is
 * known by then. */
export class CheckpointWriter {
  readonly positions: Map<string, ShardPosition> = new Map()
  readonly #checkpoints: Checkpoints
  readonly #streamArn: string
  readonly #poller: PollerEnvironment
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(checkpoints: Checkpoints, streamArn: string, poller: PollerEnvironment) {
    this.#checkpoints = checkpoints
    this.#streamArn = streamArn
    this.#poller = poller
  }

  /** Whether there was a checkpoint to continue from. */
  async load(): Promise<boolean> {
    const checkpoint = await this.#checkpoints.load(this.#streamArn)
    for (const [shardId, position] of Object.entries(checkpoint?.shards ?? {})) {
      this.positions.set(shardId, position)
    }
    return checkpoint !== undefined
  }

  /** Resolves when the positions as they are now, or later ones, have been saved. */
  save(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#write().finally(() => {
        this.#running = undefined
      })
      return this.#running
    }
    const again = (): Promise<void> => {
      this.#next = undefined
      return this.save()
    }
    this.#next ??= this.#running.then(again, again)
    return this.#next
  }

  async #write(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const shards: { [shardId: string]: ShardPosition } = {}
      for (const [shardId, position] of this.positions) setOwn(shards, shardId, position)
      const checkpoint: Checkpoint = { shards }
      try {
        return await this.#checkpoints.save(this.#streamArn, checkpoint)
      } catch (error) {
        // A poller that is to stop says that its last position is not saved; others try until it
        // is.
        if (this.#poller.signal.aborted) throw error
        this.#poller.onError(error)
        await pauseAfterFailure(this.#poller, attempt)
        if (this.#poller.signal.aborted) throw error
      }
    }
  }
}
