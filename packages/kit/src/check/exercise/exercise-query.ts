import type { AskedQuery, Attribute, Model } from 'singletable/tools'
import { acceptsValue } from '../../seed/accepts-value.ts'
import { compareCost } from './compare-cost.ts'
import { compareResults, type Result, readPages, resultsOf } from './compare-outputs.ts'
import { compareValues } from './compare-values.ts'
import type { ExerciseCase } from './exercise-case.ts'
import type { Report } from './exercise-log.ts'
import type { ExerciseTable, StoredItem } from './exercise-table.ts'
import { unlessUnseedable, writeExpired } from './fill-table.ts'
import type { ItemMaker } from './item-maker.ts'
import type { Values } from './item-values.ts'
import { neighboursOf } from './neighbours.ts'
import { NotRunError } from './not-run-error.ts'
import {
  chooseReference,
  inputOf,
  isAnswer,
  type QueryReference,
  rangesOf,
  requiredBy,
  useOf,
  withAndWithout,
} from './query-reference.ts'
import { sameValue } from './same-value.ts'

const MATCHES = 8
const NEAR_MISSES_MAX = 3
const OTHERS = 2

/** Runs a query with several inputs, in one piece and in pages, among items that it has to
 * distinguish. */
export async function exerciseQuery(each: ExerciseCase, definition: AskedQuery): Promise<void> {
  const { pattern, maker, log } = each
  const reference = chooseReference(pattern, definition, maker)
  const table = await each.openTable(reference.nowMs)
  for (const model of pattern.models) await writeMatches(reference, model, table, maker)
  await writeOthers(reference, table, maker)
  if (pattern.target) await writeTargets(reference, pattern.target, table, maker)
  const all = await table.stored()
  const questions = withAndWithout(reference).flatMap((asked) =>
    rangesOf(asked).map((range) => ({
      input: inputOf(asked, range),
      found: all.filter((item) => isAnswer(asked, range, item, table.nowMs)),
    })),
  )
  log.matching = Math.max(...questions.map(({ found }) => found.length))
  log.others = all.length - log.matching
  if (log.matching === 0) {
    throw new NotRunError('No item could be made that it finds: its keys and its filter leave none')
  }
  const query = table.pattern(pattern.name)
  for (const { input, found } of questions) {
    const expected = fetchedBy(reference, found, all)
    for (const limit of definition.gives ? [] : [undefined, 2]) {
      const options = limit === undefined ? {} : { limit }
      await log.run(
        { input, ...(limit !== undefined && { options }) },
        () => readPages(query, input, options, all.length + 2),
        (results, report) => {
          compareResults(expected, results, { all, project: definition.select }, report)
          checkOrder(reference, results, report)
        },
      )
    }
    await log.run(
      { input },
      () => query(input).measure(),
      (run, report) => {
        const given = resultsOf(run.result)
        const isAll = given.length < (definition.limit ?? Number.POSITIVE_INFINITY)
        const { count, exists = (count ?? 0) > 0 } = run.result
        if (definition.gives) {
          const isRight =
            exists === expected.length > 0 && (count ?? expected.length) === expected.length
          if (!isRight) report(`${definition.gives} of ${expected.length}`, String(count ?? exists))
        } else if (isAll)
          compareResults(expected, given, { all, project: definition.select }, report)
        compareCost(each, run, [...found, ...expected], report)
      },
    )
  }
}

/** The items themselves, or those that are fetched by what was found. */
function fetchedBy(
  { pattern: { target, models } }: QueryReference,
  found: readonly StoredItem[],
  all: readonly StoredItem[],
): readonly StoredItem[] {
  if (target === undefined || models.includes(target)) return found
  const targets = all.filter(({ model }) => model === target)
  return found.flatMap(({ values }) => targets.find((item) => hasKey(item, values)) ?? [])
}

function hasKey({ model, values }: StoredItem, key: Values): boolean {
  return model.primary.names.every((name) => sameValue(values.get(name), key.get(name)))
}

/** Items that match, and items that differ from them in one thing. */
async function writeMatches(
  { definition, by, spread, filter }: QueryReference,
  model: Model,
  table: ExerciseTable,
  maker: ItemMaker,
): Promise<void> {
  const source = model.source ?? model
  const attributeOf = (name: string): Attribute | undefined =>
    source.attributes.get(name) ?? model.attributes.get(name)
  const range = attributeOf(definition.range ?? '')
  const matching = (number: number): Map<string, unknown> => {
    const value = spread[number % spread.length]
    return new Map([
      ...requiredBy(definition, model),
      ...[...filter.passing].map(([name, good]) => [name, good[number % good.length]] as const),
      ...(range && acceptsValue(range, source, value) ? [[range.name, value] as const] : []),
      ...by,
    ])
  }
  for (let number = 0; number < MATCHES; number++) {
    await table.write(model, maker.make(model, matching(number)))
  }
  const near = [...by].map(([name, value]) => {
    const attribute = attributeOf(name)
    return [name, attribute ? neighboursOf(attribute, source, value) : []] as const
  })
  for (const [name, values] of [...near, ...filter.failing]) {
    for (const value of values.slice(0, NEAR_MISSES_MAX)) {
      await table.write(model, maker.make(model, new Map([...matching(0), [name, value]])))
    }
  }
  await writeExpired(model, table, maker, matching(0))
}

/** Items of the other models that have the same values as far as they have the attributes. */
async function writeOthers(
  { pattern, by }: QueryReference,
  table: ExerciseTable,
  maker: ItemMaker,
): Promise<void> {
  for (const model of table.schema.models.values()) {
    // An item also makes the copies of it.
    if (model.source || pattern.models.some(({ source }) => source === model)) continue
    if (pattern.models.includes(model)) continue
    const shared = [...by].filter(([name, value]) => {
      const attribute = model.attributes.get(name)
      return attribute !== undefined && acceptsValue(attribute, model, value)
    })
    await unlessUnseedable(async () => {
      for (let number = 0; number < OTHERS; number++) {
        await table.write(model, maker.make(model, new Map(shared)))
      }
    })
  }
}

/** What is fetched by the items that were found. */
async function writeTargets(
  { pattern: { models } }: QueryReference,
  target: Model,
  table: ExerciseTable,
  maker: ItemMaker,
): Promise<void> {
  if (models.includes(target)) return
  for (const { model, values } of await table.stored()) {
    if (!models.includes(model)) continue
    const key = new Map(target.primary.names.map((name) => [name, values.get(name)]))
    await table.write(target, maker.make(target, key))
  }
}

/** Results come in the order of the attribute that has the range. */
function checkOrder(
  { pattern: { models, target }, definition }: QueryReference,
  results: readonly Result[],
  report: Report,
): void {
  const { range, order } = definition
  const [model, ...others] = models
  if (range === undefined || model === undefined || others.length > 0 || target) return
  const { hash, sort } = useOf(definition, model)
  const isOther = [...hash, ...sort].some(({ template }) =>
    template?.components.some(
      ({ name, lossy, descending }) => name === range && (lossy || descending),
    ),
  )
  // A key can have its values backwards, or only a part of them.
  if (isOther) return
  const isDecimal = model.attributes.get(range)?.definition.type === 'decimal'
  const sign = order === 'desc' ? -1 : 1
  const wrong = results.findIndex(
    ({ output }, at) =>
      at > 0 &&
      // Where one text begins with another, the order is that of what follows them in the key.
      (isDecimal || typeof output[range] !== 'string') &&
      sign * (compareValues(results[at - 1]?.output[range], output[range], isDecimal) ?? 0) > 0,
  )
  if (wrong > 0) report(`results in the order of ${range}`, `result ${wrong + 1} is out of order`)
}
