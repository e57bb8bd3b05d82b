import type { AttributeValue } from '../../values/attribute-value.ts'
import type { Expression, PathExpression } from '../partiql/statement.ts'
import { StatementError } from '../partiql/statement-error.ts'
import { literalValue } from './literal-value.ts'

/** The values of a request's `Parameters`, already checked and in canonical form. */
export type Parameters = readonly AttributeValue[]

/** What a literal or a `?` stands for, or undefined for any other expression. */
export function constantValue(
  expression: Expression,
  parameters: Parameters,
): AttributeValue | undefined {
  if (expression.kind === 'parameter') {
    const value = parameters[expression.index]
    if (value === undefined) throw new StatementError({ kind: 'parameter-count' })
    return value
  }
  return literalValue(expression)
}

/** A path that DynamoDB can follow. */
export function usablePath(expression: PathExpression): PathExpression['path'] {
  if (expression.problem !== undefined) throw new StatementError(expression.problem)
  return expression.path
}

/** An expression that can't be in a condition or update, by its operator if it has one. */
export function operatorError(
  place: 'Condition' | 'Update',
  expression: Expression,
): StatementError {
  const operator = 'operator' in expression ? expression.operator : expression.kind
  return new StatementError({ kind: 'operator', place, operator })
}
