import { seededRandom } from '../../values/seeded-random.ts'
import { deepEqual, rejects } from './contract-assert.ts'
import { BYTES, type Entry, EVERYTHING, number, read, sort } from './contract-entries.ts'
import type { Storage, StorageRange, StorageValue } from './storage.ts'

/** One may be restored after others, older and younger, were. */
const SNAPSHOTS_KEPT = 3

/** Runs random transactions, snapshots and restores on a storage and on a sorted array, and
 * compares what they read. */
export async function compareWithSortedArray(
  storage: Storage,
  options: { readonly seed: number; readonly operations: number },
): Promise<void> {
  const random = seededRandom(options.seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const someKey = (): string =>
    `${'shared\x00'.repeat(below(3))}${BYTES[below(4) * 85]}${number(below(400)).slice(5)}`
  const someRange = () => ({ start: someKey(), end: someKey(), reverse: random() < 0.5 })
  let model = new SortedArray()
  const saved = [{ model: model.copy(), snapshot: storage.snapshot() }]

  for (let done = 0; done < options.operations; ) {
    const draft = model.copy()
    const failing = random() < 0.1
    const length = 1 + below(20)
    const error = new Error('taken back')
    const running = storage.transaction((transaction) => {
      for (let step = 0; step < length; step++) {
        const kind = random()
        const key = someKey()
        if (kind < 0.5) {
          const value = { n: below(1_000_000) }
          transaction.put(key, value)
          draft.put(key, value)
        } else if (kind < 0.8) {
          transaction.remove(key)
          draft.removeRange(key, `${key}\x00`)
        } else if (kind < 0.82) {
          const range = someRange()
          transaction.removeRange(range)
          draft.removeRange(range.start, range.end)
        } else if (kind < 0.9) {
          const range = someRange()
          deepEqual(read(transaction, range), draft.read(range))
        } else {
          deepEqual(transaction.get(key), draft.get(key))
        }
      }
      if (failing) throw error
    })
    if (failing) await rejects(running, error)
    else {
      await running
      model = draft
    }
    done += length
    const range = someRange()
    deepEqual(read(storage, range), model.read(range))
    const next = random()
    if (next < 0.05) {
      saved[below(SNAPSHOTS_KEPT)] = { model: model.copy(), snapshot: storage.snapshot() }
    } else if (next < 0.1) {
      const point = saved[below(SNAPSHOTS_KEPT)] ?? saved[0]!
      await storage.restore(point.snapshot)
      model = point.model.copy()
    }
  }
  deepEqual(read(storage, EVERYTHING), model.read(EVERYTHING))
}

/** What a storage must behave like, in the plainest way. */
class SortedArray {
  #entries: Entry[] = []

  copy(): SortedArray {
    const copy = new SortedArray()
    copy.#entries = [...this.#entries]
    return copy
  }

  get(key: string): StorageValue | undefined {
    return this.#entries.find(([each]) => each === key)?.[1]
  }

  put(key: string, value: StorageValue): void {
    this.removeRange(key, `${key}\x00`)
    this.#entries = sort([...this.#entries, [key, value]])
  }

  removeRange(start: string, end: string): void {
    this.#entries = this.#entries.filter(([key]) => key < start || key >= end)
  }

  read(range: StorageRange): Entry[] {
    const found = this.#entries.filter(([key]) => key >= range.start && key < range.end)
    return range.reverse === true ? found.reverse() : found
  }
}
