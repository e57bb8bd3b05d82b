import { SingletableError } from '../errors/singletable-error.ts'
import type { OperationName, Operations } from '../wire/operations.ts'
import type { SendOptions, Transport } from '../wire/transport.ts'
import { untilAborted } from '../wire/until-aborted.ts'
import { loadSdk, type Sdk } from './load-sdk.ts'
import { type Chains, singleAttempt } from './single-attempt.ts'
import { type SdkError, translateError } from './translate-error.ts'
import { type BinaryCodec, toSdkForm, toWireForm } from './wire-form.ts'

/** What is used of a `DynamoDBClient` or `DynamoDBDocumentClient` of the AWS SDK v3. */
export interface AwsClient {
  readonly config: BinaryCodec
  readonly middlewareStack: { applyToStack(stack: never): void }
  send(command: never, options?: never): Promise<unknown>
}

/** `send` of a client as it is called here: with a command that only the SDK itself can type. */
type SendCommand = (command: unknown, options: { abortSignal?: AbortSignal }) => Promise<SdkOutput>
type SdkOutput = object & { readonly $metadata?: unknown }

/** Whether this is a client of the AWS SDK v3, by its members: there may be several copies of the SDK, so its class says nothing. */
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
 * Sends requests through a client of the AWS SDK. A request is sent once: the client's retries are left out, its other settings,
 * credentials and middlewares are used. The document client's conversions are not: requests and responses are wire shapes.
 *
 * Rejects with a `ServiceError` when the service refuses, with a `NoAnswerError` when it doesn't answer, and with the signal's reason
 * when the signal is aborted.
 */
export function awsTransport(client: AwsClient): Transport {
  const chains: Chains = new Map()
  return {
    async send<TOperation extends OperationName>(
      operation: TOperation,
      request: Operations[TOperation]['request'],
      options?: SendOptions,
    ): Promise<Operations[TOperation]['response']> {
      const signal = options?.signal
      signal?.throwIfAborted()
      const sdk = await loadSdk()
      signal?.throwIfAborted()
      const answer = sendRequest({ client, sdk, chains, operation, request, signal })
      // The response is what the service has for this operation, in the shapes of the wire.
      return (await (signal === undefined
        ? answer
        : untilAborted(answer, signal))) as Operations[TOperation]['response']
    },
  }
}

interface Call {
  readonly client: AwsClient
  readonly sdk: Sdk
  readonly chains: Chains
  readonly operation: OperationName
  readonly request: object
  readonly signal: AbortSignal | undefined
}

async function sendRequest(call: Call, isSecond = false): Promise<object> {
  const { client, sdk, operation, request, signal } = call
  const codec = client.config
  // A client whose `send` was replaced may never tell; what it throws then counts as the service's.
  let sent = true
  try {
    const command = singleAttempt(
      sdk,
      { operation, input: toSdkForm(request, codec) },
      call.chains,
      {
        onStart: () => {
          sent = false
        },
        onSend: () => {
          sent = true
        },
      },
    )
    // The SDK's own types of commands and options are not ours to name.
    const send = client.send as unknown as SendCommand
    const output = await send.call(client, command, signal ? { abortSignal: signal } : {})
    const { $metadata: _, ...response } = output
    return toWireForm(response, codec) as object
  } catch (thrown) {
    if (SingletableError.is(thrown)) throw thrown
    if (!isSecond && isClockCorrected(thrown, sdk)) return sendRequest(call, true)
    throw translateError(thrown, { sdk, sent, toWire: (value) => toWireForm(value, codec) })
  }
}

/**
 * Whether the service refused the time in the signature and the client has set its clock by the answer. The mark alone doesn't say so: any
 * error can show that the clock is wrong, also one after which a write may have happened.
 */
function isClockCorrected(thrown: unknown, sdk: Sdk): boolean {
  const { name = '', $metadata } = (thrown ?? {}) as SdkError
  return (
    $metadata?.clockSkewCorrected === true &&
    ($metadata.httpStatusCode ?? 500) < 500 &&
    !sdk.knows(name)
  )
}
