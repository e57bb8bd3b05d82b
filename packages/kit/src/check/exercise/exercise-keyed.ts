import type { AskedPattern } from 'singletable/tools'
import { compareCost } from './compare-cost.ts'
import { compareItem } from './compare-outputs.ts'
import type { ExerciseCase } from './exercise-case.ts'
import type { LooseRun, StoredItem } from './exercise-table.ts'
import { fillAll, writeExpired } from './fill-table.ts'
import { isExpired, keyOf } from './item-values.ts'
import { NotRunError } from './not-run-error.ts'

const ITEMS = 6

/** Reads items by key: those that are there, one that has expired, and one that was never
 * written. */
export async function exerciseKeyed(
  each: ExerciseCase,
  definition: Extract<AskedPattern, { readonly op: 'get' | 'batchGet' | 'transactGet' }>,
): Promise<void> {
  const { pattern, maker, log } = each
  const [model] = pattern.models
  if (model === undefined) throw new Error('A pattern by key has a model.')
  const table = await each.openTable()
  await fillAll(table, maker, ITEMS, pattern.models)
  await writeExpired(model, table, maker)
  const all = await table.stored()
  const there = all.filter((item) => item.model === model)
  if (there.length === 0)
    throw new NotRunError(`No sample ${model.name} that it accepts could be made`)
  log.matching = there.length
  log.others = all.length - there.length
  // Of a model whose key has no attributes there is one item.
  const absent =
    model.primary.names.length === 0 || (definition.op === 'get' && definition.unique)
      ? []
      : [{ key: keyOf(model, maker.make(model, new Map())), item: undefined }]
  const isUnique = definition.op === 'get' && definition.unique
  const valuesOf = (values: StoredItem['values']): StoredItem['values'] =>
    isUnique ? new Map(definition.by.map((name) => [name, values.get(name)])) : keyOf(model, values)
  const keys = [
    ...there
      // Values that are optional are unique where there are any.
      .filter(({ values }) => !isUnique || definition.by.every((name) => values.get(name) != null))
      .map((item) => ({
        key: valuesOf(item.values),
        item: isExpired(model, item.values, table.nowMs) ? undefined : item,
      })),
    ...absent,
  ]
  const call = table.pattern(pattern.name)
  const project = 'select' in definition ? definition.select : undefined
  const check = (
    expected: readonly (StoredItem | undefined)[],
    { result, ...run }: LooseRun,
    report: Parameters<typeof compareItem>[2],
  ): void => {
    const items = definition.op === 'get' ? [result.item] : (result.items ?? [])
    if (items.length !== expected.length) report(`${expected.length} results`, `${items.length}`)
    for (const [at, item] of expected.entries()) compareItem(item, items[at], report, project)
    compareCost(each, run, there, report)
  }
  const inputs = keys.map(({ key }) => Object.fromEntries(key))
  if (definition.op !== 'get') {
    const items = keys.map(({ item }) => item)
    await log.run(
      { input: inputs },
      () => call(inputs).measure(),
      (run, report) => check(items, run, report),
    )
    return
  }
  for (const [at, { item }] of keys.entries()) {
    const input = inputs[at]
    await log.run(
      { input },
      () => call(input).measure(),
      (run, report) => check([item], run, report),
    )
  }
}
