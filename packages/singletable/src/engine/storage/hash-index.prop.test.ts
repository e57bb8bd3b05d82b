import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HashIndex, hashOf } from './hash-index.ts'

test('any series of puts and removes leaves what a Map would hold', () => {
  const key = fc.integer({ min: 0, max: 60 }).map((n) => `k${n}`)
  const step = fc.record({ remove: fc.boolean(), key, n: fc.nat() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const index = new HashIndex()
      const model = new Map<string, object>()
      for (const { remove, key: name, n } of steps) {
        if (remove) {
          index.remove(name, hashOf(name))
          model.delete(name)
        } else {
          const value = { n }
          index.put(name, hashOf(name), value)
          model.set(name, value)
        }
      }
      for (let n = 0; n <= 60; n++) {
        expect(index.get(`k${n}`, hashOf(`k${n}`))).toBe(model.get(`k${n}`))
      }
      expect(index.size).toBe(model.size)
    }),
  )
})

test('keys are found by content, however they were put together', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (head, tail) => {
      const index = new HashIndex()
      const [key, longer] = [head + tail, `${head}${tail}x`]
      const value = { n: 1 }
      index.put(key, hashOf(key), value)
      const copy: string = JSON.parse(JSON.stringify(key))
      expect(index.get(copy, hashOf(copy))).toBe(value)
      expect(index.get(longer, hashOf(longer))).toBe(undefined)
      expect(hashOf(key)).not.toBe(0)
    }),
  )
})
