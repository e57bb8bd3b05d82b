import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { GroupStorage } from './group-storage.ts'
import { type LmdbFile, openLmdbFile } from './lmdb-file.ts'
import { DIRECT_BYTES_MAX } from './physical-keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'singletable-long-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const RUNS = Number(process.env.PROPERTY_RUNS ?? 25)

/** Keys around the length at which they are cut, once, twice and many times, with few different
 * bytes, so that long beginnings are shared. */
const byte = fc.constantFrom('\x00', '\x01', 'k', '\xff')
const length = fc
  .tuple(fc.constantFrom(0, 1, 2, 3, 6), fc.integer({ min: -2, max: 2 }))
  .map(([times, more]) => Math.max(0, times * DIRECT_BYTES_MAX + more))
const key = fc
  .tuple(byte, length, fc.array(byte, { maxLength: 3 }), fc.nat(3))
  .map(([fill, bytes, changes, step]) => {
    const units = new Array<string>(bytes).fill(fill)
    // Changes from the end on, in steps that reach from one piece into the one before.
    for (const [n, change] of changes.entries()) {
      const at = bytes - 1 - n * (1 + step * 700)
      if (at >= 0) units[at] = change
    }
    return units.join('')
  })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), key, n: fc.nat(99) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('range' as const), key, end: key }) },
)

let count = 0

function openFile(): LmdbFile {
  return openLmdbFile(join(folder, `${count++}.mdb`), { acknowledgeBeforeFlush: true })
}

test('keys of any length are found, visited both ways and removed as in a sorted list', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { maxLength: 12 }),
      fc.array(fc.tuple(key, key), { maxLength: 6 }),
      async (groups, ranges) => {
        const file = openFile()
        const storage = new GroupStorage({ file, path: folder })
        const model = new Map<string, number>()
        for (const steps of groups) {
          await storage.transaction((transaction) => {
            for (const each of steps) {
              if (each.kind === 'put') {
                transaction.put(each.key, { n: each.n })
                model.set(each.key, each.n)
              } else if (each.kind === 'remove') {
                transaction.remove(each.key)
                model.delete(each.key)
              } else {
                transaction.removeRange({ start: each.key, end: each.end })
                for (const one of [...model.keys()]) {
                  if (one >= each.key && one < each.end) model.delete(one)
                }
              }
            }
          })
        }
        const sorted = [...model].sort(([one], [other]) => (one < other ? -1 : 1))
        for (const [one, n] of sorted) expect(storage.get(one)).toEqual({ n })
        const all = ['', '\xff'.repeat(12_000)] as const
        for (const [start, end] of [all, ...ranges]) {
          const wanted = sorted.filter(([one]) => one >= start && one < end)
          for (const reverse of [false, true]) {
            const seen: [string, number][] = []
            storage.visit(
              { start, end, reverse },
              (one, value) => seen.push([one, (value as { n: number }).n]) > 0,
            )
            expect(same(seen, reverse ? [...wanted].reverse() : wanted)).toBe(true)
          }
          expect(storage.get(start)).toEqual(model.has(start) ? { n: model.get(start) } : undefined)
        }
        await storage.transaction((transaction) => {
          for (const [one] of sorted) transaction.remove(one)
        })
        // Nothing is left behind of keys that are gone but the number of the last space.
        const point = file.readPoint()
        const left = [...file.range({ start: '\0', end: '\xff', reverse: false }, point)]
        expect(left.map((entry) => entry.key).filter((one) => one !== '\0last-space')).toEqual([])
        file.release(point)
        await storage.close()
      },
    ),
    { numRuns: RUNS },
  )
})

/** Keys of thousands of bytes are of no use in a message. */
function same(seen: readonly [string, number][], wanted: readonly [string, number][]): boolean {
  return (
    seen.length === wanted.length &&
    seen.every(([one, n], index) => one === wanted[index]![0] && n === wanted[index]![1])
  )
}

test('a key of 12 KB, the longest of the engine, is stored next to its neighbours', async () => {
  const storage = new GroupStorage({ file: openFile(), path: folder })
  const keys = ['a', 'b', ''].map((last) => '\x00'.repeat(12_287) + last).sort()
  await storage.transaction((transaction) => {
    for (const [n, each] of keys.entries()) transaction.put(each, { n })
  })
  const seen: object[] = []
  storage.visit({ start: '', end: '\x01' }, (_key, value) => seen.push(value) > 0)
  expect(seen).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
  await storage.close()
})
