/** Limits of DynamoDB Streams. (AWS API reference, DynamoDB Streams; Developer Guide, quotas.) */

export const STREAM_RETENTION_MS: number = 24 * 60 * 60 * 1000
export const SHARD_ROTATION_MS: number = 4 * 60 * 60 * 1000
export const SHARD_ITERATOR_LIFETIME_MS: number = 15 * 60 * 1000

export const RECORDS_PAGE_MAX = 1000
export const RECORDS_PAGE_MAX_BYTES = 1_048_576
export const SHARDS_PAGE_MAX = 100
export const STREAMS_PAGE_MAX = 100

export const STREAM_ARN_MIN_LENGTH = 37
export const STREAM_ARN_MAX_LENGTH = 1024
export const SHARD_ID_MIN_LENGTH = 28
export const SHARD_ID_MAX_LENGTH = 65
export const SEQUENCE_NUMBER_MIN_LENGTH = 21
export const SEQUENCE_NUMBER_MAX_LENGTH = 40
export const SHARD_ITERATOR_MIN_LENGTH = 1
export const SHARD_ITERATOR_MAX_LENGTH = 2048
