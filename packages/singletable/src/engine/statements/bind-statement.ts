import { ExpressionError } from '../../expression/expression-error.ts'
import type { Condition, Update } from '../../expression/tree.ts'
import type { Item } from '../../values/attribute-value.ts'
import { ITEM_SIZE_MAX_BYTES } from '../../values/limits.ts'
import { itemSizeBytes } from '../../values/size.ts'
import type { ParameterizedStatement } from '../../wire/item-operations.ts'
import { normaliseValue } from '../attributes/normalise-value.ts'
import type { EngineContext } from '../context/context.ts'
import { TABLE_NAME_MAX_LENGTH, TABLE_NAME_MIN_LENGTH } from '../limits/table-limits.ts'
import { expressionMessage } from '../messages/expression-messages.ts'
import { statementMessage } from '../messages/partiql-messages.ts'
import { validationError } from '../messages/request-messages.ts'
import { ITEM_TOO_LARGE } from '../messages/value-messages.ts'
import type {
  Expression,
  InsertStatement,
  Returning,
  SelectStatement,
  Source,
  Statement,
} from '../partiql/statement.ts'
import { StatementError, type StatementProblem } from '../partiql/statement-error.ts'
import { NAME_PATTERN } from '../shapes/name-pattern.ts'
import { STATEMENT_LENGTH_MAX } from '../shapes/statement-shapes.ts'
import { bindUpdateClauses } from './bind-update-clauses.ts'
import { constantValue, type Parameters } from './bind-value.ts'
import { bindWhere } from './bind-where.ts'
import { structItem, typeName } from './literal-value.ts'
import { bindSelectList, type Column } from './select-list.ts'

/** A statement with its parameters in place, checked as far as possible without its table. */
export type BoundStatement = BoundSelect | BoundWrite

export interface BoundSelect {
  readonly kind: 'select'
  readonly source: Source
  /** Undefined for all attributes. */
  readonly columns: readonly Column[] | undefined
  readonly condition: Condition | undefined
  readonly orderBy: readonly { readonly name: string; readonly descending: boolean }[]
}

export type BoundWrite = {
  readonly source: Source
  readonly returning?: Returning | undefined
  readonly returnOldOnFailure: boolean
  /** What the statement adds to the size of a transaction. */
  readonly payloadBytes: number
} & (
  | { readonly kind: 'insert'; readonly item: Item; readonly sizeBytes: number }
  | { readonly kind: 'update'; readonly update: Update; readonly condition: Condition | undefined }
  | { readonly kind: 'delete' | 'exists'; readonly condition: Condition | undefined }
)

/** Parses and binds one statement of a request; refuses it with AWS's text. */
export function bindStatement(
  context: EngineContext,
  request: ParameterizedStatement,
  wording: (problem: StatementProblem) => string = statementMessage,
): BoundStatement {
  const given = request.Parameters ?? []
  const parameters = given.map((value) => normaliseValue(value))
  try {
    // A statement has no room for as many question marks.
    if (given.length > STATEMENT_LENGTH_MAX) throw new StatementError({ kind: 'parameter-count' })
    const statement = context.expressions.statement(request.Statement)
    return bindParsed(statement, parameters, request)
  } catch (error) {
    if (error instanceof StatementError) throw validationError(wording(error.problem))
    if (error instanceof ExpressionError) throw validationError(expressionMessage(error.problem))
    throw error
  }
}

function bindParsed(
  body: Statement,
  parameters: Parameters,
  request: ParameterizedStatement,
): BoundStatement {
  if (body.kind === 'select') return bindSelect(body, parameters)
  const common = {
    returnOldOnFailure: request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    payloadBytes: request.Statement.length + parametersSize(parameters),
  }
  switch (body.kind) {
    case 'insert': {
      checkTableName(body.source)
      if (body.source.index !== undefined) throw new StatementError({ kind: 'insert-on-index' })
      const item = bindItem(body, parameters)
      const sizeBytes = itemSizeBytes(item)
      if (sizeBytes > ITEM_SIZE_MAX_BYTES) throw validationError(ITEM_TOO_LARGE)
      return { ...common, kind: 'insert', source: body.source, item, sizeBytes }
    }
    case 'update': {
      checkWriteSource(body.source)
      const update = bindUpdateClauses(body.clauses, parameters)
      const condition = body.where && bindWhere(body.where, parameters)
      const { source, returning } = body
      return { ...common, kind: 'update', source, update, condition, returning }
    }
    case 'delete': {
      checkWriteSource(body.source)
      const condition = body.where && bindWhere(body.where, parameters)
      return {
        ...common,
        kind: 'delete',
        source: body.source,
        condition,
        returning: body.returning,
      }
    }
    case 'exists': {
      const { source, condition } = bindSelect(body.select, parameters)
      return { ...common, kind: 'exists', source, condition }
    }
  }
}

function bindSelect(select: SelectStatement, parameters: Parameters): BoundSelect {
  checkTableName(select.source)
  const columns = bindSelectList(select.list)
  const condition = select.where && bindWhere(select.where, parameters)
  if (select.orderBy.length > 0 && condition === undefined) {
    throw new StatementError({ kind: 'order-by-without-where' })
  }
  const orderBy = select.orderBy.map(({ argument, descending }) => ({
    name: orderByName(argument),
    descending,
  }))
  return { kind: 'select', source: select.source, columns, condition, orderBy }
}

function orderByName(argument: Expression): string {
  if (argument.kind === 'path' && argument.path.length === 1 && argument.problem === undefined) {
    return argument.path[0]
  }
  const type =
    argument.kind === 'path'
      ? 'PATH'
      : argument.kind === 'number'
        ? argument.text
        : typeName(argument)
  throw new StatementError({ kind: 'order-by-argument', type })
}

function bindItem({ value }: InsertStatement, parameters: Parameters): Item {
  if (value.kind !== 'struct') throw new StatementError({ kind: 'item-format', at: value.at })
  return structItem(value, (member) => {
    const constant = constantValue(member, parameters)
    if (constant !== undefined) return constant
    throw new StatementError({
      kind: 'data-type',
      type: writtenName(member),
      key: 'root',
      at: member.at,
    })
  })
}

/** At the top of an item AWS shows what was written rather than what kind of thing it is. */
function writtenName(expression: Expression): string {
  switch (expression.kind) {
    case 'path':
      return expression.path.length === 1 ? expression.path[0] : 'PATH'
    case 'call':
      return expression.name
    case 'operator':
    case 'compare':
      return expression.operator
    case 'missing':
      return 'MISSING'
    default:
      return expression.kind
  }
}

function checkTableName({ table }: Source): void {
  if (
    table.length < TABLE_NAME_MIN_LENGTH ||
    (table.length > TABLE_NAME_MAX_LENGTH && !table.startsWith('arn:')) ||
    (!NAME_PATTERN.test.test(table) && !table.startsWith('arn:'))
  ) {
    throw new StatementError({ kind: 'table-name' })
  }
}

function checkWriteSource(source: Source): void {
  checkTableName(source)
  if (source.index !== undefined) throw new StatementError({ kind: 'write-on-index' })
}

function parametersSize(parameters: Parameters): number {
  let bytes = 0
  for (const value of parameters) bytes += itemSizeBytes({ p: value })
  return bytes
}
