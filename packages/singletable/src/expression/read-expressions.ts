import type { AttributeValue } from '../values/attribute-value.ts'
import { bindCondition } from './bind-condition.ts'
import { bindUpdate } from './bind-update.ts'
import { parseCondition } from './parse-condition.ts'
import { parseUpdate } from './parse-update.ts'
import { Placeholders } from './placeholders.ts'
import type { Condition, Update } from './tree.ts'

/** The members of requests that have expressions. */
interface Expressions {
  readonly KeyConditionExpression?: string
  readonly FilterExpression?: string
  readonly UpdateExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>
}

/** What a request asks, whoever made it. Throws an `ExpressionError` for what DynamoDB would
 * refuse. */
export function readExpressions(request: object): {
  readonly key: Condition | undefined
  readonly filter: Condition | undefined
  readonly update: Update | undefined
} {
  // Only these members are read, and each request has some of them.
  const expressions = request as Expressions
  const placeholders = new Placeholders({
    names: expressions.ExpressionAttributeNames,
    values: expressions.ExpressionAttributeValues,
  })
  const condition = (text: string | undefined): Condition | undefined =>
    text === undefined ? undefined : bindCondition(parseCondition(text), placeholders)
  const { UpdateExpression: update } = expressions
  return {
    key: condition(expressions.KeyConditionExpression),
    filter: condition(expressions.FilterExpression),
    update: update === undefined ? undefined : bindUpdate(parseUpdate(update), placeholders),
  }
}
