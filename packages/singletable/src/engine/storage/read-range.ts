import type { StorageRange, StorageReader } from './storage.ts'

/** All values of a range, in order. Whoever knows what is stored there says of which type they
 * are. */
export function readRange<TValue extends object>(
  reader: StorageReader,
  range: StorageRange,
): TValue[] {
  const values: TValue[] = []
  reader.visit(range, (_key, value) => values.push(value as TValue) > 0)
  return values
}
