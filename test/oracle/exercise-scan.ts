import { itemSizeBytes, type Model, unitsToRead } from 'singletable/tools'
import type { Values } from '../../packages/kit/src/check/exercise/item-values.ts'
import { isExpired } from '../../packages/kit/src/check/exercise/item-values.ts'
import { NotRunError } from '../../packages/kit/src/check/exercise/not-run-error.ts'
import { attempt } from './attempt.ts'
import { compareUnits } from './check-cost.ts'
import { compareResults } from './compare-results.ts'
import type { ExerciseCase } from './exercise-case.ts'
import type { ExerciseTable } from './exercise-table.ts'
import { writeLarge } from './fill-large.ts'
import { readAll, readPages } from './read-pages.ts'

const ITEMS = 11

/** Reads the whole table for the items of one entity, among those of all others. */
export async function exerciseScan(each: ExerciseCase): Promise<void> {
  const { pattern, maker, log } = each
  const [model] = pattern.models
  if (model === undefined) {
    throw new NotRunError("It reads the whole table and names no entity, so it can't be called")
  }
  const table = await each.openTable()
  for (const other of table.schema.models.values()) {
    for (let number = 0; number < (other === model ? ITEMS : 3); number++) {
      await table.write(other, maker.make(other, new Map()))
    }
  }
  const { ttl } = model.source ?? model
  if (ttl) {
    const past = table.nowMs - 1000
    const value = ttl.definition.type === Date ? new Date(past) : Math.floor(past / 1000)
    const expired: Values = new Map([[ttl.name, value]])
    await table.write(model, maker.make(model, expired))
  }
  const { matching, negatives } = await askScan(each, model, table, 1)
  log.matching = matching
  log.negatives = negatives
  const large = await each.openTable()
  const { index } = model.primary
  const isWritten = await writeLarge({ model, index, used: [], table: large }, () =>
    maker.make(model, new Map()),
  )
  // So large that DynamoDB itself makes pages of them.
  if (isWritten) await askScan(each, model, large, 2)
}

async function askScan(
  { pattern, log }: ExerciseCase,
  model: Model,
  table: ExerciseTable,
  pagesMin: number,
): Promise<{ readonly matching: number; readonly negatives: number }> {
  const entries = table.writtenItems
    .entriesOf(model)
    .filter((entry) => !isExpired(entry.model, entry.values, table.nowMs))
  const others = table.entries()
  const expectation = { entries, project: undefined, isGrouped: false, others }
  const scan = table.pattern(pattern.name)
  for (const limit of [undefined, 1, 3, entries.length]) {
    const options = limit === undefined ? {} : { limit }
    const report = log.run({}, options)
    const pages = await attempt(report, () => readPages(scan, {}, options, others.length + 2))
    if (pages === undefined) continue
    compareResults(expectation, pages.flat(), report)
    const long = pages.find((page) => limit !== undefined && page.length > limit)
    if (long) report(`pages of ${limit}`, `one of ${long.length}`)
    if (pages.length < pagesMin && limit === undefined) report(`${pagesMin} pages`, '1 page')
  }
  const report = log.run({})
  const all = await attempt(report, () => readAll(scan, {}, false, 2 * others.length + 2))
  if (all) compareResults(expectation, all, report)
  const run = await attempt(report, () => scan({}).measure())
  // Each page is rounded up to half a unit.
  if (run) compareUnits(run.consumed, (await wholeUnits(table)) + (run.requests - 1) / 2, report)
  return { matching: entries.length, negatives: others.length - entries.length }
}

async function wholeUnits(table: ExerciseTable): Promise<number> {
  const bytes = (await table.stored()).reduce((sum, item) => sum + itemSizeBytes(item), 0)
  return unitsToRead(bytes, 'eventual')
}
