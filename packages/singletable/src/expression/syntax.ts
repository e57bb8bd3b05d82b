import type { Comparator, PathOperand } from './tree.ts'

/**
 * What the text of an expression says, before its placeholders are known. One text is parsed once;
 * binding then makes the tree for each request.
 */

export interface PathSyntax {
  readonly kind: 'path'
  /** A string that begins with `#` is a placeholder: no bare name can begin so. */
  readonly components: readonly (string | number)[]
  /** The operand itself if the path has no placeholder, so that binding need not make it again. */
  readonly bound: PathOperand | undefined
}

export interface ValueSyntax {
  readonly kind: 'value'
  /** With its colon. */
  readonly placeholder: string
}

export interface CallSyntax {
  readonly kind: 'call'
  readonly name: string
  /** Which token of the expression the name is: of several problems the first in the text is
   * reported. */
  readonly at: number
  readonly arguments: readonly OperandSyntax[]
}

export type OperandSyntax = PathSyntax | ValueSyntax | CallSyntax

export type ConditionNode =
  | { readonly kind: 'and' | 'or'; readonly left: ConditionNode; readonly right: ConditionNode }
  | { readonly kind: 'not'; readonly condition: ConditionNode }
  | {
      readonly kind: 'compare'
      readonly operator: Comparator
      readonly left: OperandSyntax
      readonly right: OperandSyntax
    }
  | {
      readonly kind: 'between'
      readonly operand: OperandSyntax
      readonly low: OperandSyntax
      readonly high: OperandSyntax
    }
  | {
      readonly kind: 'in'
      readonly operand: OperandSyntax
      readonly list: readonly OperandSyntax[]
    }
  | CallSyntax

export interface ConditionSyntax {
  readonly root: ConditionNode
  /** Counted here, refused by binding: DynamoDB reports every other problem first. */
  readonly operators: number
}

export interface ArithmeticSyntax {
  readonly kind: 'arithmetic'
  readonly operator: '+' | '-'
  readonly left: OperandSyntax
  readonly right: OperandSyntax
}

export type UpdateValueSyntax = OperandSyntax | ArithmeticSyntax

export type UpdateAction =
  | { readonly section: 'SET'; readonly path: PathSyntax; readonly value: UpdateValueSyntax }
  | { readonly section: 'REMOVE'; readonly path: PathSyntax }
  | { readonly section: 'ADD' | 'DELETE'; readonly path: PathSyntax; readonly value: ValueSyntax }

export interface UpdateSyntax {
  /** All sections in the order of the text, because problems are searched for from its end. */
  readonly actions: readonly UpdateAction[]
  readonly operators: number
}

export interface ProjectionSyntax {
  readonly paths: readonly PathSyntax[]
}
