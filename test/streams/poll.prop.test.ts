import fc from 'fast-check'
import { memoryCheckpoints, pollStream, type StreamRecord } from 'singletable/streams'
import { expect, test } from 'vitest'
import { hasty, recordsOf, streamTable } from './stream-table.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 60)

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), item: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), item: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rotate' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('poll' as const),
      batchSize: fc.integer({ min: 1, max: 5 }),
      // The handler or the saving of a checkpoint that the poller does not survive, counted from
      // its start.
      dies: fc.constantFrom('never', 'in handler', 'after handler', 'before save', 'after save'),
      at: fc.nat(4),
      // Some events take longer than others.
      slowness: fc.nat(6),
    }),
  },
)

test('every change is handled at least once, and those of one item in order, however often the poller is killed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { table, engine, streamArn } = await streamTable()
      const { Session } = table.entities
      const checkpoints = memoryCheckpoints()
      const handled: StreamRecord[] = []
      let count = 0

      const poll = async (
        batchSize: number,
        dies: string,
        at: number,
        slowness: number,
      ): Promise<void> => {
        const death = new Error('killed')
        const controller = new AbortController()
        let events = 0
        let saves = 0
        const die = (): never => {
          controller.abort()
          throw death
        }
        await pollStream({
          source: engine,
          streamArn,
          environment: hasty,
          until: 'caught-up',
          batchSize,
          signal: controller.signal,
          checkpoints: {
            load: checkpoints.load,
            async save(arn, checkpoint) {
              const dying = saves++ === at
              if (dying && dies === 'before save') die()
              await checkpoints.save(arn, checkpoint)
              if (dying && dies === 'after save') die()
            },
          },
          async handler({ Records }) {
            const dying = events++ === at
            const turns = (events * slowness) % 7
            for (let turn = 0; turn < turns; turn++) {
              await new Promise((resolve) => setImmediate(resolve))
            }
            for (const [position, record] of Records.entries()) {
              if (dying && dies === 'in handler' && position === Records.length - 1) die()
              handled.push(record)
            }
            if (dying && dies === 'after handler') die()
          },
          onFailure: () => 'stop',
        }).catch((error: unknown) => {
          if (error !== death && (error as Error).cause !== death) throw error
        })
      }

      for (const each of steps) {
        if (each.do === 'rotate') await engine.rotateShards(streamArn)
        else if (each.do === 'poll') await poll(each.batchSize, each.dies, each.at, each.slowness)
        else if (each.do === 'delete') {
          await Session.delete({ username: 'u', number: each.item }).execute()
        } else {
          await Session.put({ username: 'u', number: each.item, count: ++count }).execute()
        }
      }
      await poll(3, 'never', 0, 1)

      const written = await recordsOf(engine, streamArn)
      const keyOf = ({ dynamodb }: StreamRecord): string => String(dynamodb.Keys.sk?.S)
      const numbersOf = (records: readonly StreamRecord[], key: string): string[] => [
        ...new Set(
          records.filter((r) => keyOf(r) === key).map(({ dynamodb }) => dynamodb.SequenceNumber),
        ),
      ]
      for (const key of new Set((written as StreamRecord[]).map(keyOf))) {
        expect(numbersOf(handled, key)).toEqual(numbersOf(written as StreamRecord[], key))
      }
      expect(handled.length).toBeGreaterThanOrEqual(written.length)
      // What was saved as handled is never handled again.
      const before = handled.length
      await poll(3, 'never', 0, 1)
      expect(handled).toHaveLength(before)
    }),
    { numRuns: RUNS },
  )
})
