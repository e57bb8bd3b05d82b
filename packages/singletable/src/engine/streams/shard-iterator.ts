import { isBase64 } from '../../values/base64.ts'
import { checksum } from '../context/checksum.ts'
import { SHARD_ITERATOR_LIFETIME_MS } from '../limits/stream-limits.ts'
import { invalidShardIterator, iteratorExpired } from '../messages/stream-messages.ts'

/** Where in a shard reading continues. All of it travels in the string that the caller holds; the
 * engine keeps nothing. */
export interface ShardIterator {
  readonly streamArn: string
  readonly streamId: number
  readonly shardId: string
  /** The sequence number to continue at, or the oldest record there is at the time of reading. */
  readonly position: number | 'oldest'
  readonly issuedMs: number
}

const VERSION = '1'
const OLDEST = 'H'

/** The ARN stays readable in front, as in AWS's iterators; the rest is ours. */
export function encodeIterator(iterator: ShardIterator): string {
  const { streamArn, streamId, shardId, position, issuedMs } = iterator
  const place = position === 'oldest' ? OLDEST : position
  const contents = [streamId, shardId, place, issuedMs].join('|')
  return [streamArn, VERSION, btoa(`${contents}|${checksum(`${streamArn}|${contents}`)}`)].join('|')
}

/** Reads an iterator's text; refuses what no engine has written, and what is too old. */
export function decodeIterator(text: string, nowMs: number): ShardIterator {
  const iterator = parseIterator(text)
  if (iterator === undefined) throw invalidShardIterator()
  if (nowMs - iterator.issuedMs > SHARD_ITERATOR_LIFETIME_MS) throw iteratorExpired()
  return iterator
}

const ITERATOR = /^([^|]+)\|([^|]+)\|([^|]+)$/
const CONTENTS = /^((\d+)\|([^|]+)\|(H|\d+)\|(\d+))\|([0-9a-f]{16})$/

function parseIterator(text: string): ShardIterator | undefined {
  const [, streamArn, version, encoded] = ITERATOR.exec(text) ?? []
  if (streamArn === undefined || version !== VERSION || encoded === undefined) return undefined
  const [, contents, streamId, shardId, place, issuedMs, sum] =
    CONTENTS.exec(decodeBase64(encoded)) ?? []
  if (contents === undefined || shardId === undefined) return undefined
  if (sum !== checksum(`${streamArn}|${contents}`)) return undefined
  return {
    streamArn,
    streamId: Number(streamId),
    shardId,
    position: place === OLDEST ? 'oldest' : Number(place),
    issuedMs: Number(issuedMs),
  }
}

/** Only the one right spelling counts, so that an iterator with a letter too few or too many is
 * never taken for a whole one. */
function decodeBase64(text: string): string {
  return isBase64(text) ? atob(text) : ''
}
