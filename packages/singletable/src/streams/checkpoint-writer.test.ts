import { expect, test } from 'vitest'
import { systemEnvironment } from '../values/environment.ts'
import { CheckpointWriter } from './checkpoint-writer.ts'
import type { Checkpoint } from './checkpoints.ts'

test('saves that come while one is under way are made as one, after it', async () => {
  const saved: Checkpoint[] = []
  let atATime = 0
  const checkpoints = {
    load: async () => undefined,
    async save(_: string, checkpoint: Checkpoint) {
      expect(++atATime).toBe(1)
      await Promise.resolve()
      saved.push(checkpoint)
      atATime--
    },
  }
  const { signal } = new AbortController()
  const shared = { environment: systemEnvironment, signal, untilCaughtUp: false, onError: () => {} }
  const writer = new CheckpointWriter(checkpoints, 'arn', shared)
  const saves = ['1', '2', '3'].map((after) => {
    writer.positions.set('shard', { after })
    return writer.save()
  })
  await Promise.all(saves)
  expect(saved.map(({ shards }) => shards.shard?.after)).toEqual(['1', '3'])
})
