import type { Comparator, Path } from '../../expression/tree.ts'

/** Where a token is: line and column from 1, and its length, as AWS prints them (`1:8:5`). */
export interface Position {
  readonly line: number
  readonly column: number
  readonly length: number
}

/** Anything that can be where PartiQL's grammar has an expression. Numbers are kept as they were
 * written. */
export type Expression =
  | PathExpression
  | { readonly kind: 'string'; readonly value: string; readonly at: Position }
  | { readonly kind: 'number'; readonly text: string; readonly at: Position }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: Position }
  | { readonly kind: 'null'; readonly at: Position }
  | { readonly kind: 'missing'; readonly at: Position }
  | { readonly kind: 'parameter'; readonly index: number; readonly at: Position }
  | ListExpression
  | { readonly kind: 'bag'; readonly elements: readonly Expression[]; readonly at: Position }
  | StructExpression
  | CallExpression
  | OperatorExpression
  | JunctionExpression
  | { readonly kind: 'not'; readonly operand: Expression; readonly at: Position }
  | CompareExpression
  | InExpression
  | BetweenExpression
  | IsExpression
  /** Legal PartiQL that DynamoDB doesn't support, such as `CASE` or a query inside an
   * expression. */
  | { readonly kind: 'unsupported'; readonly token: string; readonly at: Position }

export interface PathExpression {
  readonly kind: 'path'
  readonly path: Path
  /** What can't be a step of a document path is found here, and refused when the path is used. */
  readonly problem?: PathProblem
  readonly at: Position
}
export type PathProblem =
  | { readonly kind: 'path-component'; readonly at: Position }
  | { readonly kind: 'path-component-empty' }
  | { readonly kind: 'list-index'; readonly index: string; readonly at: Position }
  | { readonly kind: 'select-hierarchy' }

export interface ListExpression {
  readonly kind: 'list'
  readonly elements: readonly Expression[]
  readonly at: Position
}
export interface StructExpression {
  readonly kind: 'struct'
  readonly members: readonly { readonly key: Expression; readonly value: Expression }[]
  readonly at: Position
}
export interface CallExpression {
  readonly kind: 'call'
  /** As written; functions are looked up in lower case. */
  readonly name: string
  readonly operands: readonly Expression[]
  readonly at: Position
}
/** Arithmetic, concatenation and LIKE: of these DynamoDB knows only `+` and `-` in an update. */
export interface OperatorExpression {
  readonly kind: 'operator'
  readonly operator: string
  readonly operands: readonly Expression[]
  readonly at: Position
}
export interface JunctionExpression {
  readonly kind: 'and' | 'or'
  readonly left: Expression
  readonly right: Expression
  readonly at: Position
}
export interface CompareExpression {
  readonly kind: 'compare'
  readonly operator: Comparator
  readonly left: Expression
  readonly right: Expression
  readonly at: Position
}
export interface InExpression {
  readonly kind: 'in'
  readonly operand: Expression
  readonly list: Expression
  readonly at: Position
}
export interface BetweenExpression {
  readonly kind: 'between'
  readonly operand: Expression
  readonly low: Expression
  readonly high: Expression
  readonly at: Position
}
export interface IsExpression {
  readonly kind: 'is'
  readonly operand: Expression
  /** The type's name in capitals, one word for its several spellings. */
  readonly type: string
  readonly at: Position
}

export interface Source {
  readonly table: string
  readonly index?: string
}

export type Returning =
  | { readonly scope: 'ALL'; readonly version: 'OLD' | 'NEW' }
  | { readonly scope: 'MODIFIED'; readonly version: 'OLD' | 'NEW' }

export interface OrderBy {
  readonly argument: Expression
  readonly descending: boolean
}

export interface SelectStatement {
  readonly kind: 'select'
  /** `all` for `*`. */
  readonly list: readonly Expression[] | 'all'
  readonly source: Source
  readonly where?: Expression
  readonly orderBy: readonly OrderBy[]
}
export interface InsertStatement {
  readonly kind: 'insert'
  readonly source: Source
  readonly value: Expression
}
export type UpdateClause =
  | { readonly kind: 'set'; readonly target: PathExpression; readonly value: Expression }
  | { readonly kind: 'remove'; readonly target: PathExpression }
export interface UpdateStatement {
  readonly kind: 'update'
  readonly source: Source
  readonly clauses: readonly UpdateClause[]
  readonly where?: Expression
  readonly returning?: Returning
}
export interface DeleteStatement {
  readonly kind: 'delete'
  readonly source: Source
  readonly where?: Expression
  readonly returning?: Returning
}
/** `EXISTS(SELECT …)`, the condition check of a transaction. */
export interface ExistsStatement {
  readonly kind: 'exists'
  readonly select: SelectStatement
}

export type Statement =
  | SelectStatement
  | InsertStatement
  | UpdateStatement
  | DeleteStatement
  | ExistsStatement
