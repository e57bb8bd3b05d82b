import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Rows, type RowsSnapshot } from './rows.ts'

interface Entry {
  readonly key: string
  readonly value: object
}

test('any series of adds, replacements, removes, snapshots and restores leaves what a Map would hold', () => {
  const kind = fc.constantFrom(
    'add',
    'add',
    'add',
    'replace',
    'replace',
    'remove',
    'snapshot',
    'restore',
  )
  const step = fc.record({ kind, n: fc.nat() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const rows = new Rows()
      let model = new Map<number, Entry>()
      const taken: { readonly of: RowsSnapshot; readonly model: Map<number, Entry> }[] = []
      const expectModel = (expected: ReadonlyMap<number, Entry>): void => {
        for (const [row, { key, value }] of expected) {
          expect(rows.keyAt(row)).toBe(key)
          expect(rows.valueAt(row)).toBe(value)
        }
      }
      for (const { kind, n } of steps) {
        const row = [...model.keys()][n % Math.max(1, model.size)]
        if (kind === 'add') {
          const entry = { key: `k${n}`, value: { n } }
          const added = rows.add(entry.key, entry.value)
          expect(model.has(added)).toBe(false)
          model.set(added, entry)
        } else if (kind === 'snapshot') {
          taken.push({ of: rows.snapshot(), model: new Map(model) })
        } else if (kind === 'restore') {
          const earlier = taken[n % Math.max(1, taken.length)]
          if (earlier === undefined) continue
          rows.restore(earlier.of)
          model = new Map(earlier.model)
        } else if (row !== undefined && kind === 'replace') {
          const value = { n }
          rows.replace(row, value)
          model.set(row, { key: model.get(row)!.key, value })
        } else if (row !== undefined) {
          rows.remove(row)
          model.delete(row)
        }
      }
      expectModel(model)
      for (const { of, model: then } of taken) {
        rows.restore(of)
        expectModel(then)
      }
    }),
  )
})
