import { expect, test } from 'vitest'
import { systemEnvironment } from '../../values/environment.ts'
import { newShardId } from './shard-id.ts'

const parent = { id: 'shardId-00000001700000000000-ffffffff', openedMs: 0, firstSequence: 1 }

const withBytes = (byte: number) => ({
  ...systemEnvironment,
  randomBytes: (count: number) => new Uint8Array(count).fill(byte),
})

test('a shard id holds the time and eight random digits', () => {
  expect(newShardId(withBytes(128), 1_700_000_000_000)).toBe(
    'shardId-00000001700000000000-80808080',
  )
})

for (const nowMs of [0, 1_699_999_999_999, 1_700_000_000_000]) {
  test(`a child made at ${nowMs} comes after its parent made at 1700000000000`, () => {
    expect(newShardId(withBytes(0), nowMs, parent)).toBe('shardId-00000001700000000001-00000000')
  })
}
