import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HashIndex, hashOf, type Keyed } from './hash-index.ts'

test('any series of puts and removes leaves what a Map would hold', () => {
  const key = fc.integer({ min: 0, max: 60 }).map((n) => `k${n}`)
  const step = fc.record({ remove: fc.boolean(), key, n: fc.nat() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const index = new HashIndex<Keyed, number>()
      const model = new Map<string, number>()
      for (const { remove, key: name, n } of steps) {
        if (remove) {
          index.remove(name)
          model.delete(name)
        } else {
          index.put({ key: name, hash: hashOf(name) }, n)
          model.set(name, n)
        }
      }
      for (let n = 0; n <= 60; n++) expect(index.get(`k${n}`)).toBe(model.get(`k${n}`))
    }),
  )
})

test('keys are found by content, however they were put together', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (head, tail) => {
      const index = new HashIndex<Keyed, number>()
      index.put({ key: head + tail, hash: hashOf(head + tail) }, 1)
      expect(index.get(JSON.parse(JSON.stringify(head + tail)))).toBe(1)
      expect(index.get(`${head}${tail}x`)).toBe(undefined)
      expect(hashOf(head + tail)).not.toBe(0)
    }),
  )
})
