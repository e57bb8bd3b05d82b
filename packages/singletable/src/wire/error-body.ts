import type { ServiceError } from './service-error.ts'

const NAMESPACE_SERVICE = 'com.amazonaws.dynamodb.v20120810#'
const NAMESPACE_CORAL = 'com.amazon.coral.service#'
const NAMESPACE_VALIDATE = 'com.amazon.coral.validate#'

const CORAL_NAMES = new Set([
  'SerializationException',
  'UnknownOperationException',
  'MissingAuthenticationTokenException',
  'IncompleteSignatureException',
  'InvalidSignatureException',
  'UnrecognizedClientException',
  'AccessDeniedException',
])

/** These answer with `Message`, all others with `message`; readers accept both. */
const CAPITAL_MESSAGE_NAMES = new Set([
  'SerializationException',
  'AccessDeniedException',
  'TransactionCanceledException',
])

/** The error as the body of an answer. Engine and server need it; programs that only send requests
 * don't ship it. */
export function errorBody(error: ServiceError): Record<string, unknown> {
  const { name, message, Item, CancellationReasons, ThrottlingReasons } = error
  const namespace = CORAL_NAMES.has(name)
    ? NAMESPACE_CORAL
    : name === 'ValidationException'
      ? NAMESPACE_VALIDATE
      : NAMESPACE_SERVICE
  return {
    __type: namespace + name,
    ...(message !== '' && { [CAPITAL_MESSAGE_NAMES.has(name) ? 'Message' : 'message']: message }),
    ...(Item && { Item }),
    ...(CancellationReasons && { CancellationReasons }),
    ...(ThrottlingReasons && { ThrottlingReasons }),
  }
}
