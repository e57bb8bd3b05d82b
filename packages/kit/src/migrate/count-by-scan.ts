import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  derivedOf,
  getOwn,
  type Item,
  keyFromItem,
  type Model,
  modelOf,
  RewriteProblem,
  rewriteItem,
} from 'singletable/tools'
import { sendPatiently } from '../transfer/send-patiently.ts'
import { type CounterOf, countersOf, isFoundByKey, plain, setCounter } from './count-items.ts'
import { CounterTally, type SeenCounter } from './counter-tally.ts'
import { addCounts, type Counts, NO_COUNTS } from './counts.ts'
import { countsOfFailures, type Failure, failureOf } from './failures.ts'
import type { CheckContext } from './find-violations.ts'
import { migrateItem } from './migrate-item.ts'
import { printKey } from './print-key.ts'
import { scanPages } from './scan-pages.ts'

/** A counter that is changed during each of these counts is reported. */
const ROUNDS_MAX = 5

interface Form {
  readonly model: Model
  readonly item: Item
}

/**
 * Counts what the keys of the table don't find, in complete consistent reads of the table: first
 * the parents, then the items that they count. A counter is set only if it is still as it was found
 * before the count; the others are counted again. Undefined if it was interrupted.
 */
export async function countByScan(
  context: CheckContext & {
    /** Called before each page; throws, or aborts the signal, when this process may not continue. */
    requireLock?(): void | Promise<void>
    /** Takes, of a dry run, the items whose counters are wrong. */
    onWrong?(failure: Failure): void
  },
): Promise<Counts | undefined> {
  const { transport, tableName, versions, signal, isDry } = context
  const { after, steps } = versions
  const counters = countersOf(after, steps).filter((each) => !isFoundByKey(each))
  if (counters.length === 0) return NO_COUNTS
  const site = { tableName, now: 0 }
  // Loaded only here: most migrations need no file.
  const { open } = await import('lmdb')
  const directory = mkdtempSync(path.join(tmpdir(), 'singletable-count-'))
  const tally = new CounterTally(
    open<SeenCounter, string>({ path: path.join(directory, 'counts'), noSync: true }),
  )
  try {
    let sum = NO_COUNTS
    for (let round = 0; ; round++) {
      await tally.clear()
      await eachForm(({ model, item }, at) => {
        for (const { parent, attribute } of countersIn(model)) {
          if (parent.name !== model.name) continue
          const found = getOwn(item, attribute.stored)?.N ?? null
          tally.find(keyFromItem(after.primary, item), attribute.stored, found, at)
        }
      })
      await eachForm(({ model, item }) => {
        for (const write of derivedOf(model, item, site)) {
          if (write.kind !== 'count') continue
          const { parent, attribute, key, by } = write
          if (isOneOf(parent, attribute.name)) tally.add(key, attribute.stored, by)
        }
      })
      const { changed, unsettled } = await settle()
      if (signal.aborted) return undefined
      sum = isDry ? { ...NO_COUNTS, changed } : addCounts(sum, { ...NO_COUNTS, changed })
      // What was set is counted once more: while it was counted, one item may have come and another
      // one gone.
      if (unsettled.length === 0 && (isDry || changed === 0)) {
        if (isDry && changed > 0) await settle(context.onWrong)
        return sum
      }
      if (round + 1 < ROUNDS_MAX) continue
      for (const failure of unsettled) context.failures?.add(failure)
      return addCounts(sum, countsOfFailures(unsettled))
    }
  } finally {
    await tally.close()
    rmSync(directory, { recursive: true, force: true })
  }

  function isOneOf(parent: Model, attribute: string): boolean {
    return counters.some(
      ({ counter }) => counter.parent.name === parent.name && counter.attribute.name === attribute,
    )
  }

  function countersIn(model: Model): readonly CounterOf['counter'][] {
    return counters
      .map(({ counter }) => counter)
      .filter((counter) => counter.parent.name === model.name)
  }

  async function eachForm(note: (form: Form, at: Item) => void): Promise<void> {
    await scanPages(context, async (items) => {
      await context.requireLock?.()
      tally.change(() => {
        for (const item of items) {
          for (const form of formsOf(item)) note(form, keyFromItem(after.primary, item))
        }
      })
    })
  }

  /** An item as the migration leaves it. It has done so, unless it is only tried. */
  function formsOf(item: Item): readonly Form[] {
    try {
      const rewrite = isDry ? rewriteItem(versions, item) : undefined
      if (rewrite) return rewrite.after
    } catch (error) {
      // The pass over the items reports it.
      if (error instanceof RewriteProblem) return []
      throw error
    }
    const model = modelOf({ schema: after }, item)
    return model && !model.source ? [{ model, item }] : []
  }

  /** Sets the counters that are wrong, or counts them only. */
  async function settle(
    onWrong?: (failure: Failure) => void,
  ): Promise<{ changed: number; unsettled: readonly Failure[] }> {
    let changed = 0
    const unsettled: Failure[] = []
    let last: string | undefined
    for (const { parent, attribute, sum, found, at } of tally.counters()) {
      if (signal.aborted) break
      // The parent of some items is missing, or was not there yet.
      if (found === undefined || at === undefined) continue
      if (found !== null && plain(found) === sum) continue
      await context.requireLock?.()
      const { Item: current } = await sendPatiently(transport, 'GetItem', {
        TableName: tableName,
        Key: at,
        ConsistentRead: true,
      })
      const key = printKey(parent)
      const form =
        current &&
        formsOf(current).find(({ item }) => printKey(keyFromItem(after.primary, item)) === key)
      if (current === undefined || form === undefined) continue
      const counter = countersIn(form.model).find((each) => each.attribute.stored === attribute)
      if (counter === undefined) continue
      const known = getOwn(form.item, attribute)
      const failed = (reason: string): Failure => {
        const { name } = counter.attribute
        const step = steps.find(
          (each) =>
            each.kind === 'countItems' && each.model === form.model.name && each.attribute === name,
        )
        return { ...failureOf(versions, current, reason, step), key: parent }
      }
      const stillChanging = 'is counted while others change the count, again and again'
      if ((known?.N ?? null) !== found) unsettled.push(failed(stillChanging))
      else if (!isDry) {
        if (await setCounter({ transport, tableName, after }, counter, at, known, sum)) changed++
        else unsettled.push(failed(stillChanging))
      } else if (key !== last && !(await migrateItem(context, current)).changed) {
        // An item that changes anyway is reported once.
        changed++
        onWrong?.(failed(`has a wrong "${counter.attribute.name}": it should be ${sum}`))
        last = key
      }
    }
    return { changed, unsettled }
  }
}
