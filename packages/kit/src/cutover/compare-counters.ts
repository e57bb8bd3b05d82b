import { setTimeout as pause } from 'node:timers/promises'
import type { RootDatabase } from 'lmdb'
import { countItems } from 'singletable/migrations'
import {
  derivedOf,
  getOwn,
  type Item,
  keyFromItem,
  modelOf,
  type Schema,
  type Transport,
} from 'singletable/tools'
import { createItemCounter, plain } from '../migrate/count-items.ts'
import { CounterTally, type SeenCounter } from '../migrate/counter-tally.ts'
import { MigrationError } from '../migrate/migration-error.ts'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { countedIn, keyText } from './row-items.ts'

/** A counter that is changed all the time agrees with its children only now and then. */
const LOOKS = 20
const LOOK_MS = 50
const WRONG_MAX = 10_000

/**
 * Compares the counters of parents with their children. All of these are items of the new table, so
 * that the rows are not needed.
 */
export class CounterCheck {
  readonly #transport: Transport
  readonly #tableName: string
  readonly #schema: Schema
  readonly #signal: AbortSignal
  readonly #tally: CounterTally
  /** By model: the attributes that count. */
  readonly #counters: ReadonlyMap<string, readonly { name: string; stored: string }[]>

  constructor(options: {
    readonly transport: Transport
    readonly tableName: string
    readonly schema: Schema
    readonly signal: AbortSignal
    readonly database: RootDatabase<SeenCounter, string>
  }) {
    this.#transport = options.transport
    this.#tableName = options.tableName
    this.#schema = options.schema
    this.#signal = options.signal
    this.#tally = new CounterTally(options.database)
    const counters = new Map<string, { name: string; stored: string }[]>()
    for (const { derivedItems } of options.schema.models.values()) {
      for (const { parent, attribute } of derivedItems?.counters ?? []) {
        const known = counters.get(parent.name) ?? []
        counters.set(parent.name, known)
        known.push({ name: attribute.name, stored: attribute.stored })
      }
    }
    this.#counters = counters
  }

  /** Notes what items of the table count, and are counted by. */
  add(items: readonly Item[]): void {
    if (this.#counters.size === 0) return
    const schema = this.#schema
    const site = { tableName: this.#tableName, now: 0 }
    this.#tally.change(() => {
      for (const item of items) {
        const model = modelOf({ schema }, item)
        if (model === undefined || model.source) continue
        for (const { parent, attribute, by } of countedIn(derivedOf(model, item, site))) {
          this.#tally.add(parent, attribute, by)
        }
        for (const { stored } of this.#counters.get(model.name) ?? []) {
          const found = getOwn(item, stored)?.N ?? '0'
          this.#tally.find(keyFromItem(schema.primary, item), stored, found)
        }
      }
    })
  }

  /** The counters that are wrong, as sentences. Those that differed are counted again. */
  async wrong(): Promise<readonly string[]> {
    const wrong: string[] = []
    for (const { parent, attribute, sum, found } of this.#tally.counters()) {
      // Children without a parent are as they were in the old tables.
      if (found == null || sum === plain(found)) continue
      if (this.#signal.aborted || wrong.length > WRONG_MAX) break
      if (await this.#agrees(parent, attribute)) continue
      wrong.push(`${keyText(parent)} has ${found} in "${attribute}", and its items give ${sum}`)
    }
    return wrong
  }

  async close(): Promise<void> {
    await this.#tally.close()
  }

  /** Whether the counter and its items agree at some moment. */
  async #agrees(parent: Item, stored: string): Promise<boolean> {
    for (let look = 0; look < LOOKS && !this.#signal.aborted; look++) {
      const { Item } = await sendPatiently(this.#transport, 'GetItem', {
        TableName: this.#tableName,
        Key: parent,
        ConsistentRead: true,
      })
      const model = Item && modelOf({ schema: this.#schema }, Item)
      if (Item === undefined || model === undefined) return true
      const counter = this.#counters.get(model.name)?.find((each) => each.stored === stored)
      const isWrong = createItemCounter({
        transport: this.#transport,
        tableName: this.#tableName,
        after: this.#schema,
        steps: [countItems(model.name, counter?.name ?? '')],
        isLate: true,
      })
      try {
        if (!(await isWrong(Item, true))) return true
      } catch (error) {
        // No index finds the children, so that only a comparison without writers is exact.
        if (error instanceof MigrationError) return false
        throw error
      }
      await pause(LOOK_MS)
    }
    return false
  }
}
