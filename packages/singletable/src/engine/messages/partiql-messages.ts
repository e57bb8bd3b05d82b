import type { Position } from '../partiql/statement.ts'
import type { PlainProblem, StatementProblem } from '../partiql/statement-error.ts'
import { NUMBER_OVERFLOW, NUMBER_SET_DUPLICATES, NUMBER_UNDERFLOW } from './value-messages.ts'

/** Messages of ExecuteStatement, BatchExecuteStatement and ExecuteTransaction. */

const MALFORMED = "Statement wasn't well formed, can't be processed: "

export const KEY_EQUALITY_MISSING =
  'Where clause does not contain a mandatory equality on all key attributes'
export const EXISTS_OUTSIDE_TRANSACTION =
  'EXISTS can only be used in ExecuteTransaction write requests.'
export const NEXT_TOKEN_INVALID = 'Invalid NextToken'
export const NEXT_TOKEN_MISMATCH = 'NextToken does not match request'
export const ORDER_BY_WITHOUT_KEY =
  'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.'
export const BATCH_MIXED = 'Read and write requests together in the same batch is not supported.'
export const SELECT_SINGLE_ONLY = 'Only single item select is supported'
export const TRANSACTION_MIXED =
  'ExecuteTransaction API does not support both read and write operations in the same request.'
export const TRANSACTION_SELECT_KEY =
  'Select statements within ExecuteTransaction must specify the primary key in the where clause.'
export const TRANSACTION_SELECT_INDEX = 'Reads on indices are not supported within transactions.'
export const TRANSACTION_INDEX = 'Operations on indices are not supported in transactions'
export const TRANSACTION_RETURNING = 'RETURNING clause is not supported in ExecuteTransaction.'
export const EXISTS_NOT_SINGLE =
  'EXISTS() must contain a single item read with additional condition'

export function keyAttributeMissing(name: string): string {
  return `Key attribute should be present in the item: Key ${name}`
}
export function keyAttributeType(name: string): string {
  return `Key attribute's data type should match its data type in table's schema: Key ${name}`
}
export function keyConditionRepeated(name: string): string {
  return `Multiple conditions on same key ${name}. Only single item Update/Insert/Delete are supported`
}
export function orderByNotKey(name: string): string {
  return `Variable reference ${name} in ORDER BY clause must be part of the primary key`
}
/** AWS counts statements from 0 here. */
export function transactionStatement(position: number, reason: string): string {
  return `Validation failed in TransactStatements[${position}]: ${reason}`
}

const PLAIN: Readonly<Record<PlainProblem, string>> = {
  'not-data-manipulation': `${MALFORMED}Expected data manipulation`,
  'unsupported-insert': 'Unsupported operation: InsertOp',
  aliasing: 'Aliasing is not supported',
  'several-tables': 'Only select from a single table or index is supported.',
  'from-source': 'Unexpected from source',
  'from-list-index': 'Invalid list expression in source.',
  'from-path-too-long': 'A path may contain at most 2 components in the FROM clause',
  'insert-on-index':
    'FROM clause may only contain a single table name in data manipulation statements',
  'write-on-index': 'This operation is not supported on an index',
  'table-name':
    "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'.",
  'select-value': "Select projection doesn't support value or pivot keywords",
  'select-hierarchy': "Changing item's hierarchy while reading isn't supported",
  'path-component-empty': 'Path component cannot be an empty string',
  'bag-duplicates': NUMBER_SET_DUPLICATES,
  nesting: 'Nesting Levels have exceeded supported limits',
  'number-precision': 'DynamoDB only supports precision up to 38 digits',
  'number-overflow': NUMBER_OVERFLOW,
  'number-underflow': NUMBER_UNDERFLOW,
  'parameter-count': "Number of parameters in request and statement don't match.",
  'missing-compared': 'MISSING must be compared using IS operator',
  'where-not-boolean': 'WHERE clause must contain an expression that resolves to a boolean',
  'junction-operand': 'The arguments to AND/OR must be Expressions',
  'not-operand': 'The argument to NOT must be a Type or Expression',
  'in-operands':
    'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member',
  'is-operand': 'The left hand side argument to IS must be a Variable Reference, Literal, or Path',
  'returning-in-insert': 'RETURNING is not supported in INSERT',
  'returning-not-star': "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause",
  'returning-several': 'Invalid syntax with multiple returning elements in RETURNING clause',
  'order-by-without-where': 'Must have WHERE clause in the statement when using ORDER BY clause.',
}

/** AWS's text for a statement that can't be read, or that says what DynamoDB can't do. */
export function statementMessage(problem: StatementProblem): string {
  switch (problem.kind) {
    case 'malformed':
      return MALFORMED + problem.statement
    case 'unsupported-clause':
      return `Unsupported clause: ${problem.clause}${place(problem.at)}`
    case 'unsupported-token':
      return `Unsupported token in expression: ${problem.token}${place(problem.at)}`
    case 'select-duplicate':
      return `Duplicate identifiers in select clause: ${problem.name}`
    case 'path-component':
      return `Unexpected path component${place(problem.at)}`
    case 'list-index':
      return `List index is not within the allowable range; index: [${problem.index}]${place(problem.at)}`
    case 'item-format':
      return `Unsupported format in item expression. Please use struct format {...} to express item values for insert statement.${place(problem.at)}`
    case 'tuple-key-type':
      return `Tuple keys must be of type String. Actual type: ${problem.type} under root${place(problem.at)}`
    case 'tuple-key-duplicate':
      return `Duplicate keys in tuple. Key: ${problem.key} under root${place(problem.at)}`
    case 'data-type':
      return `Unsupported data type: ${problem.type} under key ${problem.key}${place(problem.at)}`
    case 'bag-empty':
      return `Empty bags are not supported${place(problem.at)}`
    case 'bag-element':
      return `Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags${place(problem.at)}`
    case 'is-type':
      return `Unsupported data type for IS operator: ${problem.type}. Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]${place(problem.at)}`
    case 'unknown-function':
      return `Unrecognized function: ${problem.name}`
    case 'operator':
      return `Unsupported operator in ${problem.place} Expression. Operator: ${problem.operator}`
    case 'set-function-count':
      return `${problem.name} must have exactly two arguments${place(problem.at)}`
    case 'set-function-target':
      return `The first argument to ${problem.name} must equal the assignment value`
    case 'set-function-value':
      return `The second argument to ${problem.name} must be a value with type SET${place(problem.at)}`
    case 'returning-in-delete':
      return `Invalid returning clause: ${problem.clause}. Only RETURNING ALL OLD * is allowed in DELETE statements.`
    case 'order-by-argument':
      return `Argument to ORDER BY must be of type VariableReference. Type: ${problem.type}`
    default:
      return PLAIN[problem.kind]
  }
}

function place(at: Position | undefined): string {
  return at === undefined ? '' : ` at ${at.line}:${at.column}:${at.length}`
}
