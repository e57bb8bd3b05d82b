import { TransferError } from '../transfer/transfer-error.ts'
import { unescapeMysql } from './dump-literals.ts'
import type { DumpPart } from './read-dump.ts'
import type { Column, ColumnKind, ForeignKey, SourceTable } from './row.ts'

/**
 * A table while the definitions of a dump are read. Columns that are generated are left out: dumps
 * have no values for them.
 */
interface TableDraft {
  readonly name: string
  readonly columns: Column[]
  primaryKey: readonly string[]
  readonly unique: (readonly string[])[]
  readonly foreignKeys: ForeignKey[]
}

/** Gathers the tables that the statements of a dump define. */
export class SqlTables {
  readonly #tables = new Map<string, TableDraft>()
  readonly #enums = new Map<string, readonly string[]>()

  get tables(): ReadonlyMap<string, SourceTable> {
    return this.#tables
  }

  async define(
    { text, line, dialect }: Extract<DumpPart, { readonly kind: 'definition' }>,
    file: string,
  ): Promise<void> {
    try {
      if (dialect === 'mysql') await this.#defineMysql(text, `${file}:${line}`)
      else await this.#definePostgres(text, `${file}:${line}`)
    } catch (cause) {
      if (cause instanceof TransferError) throw cause
      // Owners, sequences and the like: what follows from them is not needed.
      if (!/^CREATE\s+(UNLOGGED\s+)?TABLE/i.test(text)) return
      const [message = ''] = cause instanceof Error ? cause.message.split('\n') : []
      throw new TransferError(`The definition of a table can't be read: ${message}`, {
        where: `${file}:${line}`,
        fix: 'take out of the definition what the message names, or dump without it',
        cause,
      })
    }
  }

  /** A table that is defined; rows of two tables with one name would be taken for those of one. */
  #create(name: string, where: string): TableDraft {
    const table = this.#table(name)
    if (table.columns.length === 0) return table
    throw new TransferError(`The dump has two tables called "${name}".`, {
      where,
      fix: 'dump one schema alone, as with pg_dump --schema, or rename one of them',
    })
  }

  #table(name: string): TableDraft {
    const known = this.#tables.get(name)
    if (known) return known
    const draft = { name, columns: [], primaryKey: [], unique: [], foreignKeys: [] }
    this.#tables.set(name, draft)
    return draft
  }

  async #definePostgres(text: string, where: string): Promise<void> {
    const { parse } = (await import('pgsql-ast-parser')).default
    for (const statement of parse(text.replace(CHECKED_LATER, ''))) {
      if (statement.type === 'create enum') {
        this.#enums.set(
          statement.name.name,
          statement.values.map(({ value }) => value),
        )
      } else if (statement.type === 'create table') {
        const table = this.#create(statement.name.name, where)
        for (const column of statement.columns) {
          if (column.kind !== 'column') continue
          const { name } = column.name
          const rules = column.constraints ?? []
          const isGenerated = rules.some((rule) => 'expression' in rule && 'always' in rule)
          if (isGenerated) continue
          const type = column.dataType
          const typeName = type.kind === 'array' ? 'array' : type.name
          const values = this.#enums.get(typeName)
          table.columns.push({
            name,
            kind: kindOf(typeName),
            isRequired: rules.some(
              (rule) => rule.type === 'not null' || rule.type === 'primary key',
            ),
            ...(values && { values }),
          })
          for (const rule of rules) {
            if (rule.type === 'primary key') table.primaryKey = [name]
            else if (rule.type === 'unique') table.unique.push([name])
            else if (rule.type === 'reference') {
              const references = rule.foreignColumns.map((each) => each.name)
              table.foreignKeys.push({ columns: [name], table: rule.foreignTable.name, references })
            }
          }
        }
        for (const rule of statement.constraints ?? []) this.#constrain(table, rule)
      } else if (statement.type === 'alter table') {
        for (const change of statement.changes) {
          if (change.type === 'add constraint')
            this.#constrain(this.#table(statement.table.name), change.constraint)
        }
      } else if (statement.type === 'create index' && statement.unique && !statement.where) {
        const columns = statement.expressions.flatMap(({ expression }) =>
          expression.type === 'ref' ? [expression.name] : [],
        )
        if (columns.length === statement.expressions.length)
          this.#table(statement.table.name).unique.push(columns)
      }
    }
  }

  #constrain(
    table: TableDraft,
    rule: {
      readonly type: string
      readonly columns?: readonly { readonly name: string }[]
      readonly localColumns?: readonly { readonly name: string }[]
      readonly foreignTable?: { readonly name: string }
      readonly foreignColumns?: readonly { readonly name: string }[]
    },
  ): void {
    const names = (list: readonly { readonly name: string }[] = []) => list.map(({ name }) => name)
    if (rule.type === 'primary key') table.primaryKey = names(rule.columns)
    else if (rule.type === 'unique') table.unique.push(names(rule.columns))
    else if (rule.type === 'foreign key') {
      table.foreignKeys.push({
        columns: names(rule.localColumns),
        table: rule.foreignTable?.name ?? '',
        references: names(rule.foreignColumns),
      })
    }
  }

  async #defineMysql(text: string, where: string): Promise<void> {
    if (!/^CREATE\s+TABLE/i.test(text)) return
    const { Parser } = await loadMysqlParser()
    const parsed = new Parser().astify(text.replaceAll(CHARACTER_SET, ''))
    for (const { table: names, create_definitions: definitions = [] } of [
      parsed,
    ].flat() as MysqlTable[]) {
      const table = this.#create(names?.[0]?.table ?? '', where)
      for (const each of definitions) {
        const columns = listOf(each.definition).map(({ column }) => column ?? '')
        if (each.resource === 'column') {
          if (each.generated) continue
          const { dataType = '', length, suffix, expr } = Object(each.definition) as MysqlType
          const name = each.column?.column ?? ''
          const values = expr?.value.map(({ value }) => unescapeMysql(value.replaceAll("''", "'")))
          table.columns.push({
            name,
            // MySQL has no other booleans.
            kind:
              /^(TINYINT|BIT)$/.test(dataType) && length === 1
                ? 'boolean'
                : kindOf(`${dataType} ${suffix?.join(' ') ?? ''}`),
            isRequired: each.nullable?.type === 'not null',
            ...(values && dataType === 'ENUM' && { values }),
          })
          if (each.primary_key) table.primaryKey = [name]
          if (each.unique) table.unique.push([name])
          if (each.reference_definition)
            table.foreignKeys.push(referenceOf([name], each.reference_definition))
        } else if (each.resource === 'constraint') {
          const type = each.constraint_type?.toLowerCase() ?? ''
          if (type === 'primary key') table.primaryKey = columns
          else if (type.startsWith('unique')) table.unique.push(columns)
          else if (type === 'foreign key' && each.reference_definition)
            table.foreignKeys.push(referenceOf(columns, each.reference_definition))
        }
      }
    }
  }
}

/** When a constraint is checked, which the parser does not know. */
const CHECKED_LATER =
  /(?:\s+(?:NOT\s+)?DEFERRABLE|\s+INITIALLY\s+(?:DEFERRED|IMMEDIATE)|\s+NOT\s+VALID)+\s*$/i
/** What MySQL writes before strings in expressions, and the parser does not know in all places. */
const CHARACTER_SET = /\b_(?:utf8(?:mb[34])?|latin1|ascii)\s*(?=')/g

/** The parts of the parser's result that are used; it has no types for them. */
interface MysqlTable {
  readonly table?: readonly { readonly table: string }[]
  readonly create_definitions?: readonly {
    readonly resource: string
    readonly column?: { readonly column: string }
    readonly definition?: unknown
    readonly generated?: unknown
    readonly nullable?: { readonly type: string }
    readonly primary_key?: unknown
    readonly unique?: unknown
    readonly constraint_type?: string
    readonly reference_definition?: MysqlReference
  }[]
}
interface MysqlReference {
  readonly table: readonly { readonly table: string }[]
  readonly definition: unknown
}
interface MysqlType {
  readonly dataType?: string
  readonly length?: number
  readonly suffix?: readonly string[] | null
  readonly expr?: { readonly value: readonly { readonly value: string }[] }
}

function listOf(value: unknown): readonly { readonly column?: string }[] {
  return Array.isArray(value) ? value : []
}

function referenceOf(
  columns: readonly string[],
  { table, definition }: MysqlReference,
): ForeignKey {
  const references = listOf(definition).map(({ column }) => column ?? '')
  return { columns, table: table[0]?.table ?? '', references }
}

async function loadMysqlParser(): Promise<{ Parser: new () => { astify(text: string): unknown } }> {
  try {
    return (await import('node-sql-parser/build/mysql.js')).default
  } catch (cause) {
    throw new TransferError('Dumps of MySQL need the package node-sql-parser.', {
      where: 'import',
      fix: 'npm install --save-dev node-sql-parser',
      cause,
    })
  }
}

const KINDS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/array|\[\]/, 'list'],
  [/bool/, 'boolean'],
  [/bigint|int8|bigserial|int unsigned/, 'bigint'],
  [/\bint|serial|year/, 'integer'],
  [/smallint|mediumint|tinyint/, 'integer'],
  [/numeric|decimal|money/, 'decimal'],
  [/float|double|real/, 'float'],
  [/timestamp|datetime/, 'time'],
  [/bytea|blob|binary/, 'binary'],
  [/json/, 'json'],
]

/** By the name of a type of PostgreSQL or MySQL. Days and times of day stay as they are written. */
export function kindOf(type: string): ColumnKind {
  const text = type.toLowerCase()
  return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'text'
}
