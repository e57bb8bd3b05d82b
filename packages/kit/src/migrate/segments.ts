import { randomBytes } from 'node:crypto'
import {
  CONTROL_TYPE,
  type Environment,
  type Item,
  type Schema,
  ServiceError,
  type Transport,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { controlKey } from './control-keys.ts'
import type { Counts } from './counts.ts'
import { addCounts, NO_COUNTS } from './counts.ts'

/** A segment that is worked on is renewed with every page; after so long it is free for others. */
const LEASE_MS = 60_000
const DIGITS = 4

/** A part of the table that this worker works on. */
export interface LeasedSegment {
  readonly number: number
  /** Where the scan continues; undefined at its beginning. */
  readonly cursor: Item | undefined
  readonly counts: Counts
}

export interface SegmentsOptions {
  readonly transport: Transport
  readonly tableName: string
  readonly schema: Schema
  readonly environment: Environment
  /** Which pass over the table they belong to: `<migration>#<step>#<pass>`. */
  readonly pass: string
  readonly total: number
  /**
   * The number of the lock, if this process has it. Who has the next one knows that this one is
   * dead.
   */
  readonly epoch?: number | undefined
}

/**
 * The segments of one pass over the table. Each has an item in the table that says how far it is
 * and who works on it, so that workers on several machines share them and any of them can continue
 * what another left.
 */
export class Segments {
  readonly #options: SegmentsOptions
  readonly #worker = randomBytes(9).toString('base64url')
  /** Those that this process works on, and those that are known to be done. */
  readonly #settled = new Set<number>()

  constructor(options: SegmentsOptions) {
    this.#options = options
  }

  /**
   * A segment that nobody works on; `busy` if other processes have all that are left, undefined if
   * all are done or leased from here.
   */
  async lease(): Promise<LeasedSegment | 'busy' | undefined> {
    let isBusy = false
    for (let number = 0; number < this.#options.total; number++) {
      if (this.#settled.has(number)) continue
      this.#settled.add(number)
      const taken = await this.#take(number)
      if (taken === 'busy') {
        this.#settled.delete(number)
        isBusy = true
      } else if (taken) return taken
    }
    return isBusy ? 'busy' : undefined
  }

  async #take(number: number): Promise<LeasedSegment | 'busy' | undefined> {
    const { environment, epoch = 0 } = this.#options
    const now = environment.now()
    const state = await this.#read(number)
    if (state?.done?.BOOL) return undefined
    const isOwn = state?.worker?.S === this.#worker
    const isOfDead = Number(state?.epoch?.N ?? epoch) < epoch
    if (state && !isOwn && !isOfDead && Number(state.until?.N ?? 0) > now) return 'busy'
    const isTaken = await this.#write(number, state?.worker?.S, state?.until?.N, {
      ...(state?.cursor && { cursor: state.cursor }),
      counts: state?.counts ?? { S: JSON.stringify(NO_COUNTS) },
    })
    if (!isTaken) return 'busy'
    return { number, cursor: state?.cursor?.M, counts: countsOf(state) }
  }

  /** Notes how far the segment is; what comes before is written. False if another worker has it. */
  save(segment: LeasedSegment, cursor: Item | undefined, counts: Counts): Promise<boolean> {
    return this.#write(segment.number, this.#worker, undefined, {
      counts: { S: JSON.stringify(counts) },
      ...(cursor ? { cursor: { M: cursor } } : { done: { BOOL: true } }),
    })
  }

  /** Lets another worker take it at once. */
  async giveUp(segment: LeasedSegment): Promise<void> {
    this.#settled.delete(segment.number)
    const state = await this.#read(segment.number)
    if (state?.worker?.S !== this.#worker) return
    const { cursor, counts } = state
    await this.#write(
      segment.number,
      this.#worker,
      undefined,
      { ...(cursor && { cursor }), ...(counts && { counts }) },
      0,
    )
  }

  /** What all workers have done in this pass. */
  async counts(): Promise<Counts> {
    let sum = NO_COUNTS
    for (let number = 0; number < this.#options.total; number++) {
      sum = addCounts(sum, countsOf(await this.#read(number)))
    }
    return sum
  }

  async remove(): Promise<void> {
    const { transport, tableName } = this.#options
    for (let number = 0; number < this.#options.total; number++) {
      await sendPatiently(transport, 'DeleteItem', {
        TableName: tableName,
        Key: this.#key(number),
      })
    }
  }

  #key(number: number): Item {
    const { schema, pass } = this.#options
    return controlKey(schema, 'SEGMENTS', pass, String(number).padStart(DIGITS, '0'))
  }

  async #read(number: number): Promise<Item | undefined> {
    const { transport, tableName } = this.#options
    const { Item } = await sendPatiently(transport, 'GetItem', {
      TableName: tableName,
      Key: this.#key(number),
      ConsistentRead: true,
    })
    return Item
  }

  /** Writes the state, if the worker that has the segment is still the one that was seen. */
  async #write(
    number: number,
    worker: string | undefined,
    until: string | undefined,
    state: Item,
    leaseMs = LEASE_MS,
  ): Promise<boolean> {
    const { transport, tableName, schema, environment, epoch } = this.#options
    const names: Record<string, string> = { '#worker': 'worker' }
    const values: Record<string, Item[string]> = {}
    let condition = 'attribute_not_exists(#worker)'
    if (worker !== undefined) {
      condition = '#worker = :worker'
      values[':worker'] = { S: worker }
      if (until !== undefined) {
        condition += ' AND #until = :until'
        names['#until'] = 'until'
        values[':until'] = { N: until }
      }
    }
    const item: Item = {
      ...this.#key(number),
      [schema.params.typeField]: { S: CONTROL_TYPE },
      ...state,
      worker: { S: this.#worker },
      ...(epoch !== undefined && { epoch: { N: String(epoch) } }),
      until: { N: String(environment.now() + leaseMs) },
    }
    try {
      await sendPatiently(transport, 'PutItem', {
        TableName: tableName,
        Item: item,
        ConditionExpression: condition,
        ExpressionAttributeNames: names,
        ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      })
      return true
    } catch (error) {
      if (!(error instanceof ServiceError) || error.name !== 'ConditionalCheckFailedException') {
        throw error
      }
      // The answer of an earlier attempt may have been lost: then the item is this one.
      const found = await this.#read(number)
      return found?.worker?.S === this.#worker && found.until?.N === item.until?.N
    }
  }
}

function countsOf(state: Item | undefined): Counts {
  // Written by this class.
  return state?.counts?.S === undefined ? NO_COUNTS : (JSON.parse(state.counts.S) as Counts)
}
