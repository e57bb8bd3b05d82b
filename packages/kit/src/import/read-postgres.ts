import { createRequire } from 'node:module'
import { TransferError } from '../transfer/transfer-error.ts'
import type { Row, SourceTable } from './row.ts'
import { kindOf } from './sql-tables.ts'

const PAGE_ROWS = 1_000

type Client = import('pg').Client

/** All values as the server prints them, so that no digit is lost. */
async function open(url: string): Promise<Client> {
  let PgClient: typeof import('pg').Client
  try {
    // The client alone: the whole package loads a pool as well.
    PgClient = createRequire(import.meta.url)('pg/lib/client.js')
  } catch (cause) {
    throw new TransferError('A PostgreSQL that runs is read with the package pg.', {
      where: 'import',
      fix: 'npm install --save-dev pg',
      cause,
    })
  }
  const text = (value: string): string => value
  const client = new PgClient({ connectionString: url, types: { getTypeParser: () => text } })
  try {
    await client.connect()
  } catch (cause) {
    const { message } = cause as Error
    throw new TransferError(`PostgreSQL can't be reached: ${message}.`, {
      where: new URL(url).host,
      fix: 'check address, user and password',
      cause,
    })
  }
  // One moment for all that is read, whatever is written meanwhile.
  await client.query("SET DateStyle TO 'ISO'; SET TimeZone TO 'UTC'")
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
  return client
}

/**
 * Connections that read one moment of each database: what is written while several tables are read
 * is in none of them.
 */
export class PostgresSnapshots {
  readonly #clients = new Map<string, Promise<Client>>()
  #cursors = 0

  /** The rows of a table, through a cursor of the server. */
  async *rows(url: string, table: string): AsyncGenerator<Row, void, undefined> {
    const client = await this.client(url)
    const name = table.split('.').map(quoted).join('.')
    const cursor = `"import_rows_${++this.#cursors}"`
    const keys = await primaryKeyOf(client, name)
    await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT * FROM ${name}`)
    try {
      for (let count = 0; ; ) {
        const { rows } = await client.query(`FETCH ${PAGE_ROWS} FROM ${cursor}`)
        if (rows.length === 0) return
        for (const cells of rows) {
          count++
          // Another run may read the rows in another order, and must know them again.
          const key = keys.map((each) => `${each} ${JSON.stringify(cells[each])}`).join(', ')
          yield { cells, where: `table "${table}", ${key || `row ${count}`}` }
        }
      }
    } finally {
      await client.query(`CLOSE ${cursor}`)
    }
  }

  client(url: string): Promise<Client> {
    const client = this.#clients.get(url) ?? open(url)
    this.#clients.set(url, client)
    return client
  }

  async close(): Promise<void> {
    const clients = await Promise.allSettled(this.#clients.values())
    for (const each of clients) if (each.status === 'fulfilled') await each.value.end()
  }
}

async function primaryKeyOf(client: Client, name: string): Promise<readonly string[]> {
  const { rows } = await client.query(
    `SELECT a.attname FROM pg_index i JOIN pg_attribute a
       ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
     WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY a.attnum`,
    [name],
  )
  return rows.map(({ attname }) => String(attname))
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The tables of a schema with their keys, as the server describes them. */
export async function describePostgres(url: string): Promise<readonly SourceTable[]> {
  const client = await open(url)
  try {
    const { rows: columns } = await client.query(
      `SELECT c.table_name, c.column_name, c.is_nullable, c.data_type, c.udt_name
       FROM information_schema.columns c JOIN information_schema.tables t
         ON t.table_schema = c.table_schema AND t.table_name = c.table_name
       WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
       ORDER BY c.table_name, c.ordinal_position`,
    )
    const { rows: keys } = await client.query(
      `SELECT r.relname AS table_name, c.contype::text AS kind, f.relname AS foreign_table,
         (SELECT json_agg(a.attname ORDER BY k.at) FROM unnest(c.conkey) WITH ORDINALITY k(number, at)
           JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number)::text AS columns,
         (SELECT json_agg(a.attname ORDER BY k.at) FROM unnest(c.confkey) WITH ORDINALITY k(number, at)
           JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number)::text AS referenced
       FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
         JOIN pg_namespace n ON n.oid = r.relnamespace LEFT JOIN pg_class f ON f.oid = c.confrelid
       WHERE n.nspname = current_schema() AND c.contype IN ('p', 'u', 'f') ORDER BY c.conname`,
    )
    const names = [...new Set<string>(columns.map(({ table_name }) => table_name))]
    return names.map((name) => {
      const own = keys.filter((each) => each.table_name === name)
      const list = (text: string | null): string[] => JSON.parse(text ?? '[]')
      return {
        name,
        columns: columns
          .filter((each) => each.table_name === name)
          .map((each) => ({
            name: each.column_name,
            kind: each.data_type === 'ARRAY' ? ('list' as const) : kindOf(each.data_type),
            isRequired: each.is_nullable === 'NO',
          })),
        primaryKey: own.filter(({ kind }) => kind === 'p').flatMap((each) => list(each.columns)),
        unique: own.filter(({ kind }) => kind === 'u').map((each) => list(each.columns)),
        foreignKeys: own
          .filter(({ kind }) => kind === 'f')
          .map((each) => ({
            columns: list(each.columns),
            table: each.foreign_table,
            references: list(each.referenced),
          })),
      }
    })
  } finally {
    await client.end()
  }
}
