import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HashIndex, type HashIndexSnapshot, hashOf } from './hash-index.ts'

const KEYS = Array.from({ length: 200 }, (_, n) => `k${n}`)

test('any series of puts, removes, snapshots and restores leaves what a Map would hold', () => {
  const kind = fc.constantFrom('put', 'put', 'put', 'put', 'put', 'remove', 'snapshot', 'restore')
  const step = fc.record({ kind, key: fc.constantFrom(...KEYS), n: fc.nat() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      const index = new HashIndex()
      let model = new Map<string, object>()
      const taken: { readonly of: HashIndexSnapshot; readonly model: Map<string, object> }[] = []
      for (const { kind, key, n } of steps) {
        const hash = hashOf(key)
        if (kind === 'remove') {
          expect(index.remove(key, hash)).toBe(model.get(key))
          model.delete(key)
        } else if (kind === 'snapshot') {
          taken.push({ of: index.snapshot(), model: new Map(model) })
        } else if (kind === 'restore') {
          const earlier = taken[n % Math.max(1, taken.length)]
          if (earlier === undefined) continue
          index.restore(earlier.of)
          model = new Map(earlier.model)
        } else {
          const value = { n }
          const before = index.replace(key, hash, value)
          expect(before).toBe(model.get(key))
          if (before === undefined) index.add(key, hash, value)
          model.set(key, value)
        }
      }
      for (const key of KEYS) expect(index.get(key, hashOf(key))).toBe(model.get(key))
      expect(index.size).toBe(model.size)
      for (const { of, model: then } of taken) {
        index.restore(of)
        for (const key of KEYS) expect(index.get(key, hashOf(key))).toBe(then.get(key))
      }
    }),
  )
})

test('keys are found by content, however they were put together', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (head, tail) => {
      const index = new HashIndex()
      const [key, longer] = [head + tail, `${head}${tail}x`]
      const value = { n: 1 }
      index.add(key, hashOf(key), value)
      const copy: string = JSON.parse(JSON.stringify(key))
      expect(index.get(copy, hashOf(copy))).toBe(value)
      expect(index.get(longer, hashOf(longer))).toBe(undefined)
      expect(hashOf(key)).not.toBe(0)
    }),
  )
})
