import { setImmediate as others } from 'node:timers/promises'
import type { SchemaDefinition, Table } from 'singletable'
import {
  BATCH_GET_KEYS_MAX,
  getOwn,
  type Item,
  type Model,
  type Schema,
  SingletableError,
  systemEnvironment,
  TRANSACTION_ACTIONS_MAX,
  type Transport,
} from 'singletable/tools'
import { pauseAfter, sendPatiently } from '../transfer/send-patiently.ts'
import { keyOf, keyText } from './item-key.ts'
import { KeySet } from './key-set.ts'
import type { SeedItem } from './make-items.ts'

/** Items that are written and then counted together: this many are in memory at a time. */
const CHUNK_ITEMS = 400
/** Items that are sent concurrently: a stop signal waits for at most this many. */
const BATCH_ITEMS = 100
/** Larger transactions are more often refused as a whole, and then written item by item. */
const TRANSACTION_ITEMS_MAX = 20

export interface WriteItemsOptions {
  readonly schema: Schema
  /** The table's transport, to count the items in it. */
  readonly transport: Transport
  /** Skips and reports a rejected item. Without it, the first rejected item is an error. */
  readonly skipsRefused?: boolean | undefined
  /**
   * Whether no two items have the same key, as with sample data. Otherwise the keys of all items
   * are remembered, to count each once.
   */
  readonly hasDistinctKeys?: boolean | undefined
  /** When aborted, finishes the requests in progress and starts nothing new. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((count: number) => void) | undefined
}

export interface WrittenItems {
  /** The number of items in the table by entity. Each was read back after it was written. */
  readonly written: ReadonlyMap<string, number>
  /** How many items were rejected by entity, and the reason for the first of them. */
  readonly refused: ReadonlyMap<string, { readonly count: number; readonly reason: string }>
}

interface LooseEntity {
  put(input: object): { execute(): Promise<unknown> }
  create(input: object): { execute(): Promise<unknown> }
}

/** Puts items through their entities, then counts those that are in the table. */
export async function writeItems(
  table: Table<SchemaDefinition>,
  items: Iterable<SeedItem>,
  options: WriteItemsOptions,
): Promise<WrittenItems> {
  const writer = new ItemWriter(table, options)
  let chunk: SeedItem[] = []
  for (const item of items) {
    if (chunk.push(item) < CHUNK_ITEMS) continue
    await writer.write(chunk)
    chunk = []
    if (options.signal?.aborted) break
  }
  if (!options.signal?.aborted) await writer.write(chunk)
  return writer.end()
}

class ItemWriter {
  readonly #table: Table<SchemaDefinition>
  readonly #options: WriteItemsOptions
  readonly #entities: Readonly<Record<string, LooseEntity | undefined>>
  readonly #keys: KeySet | undefined
  readonly #written = new Map<string, number>()
  readonly #refused = new Map<string, { count: number; reason: string }>()
  #counting: Promise<void> = Promise.resolve()
  #count = 0

  constructor(table: Table<SchemaDefinition>, options: WriteItemsOptions) {
    this.#table = table
    this.#options = options
    if (!options.hasDistinctKeys) this.#keys = new KeySet()
    // A schema that is loaded at run time has no useful types; the entity itself checks its input.
    this.#entities = table.entities as never
  }

  /** Writes items in their order where some need others to exist first. */
  async write(items: readonly SeedItem[]): Promise<void> {
    const { signal, onProgress } = this.#options
    const done: SeedItem[] = []
    let run: SeedItem[] = []
    let size = 0
    const flush = async (): Promise<void> => {
      const list = run
      run = []
      if (list.length === 0 || signal?.aborted) return
      await (size > 0 ? this.#transact(list) : this.#batch(list))
      done.push(...list)
      // An engine in this process answers immediately; without a pause no signal would be handled.
      await others()
    }
    for (const item of items) {
      const most = transactionItems(this.#model(item))
      // Items of one run are written in the same way: in batches, or in transactions of this many.
      if (most !== size || run.length >= (most > 0 ? most : BATCH_ITEMS)) await flush()
      size = most
      run.push(item)
    }
    await flush()
    await this.#counting
    this.#counting = this.#countWritten(done)
    this.#count += done.length
    onProgress?.(this.#count)
  }

  async end(): Promise<WrittenItems> {
    await this.#counting
    return { written: this.#written, refused: this.#refused }
  }

  #model({ entity }: SeedItem): Model {
    const model = this.#options.schema.models.get(entity)
    if (model === undefined) throw new Error(`There is no model "${entity}".`)
    return model
  }

  async #batch(items: readonly SeedItem[]): Promise<void> {
    try {
      const builders = items.map(({ entity, input }) => this.#entities[entity]?.put(input))
      // They are put builders of this table, but a schema loaded at run time has no types for that.
      await this.#table.batchWrite(builders as never).execute()
    } catch (error) {
      await this.#eachAfter(error, items)
    }
  }

  /**
   * Writes items with derived items, several in one transaction. They are created, not put, because
   * a create need not read first.
   */
  async #transact(items: readonly SeedItem[]): Promise<void> {
    try {
      let transaction = this.#table.transactWrite()
      for (const { entity, input } of items) {
        transaction = transaction.add(this.#entities[entity]?.create(input) as never)
      }
      await transaction.execute()
    } catch (error) {
      await this.#eachAfter(error, items)
    }
  }

  /**
   * Writes items one by one after they were rejected together: some may exist, some may be invalid.
   */
  async #eachAfter(error: unknown, items: readonly SeedItem[]): Promise<void> {
    if (!isRefusal(error)) throw error
    for (const { entity, input } of items) {
      try {
        await this.#entities[entity]?.put(input).execute()
      } catch (refusal) {
        if (!this.#options.skipsRefused || !isRefusal(refusal)) throw refusal
        // The same seed made the same item before, and an item with a version is not replaced.
        if (['ITEM_EXISTS', 'VERSION_CONFLICT'].includes(refusal.code)) continue
        const known = this.#refused.get(entity)
        if (known) known.count++
        else this.#refused.set(entity, { count: 1, reason: `${refusal.code}: ${refusal.what}` })
      }
    }
  }

  /** Looks for items in the table, each key once. */
  async #countWritten(items: readonly SeedItem[]): Promise<void> {
    const { hash, sort } = this.#options.schema.primary
    const names = [...hash, ...sort]
    const entities = new Map<string, string>()
    const keys: Item[] = []
    for (const item of items) {
      let key: Item
      try {
        key = keyOf(this.#model(item), item.input, systemEnvironment)
      } catch (error) {
        // An invalid key was rejected before.
        if (isRefusal(error)) continue
        throw error
      }
      const text = keyText(key, names)
      if (this.#keys?.add(text) === false) continue
      entities.set(text, item.entity)
      keys.push(key)
    }
    const requests: Promise<readonly Item[]>[] = []
    for (let at = 0; at < keys.length; at += BATCH_GET_KEYS_MAX) {
      requests.push(this.#read(keys.slice(at, at + BATCH_GET_KEYS_MAX)))
    }
    for (const found of (await Promise.all(requests)).flat()) {
      const entity = entities.get(keyText(found, names))
      if (entity !== undefined) this.#written.set(entity, (this.#written.get(entity) ?? 0) + 1)
    }
  }

  async #read(keys: readonly Item[]): Promise<readonly Item[]> {
    const { transport, schema } = this.#options
    const { name } = this.#table
    const { hash, sort } = schema.primary
    const names = [...hash, ...sort]
    const found: Item[] = []
    let left: readonly Item[] = keys
    for (let attempt = 1; left.length > 0; attempt++) {
      const { Responses = {}, UnprocessedKeys = {} } = await sendPatiently(
        transport,
        'BatchGetItem',
        {
          RequestItems: {
            [name]: {
              Keys: [...left],
              ConsistentRead: true,
              ProjectionExpression: names.map((_, at) => `#k${at}`).join(', '),
              ExpressionAttributeNames: Object.fromEntries(
                names.map((each, at) => [`#k${at}`, each]),
              ),
            },
          },
        },
      )
      found.push(...(getOwn(Responses, name) ?? []))
      left = getOwn(UnprocessedKeys, name)?.Keys ?? []
      if (left.length > 0) await pauseAfter(attempt)
    }
    return found
  }
}

/** Sample lists have no more elements. */
const ELEMENTS_MAX = 10

/** How many items of a model fit in a transaction; undefined if they need none. */
function transactionItems({ derivedItems, version }: Model): number {
  if (derivedItems === undefined) return version ? TRANSACTION_ITEMS_MAX : 0
  const { copies, unique, counters } = derivedItems
  const copied = copies.reduce((sum, copy) => sum + (copy.each ? ELEMENTS_MAX : 1), 0)
  const each = 1 + copied + unique.length + counters.length
  return Math.max(1, Math.min(TRANSACTION_ITEMS_MAX, Math.floor(TRANSACTION_ACTIONS_MAX / each)))
}

/** Errors that are about the item, and not about the connection to the table. */
const REFUSALS = new Set<string>([
  'BATCH_INVALID',
  'CONDITION_FAILED',
  'INPUT_INVALID',
  'ITEM_COLLECTION_FULL',
  'ITEM_EXISTS',
  'KEY_COMPONENT_INVALID',
  'KEY_MISMATCH',
  'PARENT_MISSING',
  'REQUEST_REFUSED',
  'TRANSACTION_CANCELED',
  'TRANSACTION_INVALID',
  'UNIQUE_TAKEN',
  'VERSION_CONFLICT',
])

function isRefusal(error: unknown): error is SingletableError {
  return SingletableError.is(error) && REFUSALS.has(error.code)
}
