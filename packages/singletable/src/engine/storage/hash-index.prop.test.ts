import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HashIndex, hashOf } from './hash-index.ts'

interface Entry {
  readonly key: string
  readonly n: number
}

test('any series of puts and removes leaves what a Map would hold', () => {
  const key = fc.integer({ min: 0, max: 60 }).map((n) => `k${n}`)
  const step = fc.record({ remove: fc.boolean(), key, n: fc.nat() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const index = new HashIndex<Entry>()
      const model = new Map<string, Entry>()
      for (const { remove, key: name, n } of steps) {
        if (remove) {
          index.remove(name)
          model.delete(name)
        } else {
          const entry = { key: name, n }
          index.put(entry)
          model.set(name, entry)
        }
      }
      for (let n = 0; n <= 60; n++) expect(index.get(`k${n}`)).toBe(model.get(`k${n}`))
    }),
  )
})

test('keys are found by content, however they were put together', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (head, tail) => {
      const index = new HashIndex<Entry>()
      const entry = { key: head + tail, n: 1 }
      index.put(entry)
      expect(index.get(JSON.parse(JSON.stringify(head + tail)))).toBe(entry)
      expect(index.get(`${head}${tail}x`)).toBe(undefined)
      expect(hashOf(head + tail)).not.toBe(0)
    }),
  )
})
