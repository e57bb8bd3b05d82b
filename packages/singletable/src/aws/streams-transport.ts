import { DefinitionError } from '../errors/definition-error.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import type { SendOptions, Transport } from '../wire/transport.ts'
import type { AwsClient } from './aws-transport.ts'

type SendCommand = (command: unknown, options: { abortSignal?: AbortSignal }) => Promise<unknown>
type SdkModule = Readonly<Record<string, unknown>>

const PACKAGE = '@aws-sdk/client-dynamodb-streams'
let loading: Promise<SdkModule> | undefined

/**
 * Sends the operations of DynamoDB Streams through a `DynamoDBStreamsClient` of the AWS SDK. Only reads go this way, so the client's own
 * retries do no harm, and responses stay as the SDK has them, with dates and bytes.
 */
export function streamsTransport(client: AwsClient): Transport {
  return {
    async send<TOperation extends OperationName>(
      operation: TOperation,
      request: Operations[TOperation]['request'],
      { signal }: SendOptions = {},
    ): Promise<Operations[TOperation]['response']> {
      const sdk = await loadStreamsSdk()
      const Command = sdk[`${operation}Command`]
      if (typeof Command !== 'function') {
        throw unusable(`${PACKAGE} has no operation ${operation}`, 'update the package')
      }
      // The SDK's own types of commands and options are not ours to name.
      const send = client.send as unknown as SendCommand
      const command: unknown = Reflect.construct(Command, [request])
      // The response is what the service has for this operation.
      return (await send.call(
        client,
        command,
        signal ? { abortSignal: signal } : {},
      )) as Operations[TOperation]['response']
    },
  }
}

function loadStreamsSdk(): Promise<SdkModule> {
  // Bundlers that can't find an import whose failure is caught leave it as it is.
  loading ??= import('@aws-sdk/client-dynamodb-streams').catch((cause: unknown) => {
    loading = undefined
    throw unusable(`${PACKAGE} can't be loaded`, `install it (npm install ${PACKAGE})`, cause)
  })
  return loading
}

function unusable(what: string, fix: string, cause?: unknown): DefinitionError {
  const parts = { what: `The package ${what}.`, where: 'option "source"', fix }
  return new DefinitionError('OPTION_INVALID', parts, { cause })
}
