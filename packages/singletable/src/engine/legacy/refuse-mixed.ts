import { type ExpressionParameter, mixedParameters } from '../messages/expression-messages.ts'
import { validationError } from '../messages/request-messages.ts'

/** The members of any request that belong to one of the two languages. */
export interface MixableRequest {
  readonly AttributesToGet?: readonly string[]
  readonly AttributeUpdates?: object
  readonly Expected?: object
  readonly QueryFilter?: object
  readonly ScanFilter?: object
  readonly ConditionalOperator?: string
  readonly KeyConditions?: object
  readonly ProjectionExpression?: string
  readonly UpdateExpression?: string
  readonly FilterExpression?: string
  readonly ConditionExpression?: string
  readonly KeyConditionExpression?: string
}

/** In the order in which AWS names them. */
const LEGACY_PARAMETERS = [
  'AttributesToGet',
  'AttributeUpdates',
  'Expected',
  'QueryFilter',
  'ScanFilter',
  'ConditionalOperator',
  'KeyConditions',
] as const

const EXPRESSION_PARAMETERS = [
  'ProjectionExpression',
  'UpdateExpression',
  'FilterExpression',
  'ConditionExpression',
  'KeyConditionExpression',
] as const satisfies readonly ExpressionParameter[]

/**
 * Refuses a request that uses expressions and the parameters they replaced. An empty map counts as
 * absent. KeyConditions may be combined with a FilterExpression and a ProjectionExpression: these
 * are older than the KeyConditionExpression.
 */
export function refuseMixed(request: MixableRequest): void {
  if (!usesLegacy(request)) return
  const expressions = EXPRESSION_PARAMETERS.filter((name) => request[name] !== undefined)
  if (expressions.length === 0) return
  const legacy = LEGACY_PARAMETERS.filter(
    (name) =>
      isPresent(request[name]) &&
      (name !== 'KeyConditions' || request.KeyConditionExpression !== undefined),
  )
  if (legacy.length > 0) throw validationError(mixedParameters(legacy, expressions))
}

/** Nearly every request uses none, and shall not pay for the lists. */
function usesLegacy(request: MixableRequest): boolean {
  return (
    request.AttributesToGet !== undefined ||
    request.AttributeUpdates !== undefined ||
    request.Expected !== undefined ||
    request.QueryFilter !== undefined ||
    request.ScanFilter !== undefined ||
    request.ConditionalOperator !== undefined ||
    request.KeyConditions !== undefined
  )
}

function isPresent(member: MixableRequest[(typeof LEGACY_PARAMETERS)[number]]): boolean {
  if (member === undefined) return false
  return typeof member === 'string' || Object.keys(member).length > 0
}
