import { invalidStreamArn, streamNotFound } from '../messages/stream-messages.ts'
import type { StorageReader } from '../storage/storage.ts'
import { readStreams, type StreamState } from './stream-state.ts'

const STREAM_ARN = /^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/[a-zA-Z0-9_.-]+\/stream\/[^/]+$/

export function validateStreamArn(arn: string): void {
  if (!STREAM_ARN.test(arn)) throw invalidStreamArn()
}

/** The stream of that ARN; refuses with AWS's error where there is none. */
export function requireStream(reader: StorageReader, arn: string): StreamState {
  validateStreamArn(arn)
  const stream = readStreams(reader).find((candidate) => candidate.arn === arn)
  if (stream === undefined) throw streamNotFound(arn)
  return stream
}
