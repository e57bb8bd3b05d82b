import { createReadStream, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { getOwn, type Item, type Transport } from 'singletable/tools'
import { readCsvRecords } from '../transfer/csv-records.ts'
import { splitLines } from '../transfer/json-lines.ts'
import { readText } from '../transfer/read-text.ts'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { TransferError } from '../transfer/transfer-error.ts'
import { cellsOf, readJsonObject } from './plain-json.ts'
import { type DumpPart, readDump } from './read-dump.ts'
import type { PostgresSnapshots } from './read-postgres.ts'
import type { Cell, Row } from './row.ts'
import type { ImportSource } from './sources.ts'
import { SqlTables } from './sql-tables.ts'

export interface RowContext {
  /** Where relative paths begin. */
  readonly directory: string
  /** For other DynamoDB tables; undefined where there is no connection. */
  readonly transport?: Transport | undefined
  /** The databases, as they were when the first of their tables was read. */
  readonly postgres: PostgresSnapshots
}

/** The rows of a source, one after the other: only a few of them are in memory. */
export function readRows(
  source: ImportSource,
  context: RowContext,
): AsyncGenerator<Row, void, undefined> {
  switch (source.kind) {
    case 'csv':
      return readCsv(openText(source.file, context), source.file)
    case 'json':
      return readJson(openText(source.file, context), source.file)
    case 'export':
      return readExport(source.folder, context)
    case 'sql':
      return readSql(source.file, source.table, context)
    case 'table':
      return readTable(source.table, context)
    case 'postgres':
      return context.postgres.rows(source.url, source.table)
  }
}

export function openText(
  file: string,
  { directory }: Pick<RowContext, 'directory'>,
): AsyncIterable<string> {
  const resolved = path.resolve(directory, file)
  if (!existsSync(resolved)) {
    throw new TransferError('There is no such file.', {
      where: resolved,
      fix: 'name a file that exists',
    })
  }
  return readText(createReadStream(resolved), file, () => undefined)
}

/** The rows of a CSV text; `linesBefore` are lines of the file that the text does not have. */
export async function* readCsv(
  chunks: AsyncIterable<string>,
  file: string,
  linesBefore = 0,
): AsyncGenerator<Row, void, undefined> {
  let names: readonly string[] | undefined
  for await (const { cells, line } of readCsvRecords(chunks, file, linesBefore)) {
    const where = `${file}:${line}`
    if (names === undefined) {
      const twice = cells.find((name, at) => name === '' || cells.indexOf(name) !== at)
      if (twice !== undefined) {
        throw new TransferError(`The header has the column "${twice}" twice or without a name.`, {
          where,
          fix: 'name each column once',
        })
      }
      names = cells
      continue
    }
    if (cells.length !== names.length) {
      throw new TransferError(`The record has ${cells.length} cells, the header ${names.length}.`, {
        where,
        fix: 'give each record a cell for each column',
      })
    }
    yield {
      cells: rowOf(
        names,
        cells.map((cell) => (cell === '' ? null : cell)),
      ),
      where,
    }
  }
}

/** The rows of JSON lines; `linesBefore` are lines of the file that the text does not have. */
export async function* readJson(
  chunks: AsyncIterable<string>,
  file: string,
  linesBefore = 0,
): AsyncGenerator<Row, void, undefined> {
  let line = linesBefore
  for await (const text of splitLines(chunks, file, { linesBefore })) {
    const where = `${file}:${++line}`
    if (text.trim() !== '') yield { cells: readJsonObject(text, where), where }
  }
}

/** The data files that the manifest of an export names. */
async function* readExport(
  folder: string,
  context: RowContext,
): AsyncGenerator<Row, void, undefined> {
  const manifest = path.resolve(context.directory, folder, 'manifest-files.json')
  if (!existsSync(manifest)) {
    throw new TransferError('The folder has no manifest-files.json.', {
      where: manifest,
      fix: 'name the folder of one export, such as AWSDynamoDB/01…/, as S3 has it',
    })
  }
  for (const line of readFileSync(manifest, 'utf8').split('\n')) {
    if (line.trim() === '') continue
    const { dataFileS3Key = '' } = Object(JSON.parse(line)) as { readonly dataFileS3Key?: string }
    const file = path.join(folder, 'data', path.basename(dataFileS3Key))
    yield* readJson(openText(file, context), file)
  }
}

async function* readSql(
  file: string,
  table: string,
  context: RowContext,
): AsyncGenerator<Row, void, undefined> {
  const tables = new SqlTables()
  for await (const part of readDump(openText(file, context), file)) {
    if (part.kind === 'definition') await tables.define(part, file)
    else if (part.table === table) {
      yield { cells: dumpedRow(part, tables), where: part.where }
    }
  }
}

/** A row of a dump by the names of its columns. */
export function dumpedRow(
  { table, columns, cells, where }: Extract<DumpPart, { readonly kind: 'row' }>,
  tables: SqlTables,
): Record<string, Cell> {
  const names = columns ?? tables.tables.get(table)?.columns.map(({ name }) => name)
  if (names?.length === cells.length) return rowOf(names, cells)
  throw new TransferError(
    names === undefined
      ? `The columns of "${table}" are not known.`
      : `The row of "${table}" has ${cells.length} values, and the table ${names.length} columns.`,
    { where, fix: 'dump definitions and data together, or name the columns' },
  )
}

async function* readTable(
  tableName: string,
  { transport }: RowContext,
): AsyncGenerator<Row, void, undefined> {
  if (transport === undefined) {
    throw new TransferError('There is no connection to read a table.', {
      where: `table "${tableName}"`,
      fix: 'say where it is: --endpoint, --data or --aws',
    })
  }
  const keyNames = await keyNamesOf(transport, tableName)
  let next: Item | undefined
  do {
    const page = await sendPatiently(transport, 'Scan', {
      TableName: tableName,
      ConsistentRead: true,
      ...(next && { ExclusiveStartKey: next }),
    })
    for (const item of page.Items ?? []) {
      yield { cells: cellsOf(item), where: rowName(tableName, keyNames, item) }
    }
    next = page.LastEvaluatedKey
  } while (next !== undefined)
}

/** The attributes of the primary key of a table. */
export async function keyNamesOf(
  transport: Transport,
  TableName: string,
): Promise<readonly string[]> {
  const { Table } = await sendPatiently(transport, 'DescribeTable', { TableName })
  return (Table?.KeySchema ?? []).map(({ AttributeName }) => AttributeName)
}

/** `table "Orders", id "10"`: the same whenever and in whatever order the table is read. */
export function rowName(table: string, keyNames: readonly string[], item: Item): string {
  const parts = keyNames.map((name) => {
    const { S, N, B } = getOwn(item, name) ?? {}
    return `${name} ${JSON.stringify(S ?? N ?? B)}`
  })
  return `table "${table}", ${parts.join(', ')}`
}

function rowOf(names: readonly string[], cells: readonly Cell[]): Record<string, Cell> {
  return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null]))
}
