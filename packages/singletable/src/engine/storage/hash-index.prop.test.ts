import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HashIndex, type HashIndexSnapshot, hashOf } from './hash-index.ts'
import { Rows } from './rows.ts'

const KEYS = Array.from({ length: 200 }, (_, n) => `k${n}`)

test('any series of adds, removes, snapshots and restores leaves what a Map would hold', () => {
  const kind = fc.constantFrom('add', 'add', 'add', 'add', 'add', 'remove', 'snapshot', 'restore')
  const step = fc.record({ kind, row: fc.nat(KEYS.length - 1), n: fc.nat() })
  // Every key has its row from the beginning; the index says which of them it knows.
  const rows = new Rows()
  for (const key of KEYS) rows.add(key, {})
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      const index = new HashIndex(rows)
      let model = new Set<number>()
      const taken: { readonly of: HashIndexSnapshot; readonly model: Set<number> }[] = []
      const expectModel = (expected: ReadonlySet<number>): void => {
        for (const [row, key] of KEYS.entries()) {
          expect(index.find(key, hashOf(key))).toBe(expected.has(row) ? row : undefined)
        }
      }
      for (const { kind, row, n } of steps) {
        const hash = hashOf(KEYS[row]!)
        if (kind === 'remove') {
          if (model.delete(row)) index.remove(hash, row)
        } else if (kind === 'snapshot') {
          taken.push({ of: index.snapshot(), model: new Set(model) })
        } else if (kind === 'restore') {
          const earlier = taken[n % Math.max(1, taken.length)]
          if (earlier === undefined) continue
          index.restore(earlier.of)
          model = new Set(earlier.model)
        } else if (!model.has(row)) {
          index.add(hash, row)
          model.add(row)
        }
      }
      expectModel(model)
      for (const { of, model: then } of taken) {
        index.restore(of)
        expectModel(then)
      }
    }),
  )
})

test('keys are found by content, however they were put together', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (head, tail) => {
      const rows = new Rows()
      const index = new HashIndex(rows)
      const [key, longer] = [head + tail, `${head}${tail}x`]
      index.add(hashOf(key), rows.add(key, {}))
      const copy: string = JSON.parse(JSON.stringify(key))
      expect(index.find(copy, hashOf(copy))).toBe(0)
      expect(index.find(longer, hashOf(longer))).toBe(undefined)
      expect(hashOf(key)).not.toBe(0)
    }),
  )
})
