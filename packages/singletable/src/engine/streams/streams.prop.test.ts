import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEngine } from '../engine.ts'
import { simulatedEnvironment } from '../simulated-environment.ts'

const HOUR_MS = 3_600_000
const START_MS = 1_700_000_000_000

/** What happens on the table: a write of one of four items with one of three values, or some hours
 * pass. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ item: fc.nat(3), value: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ item: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ hours: fc.integer({ min: 1, max: 3 }) }) },
)

test('a reader of all shards sees each change within a day once, in order, whatever its pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, limit) => {
        const environment = simulatedEnvironment({ now: START_MS })
        const engine = createEngine({ environment, timeToLiveSweepMs: 1e9 })
        const { TableDescription } = await engine.send('CreateTable', {
          TableName: 'table',
          AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
          BillingMode: 'PAY_PER_REQUEST',
          StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
        })
        const expected: { readonly event: string; readonly ms: number }[] = []
        const values = new Map<number, number>()
        for (const { item, value, hours } of steps.map((each) => ({
          item: undefined,
          value: undefined,
          hours: undefined,
          ...each,
        }))) {
          const ms = environment.now()
          if (hours !== undefined) environment.jump(ms + hours * HOUR_MS)
          else if (item === undefined) continue
          else if (value === undefined) {
            await engine.send('DeleteItem', { TableName: 'table', Key: { pk: { S: `${item}` } } })
            if (values.delete(item)) expected.push({ event: `REMOVE ${item}`, ms })
          } else {
            await engine.send('PutItem', {
              TableName: 'table',
              Item: { pk: { S: `${item}` }, n: { N: `${value}` } },
            })
            const before = values.get(item)
            const event = before === undefined ? 'INSERT' : 'MODIFY'
            if (before !== value) expected.push({ event: `${event} ${item} ${value}`, ms })
            values.set(item, value)
          }
        }
        const horizonMs = environment.now() - 24 * HOUR_MS
        expect(await readAll(engine, TableDescription?.LatestStreamArn ?? '', limit)).toEqual(
          expected.filter(({ ms }) => ms >= horizonMs).map(({ event }) => event),
        )
        await engine.close()
      },
    ),
    { numRuns: 150 },
  )
})

async function readAll(
  engine: ReturnType<typeof createEngine>,
  StreamArn: string,
  Limit: number,
): Promise<string[]> {
  const events: string[] = []
  const { StreamDescription } = await engine.send('DescribeStream', { StreamArn })
  for (const { ShardId } of StreamDescription.Shards) {
    const ShardIteratorType = 'TRIM_HORIZON'
    const start = await engine.send('GetShardIterator', { StreamArn, ShardId, ShardIteratorType })
    let next: string | undefined = start.ShardIterator
    while (next !== undefined) {
      const page: Awaited<ReturnType<typeof engine.send<'GetRecords'>>> = await engine.send(
        'GetRecords',
        { ShardIterator: next, Limit },
      )
      for (const { eventName, dynamodb } of page.Records) {
        const value = dynamodb.NewImage?.n?.N
        events.push([eventName, dynamodb.Keys.pk?.S, value].filter(Boolean).join(' '))
      }
      if (page.Records.length === 0) break
      next = page.NextShardIterator
    }
  }
  return events
}
