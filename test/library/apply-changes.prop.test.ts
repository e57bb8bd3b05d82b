import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toReference } from '../../packages/singletable/src/plan/references.ts'
import type { Assignment } from '../../packages/singletable/src/plan/state.ts'
import { createWriteTable } from './write-table.ts'

// A long run: PROPERTY_RUNS=100000 PROPERTY_SEED=1. A failure prints its seed in any case.
const runs = Number(process.env.PROPERTY_RUNS ?? 300)
// During other work a run takes some tens of milliseconds at most.
const timeoutMs = 60_000 + 50 * runs
const seed =
  process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }

type Path = readonly (string | number)[]

const leaf = fc.constantFrom<unknown>('x', 'y', 1, 2.5, true, null)
const list = fc.array(leaf, { maxLength: 4 })
const map = fc.dictionary(fc.constantFrom('p', 'q', 'r'), fc.oneof(leaf, list), { maxKeys: 3 })
const item = fc.record(
  {
    list: fc.array(fc.oneof(leaf, list, map), { maxLength: 4 }),
    map,
    tags: fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })
      .map((all) => new Set(all)),
    count: fc.integer({ min: -5, max: 5 }),
  },
  { requiredKeys: [] },
)

const position = fc.integer({ min: 0, max: 5 })
const path: fc.Arbitrary<Path> = fc.oneof(
  fc.tuple(fc.constant('list'), position),
  fc.tuple(fc.constant('list'), position, position),
  fc.tuple(fc.constant('map'), fc.constantFrom('p', 'q', 'r')),
  fc.tuple(fc.constant('map'), fc.constantFrom('p', 'q', 'r'), position),
  fc.constantFrom(['list'], ['map']),
)
const change = fc.oneof(
  fc.record({ kind: fc.constantFrom('set', 'default', 'remove'), path, value: leaf }),
  fc.record({
    kind: fc.constantFrom('append', 'prepend'),
    path,
    value: fc.array(leaf, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constantFrom('add', 'delete'),
    path: fc.constant(['tags'] as Path),
    value: fc.subarray(['a', 'b', 'd'], { minLength: 1 }).map((all) => new Set(all)),
  }),
  fc.record({ kind: fc.constant('add'), path: fc.constant(['count'] as Path), value: position }),
)

test(
  'a move changes the attributes of an item as an update in place does',
  async () => {
    const table = await createWriteTable({
      indexes: { primary: { hash: 'pk' } },
      models: {
        Thing: {
          key: { pk: 'THING#${id}' },
          attributes: {
            id: { type: String },
            list: { type: 'any' },
            map: { type: 'any' },
            tags: { type: Set, items: { type: String } },
            count: { type: Number },
          },
        },
      },
    })
    const settle = (promise: Promise<unknown>) =>
      promise.then(
        (output) => ({ output }),
        (error: { code?: string }) => ({ code: error.code }),
      )
    const outcomes = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(
        item,
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async (attributes, changes) => {
          await table.put('Thing', { id: '1', ...attributes })
          await table.put('Thing', { id: '2', ...attributes })
          await table.delete('Thing', { id: '3' })
          const more = (attr: never) =>
            changes.map(({ path: steps, ...rest }) => {
              let target: unknown = attr
              // References are reached step by step, as in a callback.
              for (const step of steps) target = (target as Record<string | number, unknown>)[step]
              return { ...rest, target: toReference(target) } as unknown as Assignment
            })
          const inPlace = await settle(table.update('Thing', { id: '1' }, { more }))
          const moved = await settle(table.update('Thing', { id: '2' }, { more, set: { id: '3' } }))
          const outcome = 'output' in inPlace ? 'done' : String(inPlace.code)
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
          if ('output' in inPlace) {
            expect(moved).toEqual({ output: { ...(inPlace.output as object), id: '3' } })
          } else expect(moved).toEqual({ code: 'INPUT_INVALID' })
        },
      ),
      { numRuns: runs, ...seed },
    )
    expect(outcomes.get('done')).toBeGreaterThan(runs / 10)
  },
  timeoutMs,
)
