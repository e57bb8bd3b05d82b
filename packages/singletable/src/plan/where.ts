import type { Comparator } from '../expression/tree.ts'

/** As DynamoDB writes them, but for one. */
export type Operator =
  | Comparator
  | 'BETWEEN'
  | 'IN'
  | 'begins_with'
  | 'contains'
  /** Equality of strings that ignores case. Not DynamoDB's: only a key with `:lower` answers it. */
  | 'ignore_case'
  | 'attribute_exists'
  | 'attribute_not_exists'
  | 'attribute_type'
  | 'AND'
  | 'OR'
  | 'NOT'

/**
 * A condition as the caller wrote it: references to attributes and plain JavaScript values, nothing
 * encoded yet.
 */
export interface Where {
  readonly operator: Operator
  /**
   * Conditions of `AND`, `OR` and `NOT`; of all others a reference, and what it is compared with:
   * values and other references.
   */
  readonly operands: readonly unknown[]
  /** Operators in it, as DynamoDB counts them. */
  readonly count: number
}
