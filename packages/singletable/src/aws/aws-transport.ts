import { SingletableError } from '../errors/singletable-error.ts'
import { transportOf } from '../wire/around-send.ts'
import type { OperationName } from '../wire/operations.ts'
import { isDocumented } from '../wire/refusal.ts'
import type { Transport } from '../wire/transport.ts'
import { untilAborted } from '../wire/until-aborted.ts'
import { commandMaker, type StructuralCommand } from './structural-command.ts'
import { type SdkError, translateError } from './translate-error.ts'
import { toWireForm } from './wire-form.ts'

/** What is used of a `DynamoDBClient`, `DynamoDBDocumentClient` or `DynamoDBStreamsClient` of the
 * AWS SDK v3. */
export interface AwsClient {
  readonly config: object
  readonly middlewareStack: { applyToStack(stack: never): void }
  send(command: never, options?: never): Promise<unknown>
}

/** `send` of a client as it is called here. */
type SendCommand = (
  command: StructuralCommand,
  options: { abortSignal?: AbortSignal },
) => Promise<object>

/** Whether this is a client of the AWS SDK v3, by its members: there may be several copies of the
 * SDK, so its class says nothing. */
export function isAwsClient(client: unknown): client is AwsClient {
  return (
    typeof client === 'object' &&
    client !== null &&
    'send' in client &&
    typeof client.send === 'function' &&
    'middlewareStack' in client &&
    'config' in client
  )
}

/**
 * Sends requests through a client of the AWS SDK. A request is sent once: the client's retries are
 * left out, its other settings, credentials and middlewares are used. The document client's
 * conversions are not: requests and responses are wire shapes. The client's `send()` is what sends,
 * because tracing and mocking packages replace it.
 *
 * Rejects with a `ServiceError` when the service refuses, with a `NoAnswerError` when it doesn't
 * answer, and with the signal's reason when the signal is aborted.
 */
export function awsTransport(client: AwsClient): Transport {
  const commandOf = commandMaker()
  async function attempt(
    operation: OperationName,
    request: object,
    signal: AbortSignal | undefined,
    isSecond = false,
  ): Promise<object> {
    const command = commandOf(operation, request)
    try {
      // Looked up for each call: it may be replaced later. The SDK's own types of commands and
      // options are not ours to name.
      const send = client.send as unknown as SendCommand
      const output = await send.call(client, command, signal ? { abortSignal: signal } : {})
      const { $metadata: _, ...response } = output as { $metadata?: unknown }
      return output === command.output ? response : (toWireForm(response) as object)
    } catch (thrown) {
      if (SingletableError.is(thrown)) throw thrown
      if (!isSecond && isClockCorrected(thrown)) return attempt(operation, request, signal, true)
      throw translateError(thrown, command.sent)
    }
  }

  return transportOf(async (operation, request, options) => {
    const signal = options?.signal
    signal?.throwIfAborted()
    const answer = attempt(operation, request, signal)
    return signal === undefined ? answer : untilAborted(answer, signal)
  })
}

/**
 * Whether the service refused the time in the signature and the client has set its clock by the
 * answer. The mark alone doesn't say so: any error can show that the clock is wrong, also one after
 * which a write may have happened.
 */
function isClockCorrected(thrown: unknown): boolean {
  const { name = '', $metadata } = (thrown ?? {}) as SdkError
  return (
    $metadata?.clockSkewCorrected === true &&
    ($metadata.httpStatusCode ?? 500) < 500 &&
    !isDocumented(name)
  )
}
