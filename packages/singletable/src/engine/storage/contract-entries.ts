import type { Storage, StorageKey, StorageRange, StorageReader, StorageValue } from './storage.ts'

/** What the storage contract writes and reads. */
export type Entry = [key: StorageKey, value: StorageValue]

export const EVERYTHING: StorageRange = { start: '', end: '\xff'.repeat(64) }
export const BYTES: readonly string[] = Array.from({ length: 256 }, (_, unit) =>
  String.fromCharCode(unit),
)

export function read(reader: StorageReader, range: StorageRange): Entry[] {
  const entries: Entry[] = []
  reader.visit(range, (key, value) => entries.push([key, value]) > 0)
  return entries
}

export function readKeys(reader: StorageReader, range: StorageRange): string[] {
  return read(reader, range).map(([key]) => key)
}

export function put(storage: Storage, entries: readonly Entry[]): Promise<void> {
  return storage.transaction((transaction) => {
    for (const [key, value] of entries) transaction.put(key, value)
  })
}

export function sort(entries: readonly Entry[]): Entry[] {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
}

export function letters(text: string): Entry[] {
  return [...text].map((letter) => [letter, { n: letter }])
}

export function number(n: number): string {
  return String(n).padStart(8, '0')
}
