import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { open, type RootDatabase } from 'lmdb'
import type { Convergence } from 'singletable/cutover'
import { CONTROL_TYPE, canonicalText, type Item, keyFromItem, type Schema } from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { CounterCheck } from './compare-counters.ts'
import { type RowCopier, readRow, rowText } from './copy-rows.ts'
import { type CopiedTable, keyText } from './row-items.ts'

const EXAMPLES_MAX = 20
/** More items than this differ only where something is wrong. */
const SUSPECTS_MAX = 10_000
const ROUNDS_MAX = 10
/** Items that are written all the time agree with their rows only now and then. */
const LOOKS = 5
const LOOK_MS = 50
const CHECKSUM_BITS = 128n

/** An item that differed when all were compared, perhaps because it was changed meanwhile. */
interface Suspect {
  readonly key: Item
  /** The rows that gave the key. */
  readonly rows: Set<string>
  source: Item | undefined
  table: Item | undefined
  isCollision?: boolean
}

interface Comparison {
  readonly database: RootDatabase<Expected, string>
  readonly sums: Sums
  readonly suspects: Map<string, Suspect>
}

/** What is kept of a row's item until the table's is read. */
interface Expected {
  readonly row: string
  readonly item: Item
}

/**
 * Compares all items that the rows give with all that the table has, while both are written. Items
 * that differ are read again after the copy has caught up, so that what remains is different for
 * another reason than time.
 */
export async function compareTables(
  copier: RowCopier,
  options: {
    readonly schema: Schema
    readonly tableName: string
    readonly tables: readonly CopiedTable[]
    readonly now: () => number
    readonly signal: AbortSignal
    /** Resolves when every change that was made before the call is copied. */
    untilCaughtUp(): Promise<void>
  },
): Promise<Convergence | undefined> {
  const { tables, signal } = options
  const directory = mkdtempSync(path.join(tmpdir(), 'singletable-compare-'))
  const place = { noSync: true, encoding: 'json' } as const
  const database: RootDatabase<Expected, string> = open({ ...place, path: `${directory}/items` })
  const counters = new CounterCheck({
    ...options,
    transport: copier.transport,
    database: open({ ...place, path: `${directory}/counts` }),
  })
  try {
    await options.untilCaughtUp()
    const comparison: Comparison = { database, sums: new Sums(copier), suspects: new Map() }
    const { suspects, sums } = comparison
    for (const table of tables) await expectRows(copier, table, comparison, signal)
    await options.untilCaughtUp()
    await readTable(copier, { ...options, counters }, comparison)
    if (suspects.size <= SUSPECTS_MAX) await recheck(copier, options, suspects, sums)
    const wrong = suspects.size === 0 ? await counters.wrong() : []
    return signal.aborted ? undefined : sums.convergence(options.now(), suspects, wrong)
  } finally {
    await database.close()
    await counters.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Keeps what the rows of a table give on disk. */
async function expectRows(
  { transport, items }: RowCopier,
  table: CopiedTable,
  { database, sums, suspects }: Comparison,
  signal: AbortSignal,
): Promise<void> {
  for await (const page of pagesOf(transport, table.table, signal)) {
    database.transactionSync(() => {
      for (const row of page) {
        for (const [text, { key, item }] of items.of(table, row)) {
          const name = rowText(table, row)
          const first = database.get(hashText(text))
          if (first) {
            // Right only for a moment, while a value moves from one row to another.
            const rows = new Set([first.row, name])
            suspects.set(text, { key, rows, source: first.item, table: undefined })
            continue
          }
          const own = items.own(item)
          database.putSync(hashText(text), { row: name, item: own })
          sums.add('source', own)
        }
      }
    })
  }
}

/** Compares the items of the table with what is expected; what differs is suspect. */
async function readTable(
  { transport, items, target }: RowCopier,
  options: {
    readonly schema: Schema
    readonly tableName: string
    readonly signal: AbortSignal
    readonly counters: CounterCheck
  },
  { database, sums, suspects }: Comparison,
): Promise<void> {
  for await (const page of pagesOf(transport, options.tableName, options.signal)) {
    options.counters.add(page)
    for (const found of page) {
      if (items.kindOf(found) === CONTROL_TYPE) continue
      const item = items.own(found)
      const key = keyFromItem(options.schema.primary, item)
      const text = keyText(key)
      const expected = database.get(hashText(text))
      if (expected) database.removeSync(hashText(text))
      const known = suspects.get(text)
      if (known) {
        sums.add('table', item)
        known.table = item
      } else if (expected && isSame(expected.item, item)) sums.add('table', item)
      else {
        const row = expected?.row ?? (await target.versionOf(key))?.row
        const kind = items.kindOf(item)
        // Other items of the table are none of the copy's business.
        if (row === undefined && (!sums.has(kind) || kind.startsWith('_'))) continue
        sums.add('table', item)
        const rows = new Set(row === undefined ? [] : [row])
        suspects.set(text, { key, rows, source: expected?.item, table: item })
      }
      if (suspects.size > SUSPECTS_MAX) return
    }
  }
  for (const { value } of database.getRange()) {
    const { row, item } = value
    const key = keyFromItem(options.schema.primary, item)
    const text = keyText(key)
    if (suspects.has(text)) continue
    suspects.set(text, { key, rows: new Set([row]), source: item, table: undefined })
    if (suspects.size > SUSPECTS_MAX) return
  }
}

/**
 * Reads suspects again: those that agree at some moment are none any more. One whose row was the
 * same before and after the copy caught up, and which still differs, is different for good.
 */
async function recheck(
  copier: RowCopier,
  options: {
    readonly tables: readonly CopiedTable[]
    readonly signal: AbortSignal
    untilCaughtUp(): Promise<void>
  },
  suspects: Map<string, Suspect>,
  sums: Sums,
): Promise<void> {
  const open = new Map(suspects)
  const look = async (isCaughtUp: boolean): Promise<void> => {
    for (const [text, suspect] of open) {
      if (options.signal.aborted) return
      const { source, table } = suspect
      const given = await itemsOfRows(copier, options.tables, text, suspect)
      const found = await copier.target.get(suspect.key)
      suspect.table = found && copier.items.own(found)
      suspect.source = given[0]
      suspect.isCollision = given.length > 1
      sums.replace('source', source, suspect.source)
      sums.replace('table', table, suspect.table)
      const agrees = !suspect.isCollision && isSame(suspect.source, suspect.table)
      if (agrees) suspects.delete(text)
      if (agrees || (isCaughtUp && isSame(source, suspect.source))) open.delete(text)
    }
  }
  for (let round = 0; round < ROUNDS_MAX && open.size > 0; round++) {
    for (let time = 0; time < LOOKS && open.size > 0; time++) {
      await look(false)
      await pause(LOOK_MS)
    }
    await options.untilCaughtUp()
    await look(true)
    if (options.signal.aborted) return
  }
}

/** What the rows give that are known to give the key. */
async function itemsOfRows(
  { transport, target, items }: RowCopier,
  tables: readonly CopiedTable[],
  text: string,
  { key, rows }: Suspect,
): Promise<readonly Item[]> {
  // The row that gave the key last may be another one than those that were read.
  const newest = (await target.versionOf(key))?.row
  if (newest !== undefined) rows.add(newest)
  const given: Item[] = []
  for (const row of rows) {
    const read = await readRow(transport, tables, row)
    const made = read && items.of(read.table, read.item).get(text)
    if (made) given.push(items.own(made.item))
  }
  return given
}

function isSame(a: Item | undefined, b: Item | undefined): boolean {
  return a === undefined || b === undefined ? a === b : canonicalText(a) === canonicalText(b)
}

/** Counts and checksums by kind of item. */
class Sums {
  readonly #kindOf: (item: Item) => string
  readonly #sums = new Map<string, Record<'source' | 'table', { items: number; sum: bigint }>>()

  constructor({ items }: RowCopier) {
    this.#kindOf = (item) => items.kindOf(item)
  }

  has(kind: string): boolean {
    return this.#sums.has(kind)
  }

  add(side: 'source' | 'table', item: Item, times: 1 | -1 = 1): void {
    const kind = this.#kindOf(item)
    const known = this.#sums.get(kind) ?? {
      source: { items: 0, sum: 0n },
      table: { items: 0, sum: 0n },
    }
    this.#sums.set(kind, known)
    const digest = createHash('sha256')
      .update(canonicalText(item) ?? '')
      .digest('hex')
    known[side].items += times
    known[side].sum = BigInt.asUintN(
      Number(CHECKSUM_BITS),
      known[side].sum + BigInt(times) * BigInt(`0x${digest.slice(0, 32)}`),
    )
  }

  replace(side: 'source' | 'table', before: Item | undefined, after: Item | undefined): void {
    if (before) this.add(side, before, -1)
    if (after) this.add(side, after)
  }

  convergence(
    at: number,
    suspects: ReadonlyMap<string, Suspect>,
    wrongCounters: readonly string[],
  ): Convergence {
    const shown = ({ items, sum }: { readonly items: number; readonly sum: bigint }) => ({
      items,
      checksum: sum.toString(16).padStart(32, '0'),
    })
    const examples = [...suspects].slice(0, EXAMPLES_MAX).map(([key, suspect]) => {
      const { source, table, rows, isCollision } = suspect
      const what = isCollision
        ? 'is given by more than one row'
        : !table
          ? 'is not in the table'
          : !source
            ? 'is in the table, and no row gives it'
            : 'differs'
      return `${key} ${what}${rows.size === 0 ? '' : `: ${[...rows].join(' and ')}`}`
    })
    return {
      at,
      models: Object.fromEntries(
        [...this.#sums]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([kind, { source, table }]) => [
            kind,
            { source: shown(source), table: shown(table) },
          ]),
      ),
      different: suspects.size + wrongCounters.length,
      examples: [...examples, ...wrongCounters].slice(0, EXAMPLES_MAX),
    }
  }
}

async function* pagesOf(
  transport: RowCopier['transport'],
  TableName: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Item[], void, undefined> {
  let next: Item | undefined
  do {
    if (signal.aborted) return
    const page = await sendPatiently(transport, 'Scan', {
      TableName,
      ConsistentRead: true,
      ...(next && { ExclusiveStartKey: next }),
    })
    yield page.Items ?? []
    next = page.LastEvaluatedKey
  } while (next !== undefined)
}

/** Keys of LMDB are shorter than those of DynamoDB. */
function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
