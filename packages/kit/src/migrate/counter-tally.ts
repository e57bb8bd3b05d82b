import { createHash } from 'node:crypto'
import type { RootDatabase } from 'lmdb'
import { addDecimals, type Item } from 'singletable/tools'
import { printKey } from './print-key.ts'

/** What was seen of one counter. */
export interface SeenCounter {
  readonly parent: Item
  /** The stored attribute. */
  readonly attribute: string
  /** What the items that were seen count to. */
  readonly sum: string
  /** What the parent says; undefined if it was not seen, null if it has no such attribute. */
  readonly found?: string | null | undefined
  /** The key that the parent has in the table, if that is another one. */
  readonly at?: Item | undefined
}

/** Counters and what their items count to, on disk: memory does not grow with the table. */
export class CounterTally {
  readonly #seen: RootDatabase<SeenCounter, string>

  constructor(database: RootDatabase<SeenCounter, string>) {
    this.#seen = database
  }

  /** Makes all changes of a page in one transaction. */
  change(work: () => void): void {
    this.#seen.transactionSync(work)
  }

  /** Adds what an item counts for. */
  add(parent: Item, attribute: string, by: string): void {
    this.#note(parent, attribute, ({ sum }) => ({ sum: addDecimals(sum, by) ?? sum }))
  }

  /** Notes what a parent says. */
  find(parent: Item, attribute: string, found: string | null, at?: Item): void {
    this.#note(parent, attribute, () => ({ found, at }))
  }

  /** The counters of a parent follow each other. */
  *counters(): Generator<SeenCounter> {
    for (const { value } of this.#seen.getRange()) yield value
  }

  async clear(): Promise<void> {
    await this.#seen.clearAsync()
  }

  async close(): Promise<void> {
    await this.#seen.close()
  }

  #note(
    parent: Item,
    attribute: string,
    change: (known: SeenCounter) => Partial<SeenCounter>,
  ): void {
    const id = `${hashText(printKey(parent))}${hashText(attribute)}`
    const known = this.#seen.get(id) ?? { parent, attribute, sum: '0' }
    this.#seen.putSync(id, { ...known, ...change(known) })
  }
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
