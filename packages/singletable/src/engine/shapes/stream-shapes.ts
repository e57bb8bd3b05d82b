import {
  SHARD_ID_MAX_LENGTH,
  SHARD_ID_MIN_LENGTH,
  STREAM_ARN_MAX_LENGTH,
  STREAM_ARN_MIN_LENGTH,
} from '../limits/stream-limits.ts'
import { TABLE_NAME_MAX_LENGTH, TABLE_NAME_MIN_LENGTH } from '../limits/table-limits.ts'
import { NAME_PATTERN } from './name-pattern.ts'
import { type StringShape, text } from './shape.ts'

/** Members that several operations on streams have. */

export const streamArnShape: StringShape = text({
  lengthMin: STREAM_ARN_MIN_LENGTH,
  lengthMax: STREAM_ARN_MAX_LENGTH,
})

export const shardIdShape: StringShape = text({
  lengthMin: SHARD_ID_MIN_LENGTH,
  lengthMax: SHARD_ID_MAX_LENGTH,
})

export const streamTableNameShape: StringShape = text({
  lengthMin: TABLE_NAME_MIN_LENGTH,
  lengthMax: TABLE_NAME_MAX_LENGTH,
  pattern: NAME_PATTERN,
})
