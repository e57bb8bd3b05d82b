import type { OperationName } from '../wire/operations.ts'
import { ALL_OPERATIONS } from './operations/all-operations.ts'
import { UNSUPPORTED_OPERATIONS } from './operations/unsupported-operations.ts'

const SERVICE = 'DynamoDB_20120810'
/** Streams are a service of their own on AWS. */
const STREAMS_SERVICE = 'DynamoDBStreams_20120810'
const STREAMS_OPERATIONS: ReadonlySet<string> = new Set<OperationName>([
  'DescribeStream',
  'GetRecords',
  'GetShardIterator',
  'ListStreams',
])

const OPERATIONS_BY_TARGET: ReadonlyMap<string, string> = new Map(
  [...ALL_OPERATIONS.keys(), ...UNSUPPORTED_OPERATIONS].map((operation) => [
    `${STREAMS_OPERATIONS.has(operation) ? STREAMS_SERVICE : SERVICE}.${operation}`,
    operation,
  ]),
)

/**
 * The operation that the header `X-Amz-Target` names, or `undefined` when DynamoDB has none of that
 * name. Operations that only AWS has are among them; the engine refuses those when they are sent.
 *
 * @example
 * operationOf('DynamoDB_20120810.GetItem') // => 'GetItem'
 * operationOf('DynamoDB_20120810.getitem') // => undefined
 */
export function operationOf(target: string): string | undefined {
  return OPERATIONS_BY_TARGET.get(target)
}
