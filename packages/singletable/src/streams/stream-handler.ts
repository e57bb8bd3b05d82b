import type { AnyStreamRecord } from './stream-record.ts'

/** What AWS Lambda gives to the function of a DynamoDB stream, so far as it is used here. */
export interface StreamEvent {
  readonly Records: readonly AnyStreamRecord[]
}

/** Which records failed, by sequence number. Lambda delivers again from the first of them on, if it
 * is configured to expect this answer. */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[]
}

/** Handles the records of one event; can be exported as the handler of an AWS Lambda function, or
 * given to `pollStream`. */
export type StreamHandler = (event: StreamEvent) => Promise<BatchResponse>

/**
 * One handler of several: each gets every event, one after the other. What one of them has failed
 * at counts as failed, and is given to all of them again; those made by `onChange` and
 * `propagateCopies` pass over what they have done.
 */
export function combineHandlers(...handlers: readonly StreamHandler[]): StreamHandler {
  return async (event) => {
    const failed = new Set<string>()
    for (const handler of handlers) {
      const { batchItemFailures } = await handler(event)
      for (const { itemIdentifier } of batchItemFailures) failed.add(itemIdentifier)
    }
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) }
  }
}
