import {
  type Item,
  isLossy,
  keyFromItem,
  rewriteItem,
  type Transport,
  type Versions,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { countByScan } from './count-by-scan.ts'
import { createItemCounter } from './count-items.ts'
import { addCounts, type Counts, NO_COUNTS } from './counts.ts'
import { findViolations } from './find-violations.ts'
import { migrateItem, printKey } from './migrate-item.ts'
import { UndoLog } from './undo-log.ts'

export interface DryRunOptions {
  readonly transport: Transport
  readonly tableName: string
  readonly versions: Versions
  /** The migration whose undo log would be kept: what is too large for it is reported. */
  readonly undoLogOf?: string | undefined
  /** Read no more than this many items; all of them if undefined. */
  readonly itemsMax?: number | undefined
  readonly signal: AbortSignal
  onProgress(counts: Counts): void
  /** Called with each item that is read. */
  onItem?(item: Item): void
}

/** An item before and after. */
export interface Example {
  readonly key: string
  readonly before: Item
  readonly after: readonly Item[]
}

export interface DryRun {
  readonly counts: Counts
  readonly examples: readonly Example[]
  /** False if it was interrupted, or if not all items were read. */
  readonly isWhole: boolean
}

const EXAMPLES_MAX = 5

/** Reads items, computes what would become of them, and writes nothing. */
export async function dryRun(options: DryRunOptions): Promise<DryRun> {
  const { transport, tableName, versions, signal, itemsMax = Number.POSITIVE_INFINITY } = options
  const { after, steps } = versions
  const context = {
    transport,
    tableName,
    versions,
    count: createItemCounter({ transport, tableName, after, steps }),
    undo: undoLog(),
    isDry: true,
  }
  let counts = NO_COUNTS
  const examples: Example[] = []
  let cursor: Item | undefined
  do {
    const page = await sendPatiently(transport, 'Scan', {
      TableName: tableName,
      ConsistentRead: true,
      ...(cursor && { ExclusiveStartKey: cursor }),
    })
    for (const item of page.Items ?? []) {
      if (counts.read >= itemsMax) return { counts, examples, isWhole: false }
      options.onItem?.(item)
      const { changed, problem } = await migrateItem(context, item)
      const key = printKey(keyFromItem(after.primary, item))
      counts = addCounts(counts, {
        read: 1,
        changed: changed ? 1 : 0,
        conflicts: 0,
        problems: problem === undefined ? 0 : 1,
        examples: problem === undefined ? [] : [`${key} ${problem}`],
      })
      if (changed && examples.length < EXAMPLES_MAX) {
        const rewrite = rewriteItem(versions, item)
        if (rewrite && !rewrite.isSame) {
          examples.push({ key, before: item, after: rewrite.after.map((each) => each.item) })
        }
      }
    }
    options.onProgress(counts)
    cursor = page.LastEvaluatedKey
  } while (cursor && !signal.aborted)
  const isWhole = cursor === undefined
  const counted = isWhole ? await countByScan({ ...context, signal }) : undefined
  if (counted) counts = addCounts(counts, counted)
  const found = (await findViolations({ ...context, signal })) ?? []
  const violations = { ...NO_COUNTS, problems: found.length, examples: found }
  return { counts: addCounts(counts, violations), examples, isWhole }

  function undoLog(): UndoLog | undefined {
    const id = options.undoLogOf
    if (id === undefined || !steps.some((step) => isLossy(step, versions))) return undefined
    return new UndoLog({ transport, tableName, schema: after, id }, 0, false)
  }
}
