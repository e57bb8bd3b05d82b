import type { AttributeValue, TypeTag } from '../values/attribute-value.ts'
import type { Path } from './tree.ts'

export type UpdateSection = 'SET' | 'REMOVE' | 'ADD' | 'DELETE'

/**
 * Everything that can be wrong in an expression, as data. Whoever reports it words it: the engine
 * with AWS's messages, the library with its own.
 */
export type ExpressionProblem =
  | { readonly kind: 'empty' }
  /** `size` is absent where DynamoDB doesn't report it: in updates and projections, and where
   * placeholders make it too large. */
  | { readonly kind: 'too-large'; readonly size?: number }
  | { readonly kind: 'syntax'; readonly token: string; readonly near: string }
  | { readonly kind: 'redundant-parentheses' }
  | { readonly kind: 'unknown-function'; readonly name: string }
  /** The function exists and may be in such an expression, but not in this place. */
  | { readonly kind: 'misused-function'; readonly name: string }
  /** The function exists, but only in the other kind of expression. */
  | {
      readonly kind: 'foreign-function'
      readonly name: string
      readonly expression: 'condition' | 'update'
    }
  | { readonly kind: 'reserved-word'; readonly word: string }
  | { readonly kind: 'list-index'; readonly index: string }
  | { readonly kind: 'section-repeated'; readonly section: UpdateSection }
  | { readonly kind: 'path-too-deep'; readonly depth: number }
  | { readonly kind: 'undefined-name'; readonly name: string }
  | { readonly kind: 'undefined-value'; readonly name: string }
  | { readonly kind: 'operand-count'; readonly operator: string; readonly count: number }
  | { readonly kind: 'list-operand-count'; readonly count: number }
  | { readonly kind: 'path-required'; readonly operator: string }
  | { readonly kind: 'same-operands'; readonly operator: string; readonly path: Path }
  /** A path, where only a value can be judged before an item is read, has the type `any`. */
  | { readonly kind: 'operand-type'; readonly operator: string; readonly type: TypeTag | 'any' }
  | {
      readonly kind: 'action-operand-type'
      readonly action: 'ADD' | 'DELETE'
      readonly type: TypeTag
    }
  | { readonly kind: 'attribute-type-name'; readonly name: string }
  | { readonly kind: 'bounds-types'; readonly low: AttributeValue; readonly high: AttributeValue }
  | { readonly kind: 'bounds-order'; readonly low: AttributeValue; readonly high: AttributeValue }
  | { readonly kind: 'paths-overlap'; readonly one: Path; readonly two: Path }
  | { readonly kind: 'paths-conflict'; readonly one: Path; readonly two: Path }
  | { readonly kind: 'too-many-operators'; readonly count: number }

/** Thrown by parsing and binding; `problem` says what is wrong. */
export class ExpressionError extends Error {
  override readonly name: string = 'ExpressionError'
  readonly problem: ExpressionProblem

  constructor(problem: ExpressionProblem) {
    super(`invalid expression: ${problem.kind}`)
    this.problem = problem
  }
}
