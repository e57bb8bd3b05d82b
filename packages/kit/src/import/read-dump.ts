import { splitLines } from '../transfer/json-lines.ts'
import { TransferError } from '../transfer/transfer-error.ts'
import { readCopyLine, readTuples } from './dump-literals.ts'
import { DumpStatements } from './dump-statements.ts'
import type { Cell } from './row.ts'

/** What a dump consists of, in its order. */
export type DumpPart =
  | {
      readonly kind: 'definition'
      readonly text: string
      readonly line: number
      readonly dialect: Dialect
    }
  | {
      readonly kind: 'row'
      readonly table: string
      /** Undefined where the statement does not name them: then they are those of the table. */
      readonly columns: readonly string[] | undefined
      readonly cells: readonly Cell[]
      /** Where it is; no other row is there. */
      readonly where: string
    }

export type Dialect = 'postgresql' | 'mysql'

/** A statement is held as a whole; `mysqldump` makes them about 1 MB long. */
const STATEMENT_MAX_CHARACTERS = 64 * 1024 * 1024
/** A name, in quotes or not; inside them a quote is doubled. */
const PART = '(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|[^\\s(),.;"`]+)'
const NAME = `(${PART}(?:\\s*\\.\\s*${PART})*)`
const COLUMNS = `(?:\\(\\s*(${PART}(?:\\s*,\\s*${PART})*)\\s*\\))?`
const COPY = new RegExp(`^COPY\\s+${NAME}\\s*${COLUMNS}\\s+FROM\\s+stdin`, 'i')
const INSERT = new RegExp(
  `^(?:INSERT|REPLACE)\\s+(?:(?:IGNORE|DELAYED|LOW_PRIORITY)\\s+)*INTO\\s+${NAME}\\s*${COLUMNS}\\s*(?:OVERRIDING\\s+(?:SYSTEM|USER)\\s+VALUE\\s+)?VALUES\\s*`,
  'i',
)
const ON_CONFLICT = /\s*ON\s+CONFLICT\s+DO\s+NOTHING$/i
/** Statements that have rows. */
const WRITES = /^(?:COPY|INSERT|REPLACE)\b/i
const DEFINITION =
  /^(?:CREATE\s+(?:UNLOGGED\s+)?TABLE|ALTER\s+TABLE|CREATE\s+UNIQUE\s+INDEX|CREATE\s+TYPE)\b/i
const MYSQL = /^-- (?:MySQL|MariaDB) dump|^-- phpMyAdmin|`/

/** Reads a dump once, in pieces: its definitions, and its rows as they come. */
export async function* readDump(
  chunks: AsyncIterable<string>,
  file: string,
): AsyncGenerator<DumpPart, void, undefined> {
  let line = 0
  let dialect: Dialect = 'postgresql'
  let statements = new DumpStatements(false)
  let copy: { readonly table: string; readonly columns: readonly string[] | undefined } | undefined
  for await (const text of splitLines(chunks, file, {
    charactersMax: STATEMENT_MAX_CHARACTERS,
  })) {
    line++
    if (copy) {
      const row = text.endsWith('\r') ? text.slice(0, -1) : text
      if (row === '\\.') copy = undefined
      else yield { kind: 'row', ...copy, cells: readCopyLine(row), where: `${file}:${line}` }
      continue
    }
    if (dialect !== 'mysql' && statements.isBetween && MYSQL.test(text)) {
      dialect = 'mysql'
      statements = new DumpStatements(true)
    }
    for (const statement of statements.take(text)) {
      const copied = COPY.exec(statement)
      if (copied) {
        copy = { table: bareName(copied[1] ?? ''), columns: namesIn(copied[2]) }
        continue
      }
      const inserted = INSERT.exec(statement)
      if (inserted) {
        const table = bareName(inserted[1] ?? '')
        const columns = namesIn(inserted[2])
        const where = `${file}:${line}`
        const text = statement.slice(inserted[0].length).replace(ON_CONFLICT, '')
        const tuples = readTuples(text, { escapes: dialect === 'mysql', where })
        let number = 0
        for (let tuple = tuples.next(); tuple.done !== true; ) {
          const next = tuples.next()
          const isOnly = ++number === 1 && next.done === true
          const own = isOnly ? where : `${where}, row ${number}`
          yield { kind: 'row', table, columns, cells: tuple.value, where: own }
          tuple = next
        }
      } else if (WRITES.test(statement)) {
        throw new TransferError(`The statement can't be read: ${statement.slice(0, 60)}…`, {
          where: `${file}:${line}`,
          fix: 'dump rows as COPY … FROM stdin or INSERT … VALUES, or take the statement out',
        })
      } else if (DEFINITION.test(statement)) {
        yield { kind: 'definition', text: statement, line, dialect }
      }
    }
    if (statements.heldCharacters > STATEMENT_MAX_CHARACTERS) {
      throw new TransferError('A statement does not end.', {
        where: `${file}:${line}`,
        fix: 'look for a quote that is not closed, or dump with shorter statements',
      })
    }
  }
}

function namesIn(text: string | undefined): readonly string[] | undefined {
  return text?.match(PARTS)?.map(bareName)
}

const PARTS = new RegExp(PART, 'g')

/** Without its schema and its quotes: `public."Users"` is `Users`. */
export function bareName(name: string): string {
  const last = name.match(PARTS)?.at(-1) ?? ''
  const [quote = ''] = last
  if (quote !== '"' && quote !== '`') return last
  return last.slice(1, -1).replaceAll(quote + quote, quote)
}
