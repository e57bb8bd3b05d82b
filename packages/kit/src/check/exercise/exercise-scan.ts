import { compareResults, readPages } from './compare-outputs.ts'
import type { ExerciseCase } from './exercise-case.ts'
import { fillAll, writeExpired } from './fill-table.ts'
import { isExpired } from './item-values.ts'
import { NotRunError } from './not-run-error.ts'

/** Reads the whole table for the items of one entity, among those of all others. */
export async function exerciseScan({
  pattern,
  maker,
  log,
  openTable,
}: ExerciseCase): Promise<void> {
  const [model] = pattern.models
  if (model === undefined) {
    throw new NotRunError("It reads the whole table and names no entity, so it can't be called")
  }
  const table = await openTable()
  await fillAll(table, maker, 5, pattern.models)
  await writeExpired(model, table, maker)
  const all = await table.stored()
  const expected = all.filter(
    (item) => item.model === model && !isExpired(item.model, item.values, table.nowMs),
  )
  log.matching = expected.length
  log.others = all.length - expected.length
  const scan = table.pattern(pattern.name)
  for (const options of [{}, { limit: 2 }]) {
    await log.run(
      { input: {}, options },
      () => readPages(scan, {}, options, all.length + 2),
      (results, report) => compareResults(expected, results, { all }, report),
    )
  }
  await log.run(
    { input: {} },
    () => scan({}).measure(),
    ({ consumed }) => log.consumed(consumed),
  )
}
