import { streamNotFound } from '../messages/stream-messages.ts'
import type { StorageReader } from '../storage/storage.ts'
import { readStreams, type StreamState } from './stream-state.ts'

/** The stream of that ARN; refuses with AWS's error where there is none. */
export function requireStream(reader: StorageReader, arn: string): StreamState {
  const stream = readStreams(reader).find((candidate) => candidate.arn === arn)
  if (stream === undefined) throw streamNotFound(arn)
  return stream
}
