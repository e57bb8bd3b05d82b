import { expect, test } from 'vitest'
import { SHARD_ITERATOR_LIFETIME_MS, SHARD_ITERATOR_MAX_LENGTH } from '../limits/stream-limits.ts'
import { decodeIterator, encodeIterator, type ShardIterator } from './shard-iterator.ts'

const iterator: ShardIterator = {
  streamArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/2026-01-01T00:00:00.000',
  streamId: 7,
  shardId: 'shardId-00000001414576573621-f55eea83',
  position: 12,
  issuedMs: 1_700_000_000_000,
}

test('an iterator is read back as it was written', () => {
  expect(decodeIterator(encodeIterator(iterator), iterator.issuedMs)).toEqual(iterator)
  const oldest: ShardIterator = { ...iterator, position: 'oldest' }
  expect(decodeIterator(encodeIterator(oldest), iterator.issuedMs)).toEqual(oldest)
})

test('the longest iterator there can be fits the limit', () => {
  const longest = encodeIterator({
    ...iterator,
    streamArn: iterator.streamArn.replace('/t/', `/${'t'.repeat(255)}/`),
    streamId: 2 ** 32 - 1,
    position: Number.MAX_SAFE_INTEGER,
  })
  expect(longest.length).toBeLessThanOrEqual(SHARD_ITERATOR_MAX_LENGTH)
})

test('an iterator with any one letter changed is refused', () => {
  const text = encodeIterator(iterator)
  for (let index = 0; index < text.length; index++) {
    const spoilt = `${text.slice(0, index)}${text[index] === 'Q' ? 'R' : 'Q'}${text.slice(index + 1)}`
    expect(() => decodeIterator(spoilt, iterator.issuedMs)).toThrow('Invalid ShardIterator')
  }
})

test('an iterator cut short anywhere is refused', () => {
  const text = encodeIterator(iterator)
  for (let length = 0; length < text.length; length++) {
    expect(() => decodeIterator(text.slice(0, length), iterator.issuedMs)).toThrow(
      'Invalid ShardIterator',
    )
  }
})

test('an iterator expires only after its lifetime, and never by a clock that was set back', () => {
  const text = encodeIterator(iterator)
  const end = iterator.issuedMs + SHARD_ITERATOR_LIFETIME_MS
  for (const nowMs of [0, end - 1, end]) expect(decodeIterator(text, nowMs)).toEqual(iterator)
  expect(() => decodeIterator(text, end + 1)).toThrow('Shard iterator has expired')
})
