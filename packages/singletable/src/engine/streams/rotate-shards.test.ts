import { expect, test } from 'vitest'
import type { TableRecord } from '../catalog/table-record.ts'
import type { EngineContext } from '../context/context.ts'
import { simulatedEnvironment } from '../simulated-environment.ts'
import { memoryStorage } from '../storage/memory-storage.ts'
import { closeStream } from './close-stream.ts'
import { openStream } from './open-stream.ts'
import { rotateShards } from './rotate-shards.ts'
import { readStream } from './stream-state.ts'

const record = {
  name: 'table',
  arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/table',
  keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
} as unknown as TableRecord

async function openedStream() {
  const storage = memoryStorage()
  // Streams need nothing of an engine but its storage and its environment.
  const context = { storage, environment: simulatedEnvironment() } as unknown as EngineContext
  const reference = await storage.transaction((transaction) =>
    openStream(context, transaction, record, 'KEYS_ONLY'),
  )
  return { context, storage, reference }
}

test('shards rotate on demand, each the child of the one before', async () => {
  const { context, storage, reference } = await openedStream()
  await rotateShards(context, reference.arn)
  await rotateShards(context, reference.arn)
  const shards = readStream(storage, reference.id)?.shards ?? []
  expect(shards.map((shard) => shard.parentId)).toEqual([undefined, shards[0]?.id, shards[1]?.id])
  expect(shards.map((shard) => shard.lastSequence === undefined)).toEqual([false, false, true])
  expect(shards.map((shard) => shard.firstSequence)).toEqual([1, 2, 3])
})

test('a closed stream does not rotate', async () => {
  const { context, storage, reference } = await openedStream()
  const closed = await storage.transaction((transaction) =>
    closeStream(context, transaction, reference),
  )
  expect(closed).toEqual({ ...reference, enabled: false })
  await rotateShards(context, reference.arn)
  expect(readStream(storage, reference.id)?.shards).toHaveLength(1)
})

test('closing a stream twice closes its shard once', async () => {
  const { context, storage, reference } = await openedStream()
  const close = () =>
    storage.transaction((transaction) => closeStream(context, transaction, reference))
  await close()
  const first = readStream(storage, reference.id)
  await close()
  expect(readStream(storage, reference.id)).toEqual(first)
})

test('a stream that does not exist cannot be rotated', async () => {
  const { context, reference } = await openedStream()
  await expect(rotateShards(context, `${reference.arn}1`)).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  })
  await expect(rotateShards(context, 'x')).rejects.toThrow('Invalid StreamArn')
})
