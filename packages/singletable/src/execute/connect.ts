import { type AwsClient, awsTransport, isAwsClient } from '../aws/aws-transport.ts'
import { DefinitionError } from '../errors/definition-error.ts'
import { kindOfValue } from '../errors/show-value.ts'
import type { Transport } from '../wire/transport.ts'

/** What a table can be given to send with: an AWS client, an engine, or any other transport. */
export type Client = AwsClient | Transport

/**
 * The transport for a client, recognised by what it can do, so that several installed copies of the
 * SDK make no difference.
 */
export function connect(client: Client, where: string): Transport {
  if (isAwsClient(client)) return awsTransport(client)
  if (typeof client?.send === 'function') return client.singleAttempt ?? client
  throw new DefinitionError('OPTION_INVALID', {
    what: `client is ${kindOfValue(client)}, not a client of the AWS SDK or a transport.`,
    where,
    fix: "give a DynamoDBClient, a DynamoDBDocumentClient, or an engine from 'singletable/engine'",
  })
}
