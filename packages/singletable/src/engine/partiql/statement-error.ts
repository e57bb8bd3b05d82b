import type { Position } from './statement.ts'

/** Everything that can be wrong with a statement before a table is looked at, as data; the message catalogue words it. */
export type StatementProblem =
  | { readonly kind: 'malformed'; readonly statement: string }
  | { readonly kind: 'not-data-manipulation' }
  | { readonly kind: 'unsupported-insert' }
  | { readonly kind: 'unsupported-clause'; readonly clause: string; readonly at?: Position }
  | { readonly kind: 'unsupported-token'; readonly token: string; readonly at?: Position }
  | { readonly kind: 'aliasing' }
  | { readonly kind: 'several-tables' }
  | { readonly kind: 'from-source' }
  | { readonly kind: 'from-list-index' }
  | { readonly kind: 'from-path-too-long' }
  | { readonly kind: 'insert-on-index' }
  | { readonly kind: 'write-on-index' }
  | { readonly kind: 'table-name' }
  | { readonly kind: 'select-value' }
  | { readonly kind: 'select-hierarchy' }
  | { readonly kind: 'select-duplicate'; readonly name: string }
  | { readonly kind: 'path-component'; readonly at: Position }
  | { readonly kind: 'path-component-empty' }
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
  | { readonly kind: 'bag-duplicates' }
  | { readonly kind: 'nesting' }
  | { readonly kind: 'number-precision' }
  | { readonly kind: 'number-overflow' }
  | { readonly kind: 'number-underflow' }
  | { readonly kind: 'parameter-count' }
  | { readonly kind: 'missing-compared' }
  | { readonly kind: 'where-not-boolean' }
  | { readonly kind: 'junction-operand' }
  | { readonly kind: 'not-operand' }
  | { readonly kind: 'in-operands' }
  | { readonly kind: 'is-operand' }
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
  | { readonly kind: 'returning-in-insert' }
  | { readonly kind: 'returning-in-delete'; readonly clause: string }
  | { readonly kind: 'returning-not-star' }
  | { readonly kind: 'returning-several' }
  | { readonly kind: 'order-by-without-where' }
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
