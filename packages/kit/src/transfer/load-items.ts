import { BATCH_WRITE_MAX, getOwn, type Item, type Transport } from 'singletable/tools'
import type { Checkpoint } from './checkpoint.ts'
import type { FileRecord } from './item-format.ts'
import { pauseAfter, sendPatiently } from './send-patiently.ts'
import { TransferError } from './transfer-error.ts'

/** Where a load is: enough to resume it. */
export interface LoadCheckpoint extends Checkpoint {
  readonly format: typeof LOAD_FORMAT
  /** Of the file, so that another one under its name is not taken for it. */
  readonly fileBytes: number
  readonly fileModifiedMs: number
  /** Records of the file whose items are in the table. */
  readonly records: number
}

export const LOAD_FORMAT = 'singletable-load:1'

/** The service takes 16 MB a request; this leaves room for what is around the items. */
const BATCH_CHARACTERS_MAX = 4 * 1024 * 1024
/** Batches on their way at the same time; what they hold is all that is in memory. */
const BATCHES_MAX = 8
const IDLE_ROUNDS_MAX = 10

export interface LoadOptions {
  readonly transport: Transport
  readonly tableName: string
  /** The key attributes of the table, and their types. */
  readonly keys: ReadonlyMap<string, string>
  readonly records: AsyncIterable<FileRecord>
  /** For messages. */
  readonly file: string
  /** Records that earlier runs loaded. */
  readonly skip: number
  /** Checks the items and writes none. */
  readonly dryRun: boolean
  /** When aborted, what is under way is finished and nothing new is started. */
  readonly signal: AbortSignal
  /** Called when all records up to this one are in the table. */
  onLoaded(records: number): Promise<void>
}

/**
 * Writes the items of a file as they are. Of items with the same key the last one wins, as if they
 * were written one after the other: what is on its way at the same time has no key twice. Gives the
 * records that are loaded.
 */
export async function loadItems(options: LoadOptions): Promise<number> {
  const { keys, file, skip, signal } = options
  let records = 0
  let batches = new Batches(keys)
  const flush = async (): Promise<void> => {
    const full = batches
    batches = new Batches(keys)
    if (!options.dryRun) await Promise.all(full.list().map((batch) => writeBatch(options, batch)))
    await options.onLoaded(records)
  }
  for await (const { item, line } of options.records) {
    records++
    if (records <= skip) continue
    requireKey(item, keys, `${file}:${line}`)
    batches.add(item)
    if (!batches.isFull) continue
    await flush()
    if (signal.aborted) return records
  }
  if (records < skip) {
    throw new TransferError(`The file has ${records} records, and ${skip} were loaded from it.`, {
      where: file,
      fix: 'give the same file, or start again with --restart',
    })
  }
  await flush()
  return records
}

/** Items to be written at the same time, each key once. */
class Batches {
  readonly #items = new Map<string, { readonly item: Item; readonly characters: number }>()
  readonly #keys: readonly string[]
  #characters = 0

  constructor(keys: ReadonlyMap<string, string>) {
    this.#keys = [...keys.keys()]
  }

  add(item: Item): void {
    const key = JSON.stringify(this.#keys.map((name) => getOwn(item, name)))
    const characters = JSON.stringify(item).length
    this.#characters += characters
    this.#items.set(key, { item, characters })
  }

  get isFull(): boolean {
    return (
      this.#items.size >= BATCH_WRITE_MAX * BATCHES_MAX ||
      this.#characters >= BATCH_CHARACTERS_MAX * BATCHES_MAX
    )
  }

  list(): readonly (readonly Item[])[] {
    const batches: Item[][] = []
    let characters = 0
    for (const each of this.#items.values()) {
      const batch = batches.at(-1)
      characters += each.characters
      if (batch && batch.length < BATCH_WRITE_MAX && characters <= BATCH_CHARACTERS_MAX) {
        batch.push(each.item)
      } else {
        batches.push([each.item])
        characters = each.characters
      }
    }
    return batches
  }
}

/** Sends a batch, and what the service left of it again, until nothing is left or nothing moves any
 * more. */
async function writeBatch(
  { transport, tableName, file }: LoadOptions,
  batch: readonly Item[],
): Promise<void> {
  let requests = batch.map((Item) => ({ PutRequest: { Item } }))
  for (let idle = 0; requests.length > 0; ) {
    const { UnprocessedItems = {} } = await sendPatiently(transport, 'BatchWriteItem', {
      RequestItems: { [tableName]: requests },
    })
    const left = (getOwn(UnprocessedItems, tableName) ?? []).flatMap(({ PutRequest }) =>
      PutRequest ? [{ PutRequest }] : [],
    )
    idle = left.length < requests.length ? 0 : idle + 1
    requests = left
    if (requests.length === 0) return
    if (idle === IDLE_ROUNDS_MAX) {
      throw new TransferError(
        `The service did not accept ${requests.length} items, even after many attempts.`,
        {
          where: `table "${tableName}", loading ${file}`,
          fix: 'raise the capacity of the table, and continue with --resume',
        },
      )
    }
    await pauseAfter(idle + 1)
  }
}

function requireKey(item: Item, keys: ReadonlyMap<string, string>, where: string): void {
  for (const [name, type] of keys) {
    const value = getOwn(item, name)
    if (value !== undefined && Object.hasOwn(value, type)) continue
    throw new TransferError(
      value === undefined
        ? `The item has no key attribute "${name}".`
        : `The key attribute "${name}" is not of type ${type}.`,
      { where, fix: `give every item the table's key: ${[...keys.keys()].join(' and ')}` },
    )
  }
}
