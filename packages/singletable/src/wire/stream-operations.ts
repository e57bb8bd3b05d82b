import type { Item } from '../values/attribute-value.ts'
import type { KeySchemaElement, StreamViewType } from './table-operations.ts'

/** Shapes of the operations of DynamoDB Streams, as JSON on the wire. */

export type StreamStatus = 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED'
export type ShardIteratorType =
  | 'TRIM_HORIZON'
  | 'LATEST'
  | 'AT_SEQUENCE_NUMBER'
  | 'AFTER_SEQUENCE_NUMBER'

export interface ListStreamsRequest {
  TableName?: string
  Limit?: number
  ExclusiveStartStreamArn?: string
}
export interface ListStreamsResponse {
  Streams: StreamSummary[]
  /** Absent when the page is the last. */
  LastEvaluatedStreamArn?: string
}
export interface StreamSummary {
  StreamArn: string
  TableName: string
  StreamLabel: string
}

export interface DescribeStreamRequest {
  StreamArn: string
  Limit?: number
  ExclusiveStartShardId?: string
  ShardFilter?: { Type?: 'CHILD_SHARDS'; ShardId?: string }
}
export interface DescribeStreamResponse {
  StreamDescription: StreamDescription
}
export interface StreamDescription {
  StreamArn: string
  StreamLabel: string
  StreamStatus: StreamStatus
  StreamViewType: StreamViewType
  /** Seconds since 1970, with a fraction. */
  CreationRequestDateTime: number
  TableName: string
  KeySchema: KeySchemaElement[]
  Shards: ShardDescription[]
  LastEvaluatedShardId?: string
}
export interface ShardDescription {
  ShardId: string
  ParentShardId?: string
  SequenceNumberRange: { StartingSequenceNumber: string; EndingSequenceNumber?: string }
}

export interface GetShardIteratorRequest {
  StreamArn: string
  ShardId: string
  ShardIteratorType: ShardIteratorType
  SequenceNumber?: string
}
export interface GetShardIteratorResponse {
  ShardIterator: string
}

export interface GetRecordsRequest {
  ShardIterator: string
  Limit?: number
}
export interface GetRecordsResponse {
  Records: StreamRecord[]
  /** Absent when a closed shard was read to its end. */
  NextShardIterator?: string
}

/** How a stream shows one change of an item. */
export interface StreamRecord {
  eventID: string
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE'
  eventVersion: string
  eventSource: string
  awsRegion: string
  dynamodb: {
    /** Whole seconds since 1970. */
    ApproximateCreationDateTime: number
    Keys: Item
    NewImage?: Item
    OldImage?: Item
    SequenceNumber: string
    SizeBytes: number
    StreamViewType: StreamViewType
  }
  /** Present where DynamoDB itself made the change. */
  userIdentity?: { PrincipalId: string; Type: string }
}
