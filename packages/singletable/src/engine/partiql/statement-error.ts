import type { Position } from './statement.ts'

/** Problems of which there is nothing more to say than which it is. */
export type PlainProblem =
  | 'not-data-manipulation'
  | 'unsupported-insert'
  | 'aliasing'
  | 'several-tables'
  | 'from-source'
  | 'from-list-index'
  | 'from-path-too-long'
  | 'insert-on-index'
  | 'write-on-index'
  | 'table-name'
  | 'select-value'
  | 'select-hierarchy'
  | 'path-component-empty'
  | 'bag-duplicates'
  | 'nesting'
  | 'number-precision'
  | 'number-overflow'
  | 'number-underflow'
  | 'parameter-count'
  | 'missing-compared'
  | 'where-not-boolean'
  | 'junction-operand'
  | 'not-operand'
  | 'in-operands'
  | 'is-operand'
  | 'returning-in-insert'
  | 'returning-not-star'
  | 'returning-several'
  | 'order-by-without-where'

/** Everything that can be wrong with a statement before a table is looked at, as data; the message
 * catalogue words it. */
export type StatementProblem =
  | { readonly kind: PlainProblem }
  | { readonly kind: 'malformed'; readonly statement: string }
  | { readonly kind: 'unsupported-clause'; readonly clause: string; readonly at?: Position }
  | { readonly kind: 'unsupported-token'; readonly token: string; readonly at?: Position }
  | { readonly kind: 'select-duplicate'; readonly name: string }
  | { readonly kind: 'path-component'; readonly at: Position }
  | { readonly kind: 'list-index'; readonly index: string; readonly at: Position }
  | { readonly kind: 'item-format'; readonly at: Position }
  | { readonly kind: 'tuple-key-type'; readonly type: string; readonly at: Position }
  | { readonly kind: 'tuple-key-duplicate'; readonly key: string; readonly at: Position }
  | {
      readonly kind: 'data-type'
      readonly type: string
      readonly key: string
      readonly at: Position
    }
  | { readonly kind: 'bag-empty'; readonly at: Position }
  | { readonly kind: 'bag-element'; readonly at: Position }
  | { readonly kind: 'is-type'; readonly type: string; readonly at: Position }
  | { readonly kind: 'unknown-function'; readonly name: string }
  | {
      readonly kind: 'operator'
      readonly place: 'Condition' | 'Update'
      readonly operator: string
    }
  | { readonly kind: 'set-function-count'; readonly name: string; readonly at: Position }
  | { readonly kind: 'set-function-target'; readonly name: string }
  | { readonly kind: 'set-function-value'; readonly name: string; readonly at: Position }
  | { readonly kind: 'returning-in-delete'; readonly clause: string }
  | { readonly kind: 'order-by-argument'; readonly type: string }

/** Thrown while a statement is read and bound; `problem` says what is wrong. */
export class StatementError extends Error {
  override readonly name: string = 'StatementError'
  readonly problem: StatementProblem

  constructor(problem: StatementProblem) {
    super(`invalid statement: ${problem.kind}`)
    this.problem = problem
  }
}
