import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OrderedMap, type OrderedMapSnapshot } from './ordered-map.ts'

type Entry = [key: string, value: number]

// Few different units make keys that are prefixes of one another, and long shared beginnings make
// marks equal.
const unit = fc.constantFrom('\x00', '\x01', 'a', '\xff')
const prefix = fc.constantFrom(
  '',
  'a',
  'shared#',
  '\x00\x00\x00\x00\x00\x00\x00',
  'shared#and longer ',
)
const key = fc
  .tuple(prefix, fc.array(unit, { maxLength: 9 }))
  .map(([beginning, units]) => beginning + units.join(''))
const range = fc.record({ start: key, end: key })

const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('put' as const), key }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), key }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('removeNth' as const), nth: fc.nat(1000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeRange' as const), range }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('visit' as const),
      range,
      reverse: fc.boolean(),
      limit: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('snapshot' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('restore' as const), nth: fc.nat(1000) }),
  },
)

const everything = { start: '', end: '\xff'.repeat(40) }

function entries(map: OrderedMap<number>): Entry[] {
  const found: Entry[] = []
  map.visit(everything, (found_, value) => found.push([found_, value]) > 0)
  return found
}

test.each([2, 3, 4, 7, 63])(
  'any program gives the same map as a sorted array does, with at most %i keys in a node',
  (nodeKeysMax) => {
    fc.assert(
      fc.property(fc.array(step, { size: 'max', maxLength: 400 }), (program) => {
        const map = new OrderedMap<number>({ nodeKeysMax })
        let model: Entry[] = []
        const snapshots: { map: OrderedMapSnapshot<number>; model: Entry[] }[] = []
        let value = 0
        for (const action of program) {
          if (action.kind === 'put') {
            value++
            const before = model.find(([each]) => each === action.key)?.[1]
            expect(map.put(action.key, value)).toBe(before)
            model = model.filter(([each]) => each !== action.key)
            const index = model.filter(([each]) => each < action.key).length
            model.splice(index, 0, [action.key, value])
            expect(map.get(action.key)).toBe(value)
          } else if (action.kind === 'remove' || action.kind === 'removeNth') {
            const removed =
              action.kind === 'remove'
                ? action.key
                : (model[action.nth % Math.max(1, model.length)]?.[0] ?? '')
            const before = model.find(([each]) => each === removed)?.[1]
            expect(map.get(removed)).toBe(before)
            expect(map.remove(removed)).toBe(before)
            expect(map.get(removed)).toBe(undefined)
            model = model.filter(([each]) => each !== removed)
          } else if (action.kind === 'removeRange') {
            const { start, end } = action.range
            const left = model.filter(([each]) => each < start || each >= end)
            expect(map.removeRange(action.range)).toBe(model.length - left.length)
            model = left
          } else if (action.kind === 'visit') {
            const { start, end } = action.range
            const expected = model.filter(([each]) => each >= start && each < end)
            if (action.reverse) expected.reverse()
            const found: Entry[] = []
            map.visit({ start, end, reverse: action.reverse }, (each, each_) => {
              return found.push([each, each_]) < action.limit
            })
            expect(found).toEqual(expected.slice(0, action.limit))
          } else if (action.kind === 'snapshot') {
            snapshots.push({ map: map.snapshot(), model: [...model] })
          } else {
            const snapshot = snapshots[action.nth % Math.max(1, snapshots.length)]
            if (snapshot === undefined) continue
            map.restore(snapshot.map)
            model = [...snapshot.model]
          }
          expect(map.size).toBe(model.length)
        }
        expect(entries(map)).toEqual(model)
        for (const snapshot of snapshots) {
          map.restore(snapshot.map)
          expect(map.size).toBe(snapshot.model.length)
          expect(entries(map)).toEqual(snapshot.model)
          for (const [each, each_] of snapshot.model) expect(map.get(each)).toBe(each_)
        }
      }),
      { numRuns: 60 },
    )
  },
)
