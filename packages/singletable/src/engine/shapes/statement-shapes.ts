import { returnValuesOnConditionCheckFailure } from './item-shapes.ts'
import { attributeValue, boolean, list, type MemberDefinitions, text } from './shape.ts'

export const STATEMENT_LENGTH_MAX = 8192

/** One statement with its parameters, alone or as a member of a batch or a transaction. */
export const parameterizedStatementMembers: MemberDefinitions = {
  Statement: { required: text({ lengthMin: 1, lengthMax: STATEMENT_LENGTH_MAX }) },
  Parameters: list(attributeValue, { lengthMin: 1, readMax: STATEMENT_LENGTH_MAX + 1 }),
  ConsistentRead: boolean,
  ReturnValuesOnConditionCheckFailure: returnValuesOnConditionCheckFailure,
}
