import fc from 'fast-check'
import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { planPattern } from 'singletable/tools'
import { expect, it } from 'vitest'
import { readUnits } from '../../packages/kit/src/cost/read-units.ts'
import { compileSchema } from '../../packages/singletable/src/plan/compile-schema.ts'
import { itemSizeBytes } from '../../packages/singletable/src/values/size.ts'

/** What a pattern's plan says that a call costs is what the engine consumes: of buckets of time and
 * of shards, too. */

const runs = Number(process.env.PROPERTY_RUNS ?? 25)
const DAY_MS = 86_400_000
const START = Date.parse('2026-01-01')

const program = fc.record({
  shards: fc.integer({ min: 1, max: 5 }),
  /** From the declared start until now. */
  days: fc.integer({ min: 1, max: 12 }),
  perDay: fc.integer({ min: 0, max: 4 }),
  textBytes: fc.constantFrom(10, 300, 900),
  consistent: fc.boolean(),
  range: fc.option(fc.tuple(fc.nat(11), fc.nat(11)), { nil: undefined }),
})

it('plans, costs and the engine agree on units and requests', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(program, async ({ shards, days, perDay, textBytes, consistent, range }) => {
      const now = START + days * DAY_MS - 1
      const base = {
        indexes: { primary: { hash: 'pk', sort: 'sk' } },
        models: {
          Event: {
            key: { pk: 'E#${device}#${at:day}#${shard}', sk: '${at}#${id}' },
            shard: { count: shards, by: ['id'] },
            attributes: {
              device: { type: String, required: true },
              at: { type: Date, required: true, start: '2026-01-01' },
              id: { type: String, required: true },
              text: { type: String, required: true },
            },
          },
        },
        patterns: {
          events: { op: 'query', entity: 'Event', by: ['device'], range: 'at', consistent },
        },
      } as const
      const engine = createEngine()
      const environment = { now: () => now, randomBytes: bytes, schedule: later }
      const options = { name: 'Events', client: engine, environment }
      const table = new Table({ ...options, schema: defineSchema(base) })
      await table.create()
      for (let day = 0; day < days; day++) {
        for (let number = 0; number < perDay; number++) {
          const at = new Date(START + day * DAY_MS + number * 1000)
          const id = `${day}-${number}`.padEnd(8, '_')
          const text = 'x'.repeat(textBytes)
          await table.entities.Event.put({ device: 'd', at, id, text }).execute()
        }
      }
      const { Items: [item] = [] } = await engine.send('Scan', { TableName: 'Events', Limit: 1 })
      const stats = {
        itemBytes: item ? itemSizeBytes(item) : 100,
        perPartition: { average: perDay },
      }
      const declared = { ...base, models: { Event: { ...base.models.Event, stats } } }
      const measured = new Table({ ...options, schema: defineSchema(declared) })
      const [low, high] = (range ?? []).toSorted((a, b) => a - b)
      const at = range && {
        from: new Date(START + low! * DAY_MS),
        to: new Date(START + high! * DAY_MS),
      }
      const input = { device: 'd', ...(at && { at }) }
      const plan = measured.patterns.events.plan(input)
      const run = await measured.patterns.events(input).measure()
      const buckets = at ? high! - low! + 1 : days
      expect(plan.requests).toBe(buckets * shards)
      expect(run.requests).toBe(plan.requests)
      expect(run.consumed).toBe(plan.cost?.rru)
      expect(run.plan.cost).toEqual(plan.cost)

      const schema = compileSchema(declared)
      const costs = readUnits({ schema, now }, schema.patterns.get('events')!)
      const { cost, requests } = measured.patterns.events.plan()
      expect([costs?.units.value, costs?.requests]).toEqual([cost?.rru, requests])
    }),
    { numRuns: runs },
  )
})

it('a limit reads of each shard its part', () => {
  const schema = compileSchema({
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      Event: {
        key: { pk: 'E#${device}#${shard}', sk: '${id}' },
        shard: { count: 4 },
        attributes: { device: { type: String }, id: { type: String } },
        stats: { itemBytes: 1000, perPartition: { average: 400 } },
      },
    },
    patterns: { latest: { op: 'query', entity: 'Event', by: ['device'], limit: 10 } },
  })
  const pattern = schema.patterns.get('latest')!
  expect(planPattern(pattern).cost?.rru).toBe(4)
  expect(readUnits({ schema }, pattern)?.units.value).toBe(4)
})

function bytes(count: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(count)
}

function later(): () => void {
  return () => {}
}
