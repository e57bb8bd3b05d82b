import { base64Text } from '../values/base64.ts'
import type { Environment } from '../values/environment.ts'
import type { OperationName } from '../wire/operations.ts'

/** The members of requests that say whether they may be repeated. */
interface Repeatable {
  readonly ClientRequestToken?: string
  readonly ConditionExpression?: string
  readonly Expected?: unknown
  readonly Statement?: string
  readonly Statements?: readonly { readonly Statement?: string }[]
}

const READS = /^(Get|BatchGet|TransactGet|Describe|List)|^(Query|Scan)$/
const SELECTS = /^\s*select\b/i

/**
 * Whether a request can be sent twice with the effect of once. A condition is in the way: the
 * second attempt would find what the first one did, and fail. Updates may count up.
 */
export function canRepeat(operation: OperationName, request: object): boolean {
  // Requests are a union of shapes; these members mean the same in all that have them.
  const { ClientRequestToken, ConditionExpression, Expected, Statement, Statements } =
    request as Repeatable
  switch (operation) {
    case 'PutItem':
    case 'DeleteItem':
      return ConditionExpression === undefined && Expected === undefined
    case 'BatchWriteItem':
      return true
    case 'TransactWriteItems':
    case 'ExecuteTransaction':
      return ClientRequestToken !== undefined
    case 'ExecuteStatement':
      return SELECTS.test(Statement ?? '')
    case 'BatchExecuteStatement':
      return Statements?.every((each) => SELECTS.test(each.Statement ?? '')) ?? false
    default:
      return isRead(operation)
  }
}

export function isRead(operation: OperationName): boolean {
  return READS.test(operation)
}

/** The request with a token where one makes repetitions harmless; the SDK adds it as well. */
export function withToken<TRequest extends object>(
  operation: OperationName,
  request: TRequest,
  environment: Environment,
): TRequest {
  if (operation !== 'TransactWriteItems' && operation !== 'ExecuteTransaction') return request
  if ((request as Repeatable).ClientRequestToken !== undefined) return request
  const token = base64Text(environment.randomBytes(18)).replaceAll('+', '-').replaceAll('/', '_')
  return { ...request, ClientRequestToken: token }
}
