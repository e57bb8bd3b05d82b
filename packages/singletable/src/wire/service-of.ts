import type { OperationName } from './operations.ts'

/** DynamoDB and its streams are two services with two addresses. */
export type Service = 'dynamodb' | 'streams'

const STREAM_OPERATIONS: readonly OperationName[] = [
  'DescribeStream',
  'GetRecords',
  'GetShardIterator',
  'ListStreams',
]

export function serviceOf(operation: OperationName): Service {
  return STREAM_OPERATIONS.includes(operation) ? 'streams' : 'dynamodb'
}

/** What the header `x-amz-target` has before the operation's name and a dot. */
export function targetOf(service: Service): string {
  return `DynamoDB${service === 'streams' ? 'Streams' : ''}_20120810`
}
