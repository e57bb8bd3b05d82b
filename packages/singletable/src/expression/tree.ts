import type { AttributeValue } from '../values/attribute-value.ts'

/**
 * One tree for conditions, updates and projections. It holds real attribute names and values:
 * placeholders exist only in the text, `parse…` and `bind…` take them away, `print…` puts them in.
 */

/** Attribute names and list positions from the top of the item: `address.lines[0]` is `['address',
 * 'lines', 0]`. */
export type Path = readonly [string, ...(string | number)[]]

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>='

export interface PathOperand {
  readonly kind: 'path'
  readonly path: Path
}
export interface ValueOperand {
  readonly kind: 'value'
  readonly value: AttributeValue
}
export interface SizeOperand {
  readonly kind: 'size'
  readonly operand: Operand
}
export type Operand = PathOperand | ValueOperand | SizeOperand

export type Condition =
  | { readonly kind: 'and'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly condition: Condition }
  | {
      readonly kind: 'compare'
      readonly operator: Comparator
      readonly left: Operand
      readonly right: Operand
    }
  | {
      readonly kind: 'between'
      readonly operand: Operand
      readonly low: Operand
      readonly high: Operand
    }
  | { readonly kind: 'in'; readonly operand: Operand; readonly list: readonly Operand[] }
  | { readonly kind: 'exists'; readonly path: Path; readonly negated: boolean }
  | { readonly kind: 'attribute_type'; readonly operand: Operand; readonly type: Operand }
  | { readonly kind: 'begins_with'; readonly operand: Operand; readonly prefix: Operand }
  | { readonly kind: 'contains'; readonly operand: Operand; readonly search: Operand }

/** What is to the right of `SET path =`. */
export type UpdateValue =
  | PathOperand
  | ValueOperand
  | { readonly kind: 'if_not_exists'; readonly path: Path; readonly otherwise: UpdateValue }
  | { readonly kind: 'list_append'; readonly left: UpdateValue; readonly right: UpdateValue }
  | {
      readonly kind: 'arithmetic'
      readonly operator: '+' | '-'
      readonly left: UpdateValue
      readonly right: UpdateValue
    }

export interface Update {
  readonly set: readonly { readonly path: Path; readonly value: UpdateValue }[]
  readonly remove: readonly Path[]
  readonly add: readonly { readonly path: Path; readonly value: AttributeValue }[]
  readonly delete: readonly { readonly path: Path; readonly value: AttributeValue }[]
}

export type Projection = readonly Path[]
