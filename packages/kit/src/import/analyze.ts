import { createHash } from 'node:crypto'
import type { FoundSource } from './find-sources.ts'
import { readDump } from './read-dump.ts'
import { dumpedRow, openText, type RowContext, readRows } from './read-rows.ts'
import type { Cell, Column, ColumnKind, ForeignKey, Row, SourceTable } from './row.ts'
import { SqlTables } from './sql-tables.ts'

/** How many rows have the same value of a foreign key. */
export interface FanOut {
  readonly key: ForeignKey
  readonly average: number
  readonly most: number
  /** Parents by their number of children: `1`, `2–10`, `11–100`, … */
  readonly histogram: Readonly<Record<string, number>>
  /** Of the parents that were looked at, those that do not exist. */
  readonly orphans: number
  readonly parentsSeen: number
}

export interface AnalyzedTable extends SourceTable {
  readonly rows: number
  readonly bytes: number
  readonly fanOut: readonly FanOut[]
  /** Two foreign keys and nothing else make its key: it joins two tables. */
  readonly isJoin: boolean
}

export interface Analysis {
  readonly sources: readonly FoundSource[]
  readonly tables: readonly AnalyzedTable[]
}

/** Keys that are counted; of more, an even part of them. */
const KEYS_MAX = 50_000

/**
 * Counts of keys in constant memory: when there are too many, every second of them is forgotten.
 */
class KeyCounts {
  readonly counts = new Map<string, number>()
  #mask = 0

  add(key: string): void {
    const hash = hashOf(key)
    if ((hash & this.#mask) !== 0) return
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
    while (this.counts.size > KEYS_MAX) this.thin(this.#mask * 2 + 1)
  }

  /** Keeps what both of two samples would keep. */
  thin(mask: number): void {
    if (mask <= this.#mask) return
    this.#mask = mask
    for (const key of this.counts.keys()) if ((hashOf(key) & mask) !== 0) this.counts.delete(key)
  }

  get mask(): number {
    return this.#mask
  }
}

function hashOf(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32BE(0)
}

/** What is learnt of one source while its rows are read once. */
class TableReading {
  rows = 0
  bytes = 0
  readonly kinds = new Map<string, Set<ColumnKind>>()
  readonly filled = new Map<string, number>()
  readonly keys = new Map<string, KeyCounts>()

  add({ cells }: Pick<Row, 'cells'>): void {
    this.rows++
    for (const [name, cell] of Object.entries(cells)) {
      const kinds = this.kinds.get(name) ?? new Set()
      this.kinds.set(name, kinds)
      if (cell === null) continue
      this.filled.set(name, (this.filled.get(name) ?? 0) + 1)
      this.bytes += sizeOf(cell)
      if (kinds.size < 3) kinds.add(kindOfCell(cell))
      if (typeof cell !== 'string' || !/(^id|_id|Id)$/.test(name)) continue
      const counts = this.keys.get(name) ?? new KeyCounts()
      this.keys.set(name, counts)
      counts.add(cell)
    }
  }
}

/** Reads every source once: rows, sizes, types of columns, and how many children parents have. */
export async function analyze(
  sources: readonly FoundSource[],
  context: RowContext,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<Analysis> {
  const readings = new Map<string, TableReading>()
  let rows = 0
  const take = (name: string, cells: Readonly<Record<string, Cell>>): void => {
    const reading = readings.get(name) ?? new TableReading()
    readings.set(name, reading)
    reading.add({ cells })
    if (++rows % 1_000 === 0) onRows(rows)
  }
  const dumps = new Set<string>()
  for (const { name, source } of sources) {
    readings.set(name, readings.get(name) ?? new TableReading())
    if (source.kind === 'sql') {
      // All tables of a dump are read at once.
      if (dumps.has(source.file)) continue
      dumps.add(source.file)
      const tables = new SqlTables()
      for await (const part of readDump(openText(source.file, context), source.file)) {
        if (signal.aborted) break
        if (part.kind === 'definition') await tables.define(part, source.file)
        else take(part.table, dumpedRow(part, tables))
      }
      continue
    }
    for await (const { cells } of readRows(source, context)) {
      if (signal.aborted) break
      take(name, cells)
    }
  }
  const declared = sources.map(({ name, table }) => table ?? inferTable(name, readings.get(name)!))
  const tables = declared.map((table) => withGuesses(table, declared))
  return {
    sources,
    tables: tables.map((table) => ({
      ...table,
      rows: readings.get(table.name)?.rows ?? 0,
      bytes: readings.get(table.name)?.bytes ?? 0,
      fanOut: table.foreignKeys.flatMap((key) => fanOutOf(key, table, tables, readings)),
      isJoin: isJoin(table),
    })),
  }
}

/** What some rows say about the columns of their source. */
export function describeRows(name: string, rows: readonly Row[]): SourceTable {
  const reading = new TableReading()
  for (const row of rows) reading.add(row)
  return inferTable(name, reading)
}

function inferTable(name: string, { kinds, filled, rows }: TableReading): SourceTable {
  const columns = [...kinds].map(([column, seen]): Column => {
    const kind = seen.size === 1 ? [...seen][0]! : unify(seen)
    return { name: column, kind, isRequired: rows > 0 && filled.get(column) === rows }
  })
  const own = `${singular(name)}id`.toLowerCase()
  const key =
    columns.find((each) => each.name === 'id') ??
    columns.find((each) => each.name.replaceAll('_', '').toLowerCase() === own)
  const primaryKey = key ? [key.name] : []
  return { name, columns, primaryKey, unique: [], foreignKeys: [] }
}

function unify(seen: ReadonlySet<ColumnKind>): ColumnKind {
  const numbers: readonly ColumnKind[] = ['integer', 'bigint', 'decimal']
  return seen.size > 0 && [...seen].every((kind) => numbers.includes(kind)) ? 'decimal' : 'text'
}

/** Files declare no keys: `user_id` is that of `users`, if there is such a source. */
function withGuesses(table: SourceTable, all: readonly SourceTable[]): SourceTable {
  if (table.foreignKeys.length > 0 || table.unique.length > 0) return table
  const foreignKeys = table.columns.flatMap(({ name }): readonly ForeignKey[] => {
    const [, stem] = /^(.+?)(?:_id|Id)$/.exec(name) ?? []
    const parent = all.find(
      (each) => stem !== undefined && singular(each.name).toLowerCase() === stem.toLowerCase(),
    )
    if (parent === undefined || parent.name === table.name || parent.primaryKey.length !== 1)
      return []
    return [{ columns: [name], table: parent.name, references: parent.primaryKey }]
  })
  const keyed = table.primaryKey.length > 0 || foreignKeys.length !== 2
  return {
    ...table,
    foreignKeys,
    primaryKey: keyed ? table.primaryKey : foreignKeys.flatMap(({ columns }) => columns),
  }
}

function isJoin({ primaryKey, foreignKeys }: SourceTable): boolean {
  const joined = foreignKeys.flatMap(({ columns }) => columns)
  return (
    foreignKeys.length === 2 &&
    primaryKey.length === joined.length &&
    primaryKey.every((name) => joined.includes(name))
  )
}

function fanOutOf(
  key: ForeignKey,
  table: SourceTable,
  tables: readonly SourceTable[],
  readings: ReadonlyMap<string, TableReading>,
): readonly FanOut[] {
  const children = readings.get(table.name)?.keys.get(key.columns[0] ?? '')
  if (children === undefined || key.columns.length !== 1) return []
  const parentKey = tables.find(({ name }) => name === key.table)?.primaryKey[0] ?? ''
  const parents = readings.get(key.table)?.keys.get(parentKey)
  const mask = Math.max(children.mask, parents?.mask ?? 0)
  children.thin(mask)
  parents?.thin(mask)
  const counts = [...children.counts.values()]
  const histogram: Record<string, number> = {}
  for (const count of counts) {
    const band =
      count === 1
        ? '1'
        : `${10 ** Math.floor(Math.log10(count - 1)) + 1}–${10 ** (Math.floor(Math.log10(count - 1)) + 1)}`
    histogram[band] = (histogram[band] ?? 0) + 1
  }
  return [
    {
      key,
      average: counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length),
      most: counts.reduce((most, count) => Math.max(most, count), 0),
      histogram,
      orphans: parents
        ? [...children.counts.keys()].filter((each) => !parents.counts.has(each)).length
        : 0,
      parentsSeen: counts.length,
    },
  ]
}

const TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/

function kindOfCell(cell: Exclude<Cell, null>): ColumnKind {
  if (typeof cell === 'boolean') return 'boolean'
  if (cell instanceof Uint8Array) return 'binary'
  if (Array.isArray(cell)) return 'list'
  if (typeof cell !== 'string') return 'json'
  if (/^-?(0|[1-9]\d*)$/.test(cell)) return cell.length < 10 ? 'integer' : 'bigint'
  if (/^-?\d+\.\d+$/.test(cell)) return 'decimal'
  if (/^(true|false)$/.test(cell)) return 'boolean'
  return TIME.test(cell) ? 'time' : 'text'
}

function sizeOf(cell: Exclude<Cell, null>): number {
  if (typeof cell === 'string') return cell.length
  return cell instanceof Uint8Array ? cell.length : JSON.stringify(cell).length
}

/** `categories` → `category`, `users` → `user`, `addresses` → `address`. */
export function singular(name: string): string {
  if (/ies$/i.test(name)) return name.replace(/ies$/i, 'y')
  if (/(ss|x|ch|sh)es$/i.test(name)) return name.replace(/es$/i, '')
  return /[^s]s$/i.test(name) ? name.slice(0, -1) : name
}
