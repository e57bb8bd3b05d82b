export type {
  Change,
  ChangeDetails,
  EntityChange,
  InsertChange,
  ModifyChange,
  RemoveChange,
  UnknownChange,
} from './change.ts'
export { changesOf } from './changes-of.ts'
export {
  type Checkpoint,
  type Checkpoints,
  memoryCheckpoints,
  type ShardPosition,
} from './checkpoints.ts'
export { countExpired } from './count-expired.ts'
export { fileCheckpoints } from './file-checkpoints.ts'
export type { Finding } from './finding.ts'
export type { HandlerOptions } from './handle-changes.ts'
export { type ChangeHandlers, type EntityHandlers, onChange } from './on-change.ts'
export type { FailureDecision, PollOptions } from './poll-options.ts'
export type { HandlingFailure, StreamGap } from './poll-shard.ts'
export { type PollResult, pollStream } from './poll-stream.ts'
export { type PropagateOptions, type PropagationProgress, propagate } from './propagate.ts'
export { propagateCopies } from './propagate-copies.ts'
export {
  type BatchResponse,
  combineHandlers,
  type StreamEvent,
  type StreamHandler,
} from './stream-handler.ts'
export type { StreamSource } from './stream-reader.ts'
export type { AnyStreamRecord, StreamRecord } from './stream-record.ts'
export { type VerifyOptions, type VerifyReport, verifyCopies } from './verify-copies.ts'
