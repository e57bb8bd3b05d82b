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
import { countsOfFailures, type Failure, type FailureLog, failureOf } from './failures.ts'
import { findViolations } from './find-violations.ts'
import { migrateItem } from './migrate-item.ts'
import { printKey } from './print-key.ts'
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
  readonly failures?: FailureLog | undefined
  /** All items should be migrated: those that are not are listed with those that can't be. */
  readonly isVerification?: boolean
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
      const { changed, failure } = await migrateItem(context, item)
      counts = addCounts(counts, { ...NO_COUNTS, read: 1, changed: changed ? 1 : 0 })
      if (failure) note(failure)
      else if (changed) noteUnmigrated(failureOf(versions, item, 'is not migrated'))
      if (changed && examples.length < EXAMPLES_MAX) {
        const rewrite = rewriteItem(versions, item)
        if (rewrite && !rewrite.isSame) {
          const key = printKey(keyFromItem(after.primary, item))
          examples.push({ key, before: item, after: rewrite.after.map((each) => each.item) })
        }
      }
    }
    options.onProgress(counts)
    cursor = page.LastEvaluatedKey
  } while (cursor && !signal.aborted)
  const isWhole = cursor === undefined
  const checked = { ...context, signal, failures: options.failures }
  const counted = isWhole ? await countByScan({ ...checked, onWrong: noteUnmigrated }) : undefined
  if (counted) counts = addCounts(counts, counted)
  const violations = (await findViolations(checked)) ?? NO_COUNTS
  return { counts: addCounts(counts, violations), examples, isWhole }

  function note(failure: Failure): void {
    counts = addCounts(counts, countsOfFailures([failure]))
    options.failures?.add(failure)
  }

  /** It is counted as changed, not as a problem. */
  function noteUnmigrated(failure: Failure): void {
    if (!options.isVerification) return
    counts = addCounts(counts, { ...countsOfFailures([failure]), problems: 0 })
    options.failures?.add(failure)
  }

  function undoLog(): UndoLog | undefined {
    const id = options.undoLogOf
    if (id === undefined || !steps.some((step) => isLossy(step, versions))) return undefined
    return new UndoLog({ transport, tableName, schema: after, id }, 0, false)
  }
}
