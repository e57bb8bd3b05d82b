import fc from 'fast-check'
import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

/** Whatever writes an item has seen, its keys with shards and time buckets are those that a new
 * item with the same values has. */

// A long run: PROPERTY_RUNS=10000 PROPERTY_SEED=1. A failure prints its seed in any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 150)
const timeoutMs = 60_000 + 50 * runs
const seed =
  process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }

const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byTime: { hash: 'timePk', sort: 'timeSk' },
    byTeam: { hash: 'teamPk', sort: 'teamSk' },
  },
  models: {
    Task: {
      key: { pk: 'TASK#${made:month}#${shard}', sk: 'TASK#${id}' },
      index: {
        timePk: 'DUE#${due:day}#${shard}',
        timeSk: '${due}#${id}',
        teamPk: 'TEAM#${team:lower}#${due:year}',
        teamSk: '${id}',
      },
      shard: { count: 7 },
      attributes: {
        id: { type: String, required: true },
        made: { type: String, required: true },
        due: { type: Date },
        team: { type: String },
        note: { type: String },
      },
    },
    Job: {
      key: { pk: 'JOB#${id}', sk: 'JOB' },
      index: { timePk: 'OWNER#${shard}', timeSk: '${due:hour}#${id}' },
      shard: { count: 5, by: ['owner', 'due'] },
      attributes: {
        id: { type: String, required: true },
        made: { type: String },
        due: { type: Number },
        owner: { type: String },
        team: { type: String },
        note: { type: String },
      },
    },
  },
})

const DAY_MS = 86_400_000
const made = fc.constantFrom('2026-10-31T23:59:59.999Z', '2026-11-01T00:00:00.000Z', '2026-11-30')
const values = fc.record(
  {
    due: fc.integer({ min: -3, max: 3 }).map((day) => (day * DAY_MS) / 2),
    team: fc.constantFrom('A', 'a', 'b'),
    owner: fc.constantFrom('x', 'y', 'x#y'),
    note: fc.constantFrom('1', '2'),
  },
  { requiredKeys: [] },
)
const step = fc.record({
  kind: fc.constantFrom('put', 'update', 'update', 'upsert', 'move', 'delete'),
  made,
  target: made,
  set: values,
  remove: fc.subarray(['due', 'team', 'owner', 'note'], { maxLength: 2 }),
})

/** An entity as far as it is used here. */
interface LooseEntity {
  put(item: object): Executable
  update(key: object): LooseUpdate
  upsert(key: object): LooseUpdate
  delete(key: object): Executable
}
interface LooseUpdate extends Executable {
  set(values: object): LooseUpdate
  remove(...names: string[]): LooseUpdate
}
interface Executable {
  execute(): Promise<unknown>
}

test.each(['Task', 'Job'] as const)(
  'keys of %s follow every write',
  {
    timeout: timeoutMs,
  },
  async (name) => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const engine = createEngine()
        const table = new Table({ name: 'table', schema, client: engine })
        const fresh = new Table({ name: 'fresh', schema, client: engine })
        await table.create()
        await fresh.create()
        // Both models have the same attributes but for the owner, and take times of their own.
        const entity = table.entities[name] as unknown as LooseEntity
        const isTask = name === 'Task'
        const valuesOf = ({ due, owner, ...rest }: Partial<Record<string, unknown>>): object => ({
          ...rest,
          ...(due !== undefined && { due: isTask ? new Date(Number(due)) : due }),
          ...(owner !== undefined && !isTask && { owner }),
        })
        for (const { kind, made: when, target, set, remove } of steps) {
          const key = isTask ? { id: '1', made: when } : { id: '1' }
          const names = remove.filter((each) => !(isTask && each === 'owner') && !(each in set))
          const changed = valuesOf(set)
          try {
            if (kind === 'put') await entity.put({ ...key, ...changed }).execute()
            else if (kind === 'delete') await entity.delete(key).execute()
            else if (kind === 'move')
              await entity
                .update(key)
                .set({ ...changed, made: target })
                .execute()
            else
              await entity[kind as 'update' | 'upsert'](key)
                .set(changed)
                .remove(...names)
                .execute()
          } catch (error) {
            // What changes nothing, and an update of nothing, are refused; so is the move to a
            // place that is taken.
            const refused = ['INPUT_INVALID', 'ITEM_NOT_FOUND', 'ITEM_EXISTS']
            expect(refused).toContain((error as { code?: string }).code)
          }
          const { Items = [] } = await engine.send('Scan', { TableName: 'table' })
          for (const item of Items) {
            const { S: id } = item.id!
            const again: Record<string, unknown> = { id }
            for (const each of ['made', 'team', 'owner', 'note']) {
              if (item[each]) again[each] = item[each].S
            }
            if (item.due) again.due = item.due.S ? new Date(item.due.S) : Number(item.due.N)
            await (fresh.entities[name] as unknown as LooseEntity).put(again).execute()
            const { Item } = await engine.send('GetItem', {
              TableName: 'fresh',
              Key: { pk: item.pk!, sk: item.sk! },
            })
            expect(item).toEqual(Item)
            compared++
          }
        }
        await engine.close()
      }),
      { numRuns: runs, ...seed },
    )
    expect(compared).toBeGreaterThan(runs)
  },
)
