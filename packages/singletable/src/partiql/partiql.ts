import { contextOf, type TableLike } from '../builder/context-of.ts'
import { type Call, startCall } from '../execute/call.ts'
import { READ, type RequestKind, send, WITH_TOKEN } from '../execute/send.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { ParameterizedStatement } from '../wire/item-operations.ts'
import { explainRefusal } from './explain-refusal.ts'
import { encodeParameters, type Row, rowDecoder } from './row.ts'

/** What a call of statements takes. */
export interface StatementOptions extends CallOptions {
  /** Gives each row decoded by the model its type names; rows of no model stay as they are. */
  readonly entities?: boolean | undefined
  readonly consistentRead?: boolean | undefined
}

const OPTIONS = ['signal', 'deadlineMs', 'entities', 'consistentRead', 'pageSize', 'cursor']

export interface StatementPageOptions extends StatementOptions {
  /** The most items that are looked at for the page. */
  readonly pageSize?: number | undefined
  /** Where an earlier page ended. */
  readonly cursor?: string | undefined
}

export interface StatementPage<TRow> {
  readonly items: readonly TRow[]
  /** Where to continue; `undefined` if there is no more. */
  readonly cursor: string | undefined
}

/** A statement with what its question marks stand for. */
export interface Statement {
  readonly statement: string
  readonly parameters?: readonly unknown[] | undefined
}

/** What became of one statement of a batch. */
export type StatementResult<TRow> =
  | { readonly item: TRow | undefined; readonly error?: undefined }
  | {
      readonly item?: undefined
      /** AWS's own name and text. */
      readonly error: { readonly code: string; readonly message: string }
    }

/** PartiQL on a table. Types of rows are what the caller says: nothing checks them. */
export interface PartiQL {
  /** Runs a statement and gives all its rows. */
  execute<TRow = Row>(
    statement: string,
    parameters?: readonly unknown[],
    options?: StatementOptions,
  ): Promise<TRow[]>
  /** Runs a statement for one page of rows, which may be empty although there are more. */
  page<TRow = Row>(
    statement: string,
    parameters?: readonly unknown[],
    options?: StatementPageOptions,
  ): Promise<StatementPage<TRow>>
  /** The same as `page()`, by its earlier name. */
  executeWithPagination<TRow = Row>(
    statement: string,
    parameters?: readonly unknown[],
    options?: StatementPageOptions,
  ): Promise<StatementPage<TRow>>
  /** The rows one by one, page after page as they are needed. */
  iterate<TRow = Row>(
    statement: string,
    parameters?: readonly unknown[],
    options?: StatementPageOptions,
  ): AsyncGenerator<TRow, void, undefined>
  /** Runs up to 25 statements, all reads or all writes, each by itself; results are in their
   * order. */
  batch<TRow = Row>(
    statements: readonly Statement[],
    options?: StatementOptions,
  ): Promise<StatementResult<TRow>[]>
  /** Runs up to 100 statements, all reads or all writes, as one transaction. */
  transaction<TRow = Row>(
    statements: readonly Statement[],
    options?: StatementOptions,
  ): Promise<(TRow | undefined)[]>
}

const TOKEN_BYTES = 16
const UPDATE: RequestKind = { write: true, idempotent: false }

/**
 * Statements in PartiQL, for what builders don't say: they go past models, keys made from
 * templates, and everything that writes keep right.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk' } },
 *   models: {
 *     User: {
 *       key: { pk: 'USER#${name}' },
 *       attributes: { name: { type: String, required: true }, age: { type: Number } },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'Users', schema, client: createEngine() })
 * await table.create()
 * await table.entities.User.put({ name: 'alice', age: 30 })
 * const statement = 'SELECT name, age FROM "Users" WHERE pk = ?'
 * await partiql(table).execute<{ name: string; age: number }>(statement, ['USER#alice']) // => [{ name: 'alice', age: 30 }]
 */
export function partiql(table: TableLike<SchemaDefinition>): PartiQL {
  const context = contextOf(table, 'partiql()')
  const begin = (verb: string, options: StatementOptions): Call =>
    startCall(context, `partiql.${verb}`, undefined, options, OPTIONS)

  const page = async <TRow>(
    call: Call,
    { statement, parameters }: Statement,
    options: StatementPageOptions,
  ): Promise<StatementPage<TRow>> => {
    const { pageSize, cursor } = options
    const request = {
      ...compile({ statement, parameters }, options, call.place),
      ...(pageSize !== undefined && { Limit: pageSize }),
      ...(cursor !== undefined && { NextToken: cursor }),
    }
    const kind = kindOf([statement], UPDATE)
    const { Items = [], NextToken } = await explainRefusal(call, () =>
      send(context, call, 'ExecuteStatement', request, kind),
    )
    const decode = rowDecoder(context, options.entities)
    // The caller says what the rows are.
    return { items: Items.map(decode) as TRow[], cursor: NextToken }
  }

  async function* iterate<TRow>(
    call: Call,
    statement: Statement,
    options: StatementPageOptions,
  ): AsyncGenerator<TRow, void, undefined> {
    let { cursor } = options
    do {
      const found = await page<TRow>(call, statement, { ...options, cursor })
      yield* found.items
      cursor = found.cursor
    } while (cursor !== undefined)
  }

  const onePage: PartiQL['page'] = async (statement, parameters, options = {}) =>
    page(begin('page', options), { statement, parameters }, options)

  return {
    page: onePage,
    executeWithPagination: onePage,
    async execute<TRow>(
      statement: string,
      parameters?: readonly unknown[],
      options: StatementOptions = {},
    ) {
      const rows: TRow[] = []
      const all = iterate<TRow>(begin('execute', options), { statement, parameters }, options)
      for await (const row of all) rows.push(row)
      return rows
    },
    iterate: (statement, parameters, options = {}) =>
      iterate(begin('iterate', options), { statement, parameters }, options),
    async batch<TRow>(statements: readonly Statement[], options: StatementOptions = {}) {
      const call = begin('batch', options)
      const Statements = statements.map((each) => compile(each, options, call.place))
      const kind = kindOf(
        Statements.map(({ Statement }) => Statement),
        UPDATE,
      )
      const decode = rowDecoder(context, options.entities)
      const answer = await explainRefusal(call, () =>
        send(context, call, 'BatchExecuteStatement', { Statements }, kind),
      )
      return answer.Responses.map(({ Item, Error: error }): StatementResult<TRow> => {
        if (error) return { error: { code: error.Code, message: error.Message } }
        // As above.
        return { item: Item && (decode(Item) as TRow) }
      })
    },
    async transaction<TRow>(statements: readonly Statement[], options: StatementOptions = {}) {
      const call = begin('transaction', options)
      const TransactStatements = statements.map((each) => compile(each, {}, call.place))
      const kind = kindOf(
        TransactStatements.map(({ Statement }) => Statement),
        WITH_TOKEN,
      )
      const token = context.environment.randomBytes(TOKEN_BYTES)
      const ClientRequestToken = [...token]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join('')
      const request = { TransactStatements, ...(kind.write && { ClientRequestToken }) }
      const answer = await explainRefusal(call, () =>
        send(context, call, 'ExecuteTransaction', request, kind),
      )
      const decode = rowDecoder(context, options.entities)
      // As above.
      return (answer.Responses ?? []).map(({ Item }) => Item && (decode(Item) as TRow))
    },
  }
}

function compile(
  { statement, parameters = [] }: Statement,
  { consistentRead }: StatementOptions,
  place: string,
): ParameterizedStatement {
  if (typeof statement !== 'string' || statement === '') {
    refuseInput([{ path: ['statement'], message: 'is not a string' }], place, 'give a statement')
  }
  const encoded = encodeParameters(parameters, place)
  return {
    Statement: statement,
    ...(encoded.length > 0 && { Parameters: encoded }),
    ...(consistentRead !== undefined && { ConsistentRead: consistentRead }),
  }
}

/** Reads can be sent again whatever happens. DynamoDB refuses requests that both read and write. */
function kindOf(statements: readonly string[], write: RequestKind): RequestKind {
  return statements.every((text) => /^\s*SELECT\b/i.test(text)) ? READ : write
}
