import { type Item, itemSizeBytes, keyAttributes } from 'singletable/tools'
import { attempt } from './attempt.ts'
import type { RunLog } from './exercise-log.ts'
import type { ExerciseTable, LooseResult, Sent } from './exercise-table.ts'

/** A write that was done, with what went over the wire and what it changed. */
export interface WatchedWrite {
  readonly result: LooseResult
  readonly sent: readonly Sent[]
  /** The items that are others now, are new or are gone, each as large as it was or is: that is
   * what is paid for. */
  readonly touched: readonly Item[]
}

/** Does a write and looks at what it does; undefined if it fails, which is reported. */
export async function watchWrite(
  table: ExerciseTable,
  report: RunLog,
  run: () => Promise<LooseResult>,
): Promise<WatchedWrite | undefined> {
  const before = await itemsByKey(table)
  table.takeSent()
  const result = await attempt(report, run)
  if (result === undefined) return undefined
  const sent = table.takeSent()
  const after = await itemsByKey(table)
  const touched: Item[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const versions = [before.get(key), after.get(key)]
    const [old, now] = versions.map((item) => item && JSON.stringify(sorted(item)))
    if (old === now) continue
    const present = versions.filter((item): item is Item => item !== undefined)
    touched.push(...present.sort((a, b) => itemSizeBytes(b) - itemSizeBytes(a)).slice(0, 1))
  }
  return { result, sent, touched }
}

async function itemsByKey(table: ExerciseTable): Promise<ReadonlyMap<string, Item>> {
  const names = keyAttributes(table.schema.primary)
  return new Map(
    (await table.stored()).map((item) => [JSON.stringify(names.map((name) => item[name])), item]),
  )
}

/** The order of attributes means nothing. */
function sorted(item: Item): readonly unknown[] {
  return Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))
}
