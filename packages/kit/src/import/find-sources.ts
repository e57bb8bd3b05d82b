import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { TransferError } from '../transfer/transfer-error.ts'
import { readDump } from './read-dump.ts'
import { describePostgres } from './read-postgres.ts'
import { openText, type RowContext } from './read-rows.ts'
import type { SourceTable } from './row.ts'
import {
  csv,
  dynamodbTable,
  exportFolder,
  type ImportSource,
  jsonLines,
  postgres,
  sqlTable,
} from './sources.ts'
import { SqlTables } from './sql-tables.ts'

/** A source with what is declared about its rows; of files without declarations nothing is. */
export interface FoundSource {
  readonly name: string
  readonly source: ImportSource
  readonly table?: SourceTable | undefined
}

const CSV = /\.csv(\.gz)?$/i
const JSON_LINES = /\.(jsonl|ndjson|json)(\.gz)?$/i
const SQL = /\.sql(\.gz)?$/i

/** The sources that `--from` names: files, folders, tables (`dynamodb:Orders`), `postgres://…`. */
export async function findSources(
  from: readonly string[],
  context: RowContext,
): Promise<readonly FoundSource[]> {
  const found: FoundSource[] = []
  for (const place of from) found.push(...(await sourcesAt(place, context)))
  const twice = found.find(({ name }, at) => found.findIndex((each) => each.name === name) !== at)
  if (twice === undefined) return found
  throw new TransferError(`Two sources are called "${twice.name}".`, {
    where: from.join(', '),
    fix: 'rename one of the files',
  })
}

async function sourcesAt(place: string, context: RowContext): Promise<readonly FoundSource[]> {
  if (/^postgres(ql)?:\/\//.test(place)) {
    const tables = await describePostgres(place)
    return tables.map((table) => ({ name: table.name, source: postgres(place, table.name), table }))
  }
  const [, dynamodb] = /^dynamodb:(.+)$/.exec(place) ?? []
  if (dynamodb !== undefined) return [{ name: dynamodb, source: dynamodbTable(dynamodb) }]
  const resolved = path.resolve(context.directory, place)
  if (!existsSync(resolved)) {
    throw new TransferError('There is no such file or folder.', {
      where: resolved,
      fix: 'name a file, a folder, dynamodb:<table> or postgres://…',
    })
  }
  if (statSync(resolved).isDirectory()) {
    if (existsSync(path.join(resolved, 'manifest-files.json'))) {
      return [{ name: path.basename(resolved), source: exportFolder(place) }]
    }
    const files = readdirSync(resolved).filter((name) =>
      [CSV, JSON_LINES, SQL].some((each) => each.test(name)),
    )
    const nested = await Promise.all(
      files.sort().map((name) => sourcesAt(path.join(place, name), context)),
    )
    return nested.flat()
  }
  if (SQL.test(place)) {
    const tables = new SqlTables()
    for await (const part of readDump(openText(place, context), place)) {
      if (part.kind === 'definition') await tables.define(part, place)
    }
    return [...tables.tables.values()].map((table) => ({
      name: table.name,
      source: sqlTable(place, table.name),
      table,
    }))
  }
  const name = path.basename(place).replace(/\.\w+(\.gz)?$/, '')
  if (CSV.test(place)) return [{ name, source: csv(place) }]
  if (JSON_LINES.test(place)) return [{ name, source: jsonLines(place) }]
  throw new TransferError('It is not known what the file is.', {
    where: resolved,
    fix: 'name a file that ends in .csv, .jsonl, .json or .sql, with or without .gz',
  })
}
