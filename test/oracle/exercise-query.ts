import type { AskedQuery, PatternPlan } from 'singletable/tools'
import { NotRunError } from '../../packages/kit/src/check/exercise/not-run-error.ts'
import { sameValue } from '../../packages/kit/src/check/exercise/same-value.ts'
import { attempt } from './attempt.ts'
import { bucketsRead, openBuckets } from './buckets-read.ts'
import { checkCost } from './check-cost.ts'
import { checkOrder, compareResults, count, type Expectation } from './compare-results.ts'
import { entryOrder } from './entry-order.ts'
import type { ExerciseCase } from './exercise-case.ts'
import type { RunLog } from './exercise-log.ts'
import type { ExerciseTable } from './exercise-table.ts'
import { fillLarge } from './fill-large.ts'
import { fillQuery } from './fill-query.ts'
import {
  inputOf,
  isAnswer,
  isContradictory,
  isSpread,
  type Query,
  type Question,
  useOf,
} from './question.ts'
import { questionsOf } from './questions.ts'
import { type Pages, readAll, readPages } from './read-pages.ts'
import { chooseReference, type ReferenceItem } from './reference-item.ts'
import { compareSortKeys } from './sort-text.ts'
import type { Entry } from './written-items.ts'

/** Runs a query with several inputs, in one piece and in pages of several sizes, among items that
 * it has to distinguish. */
export async function exerciseQuery(each: ExerciseCase, definition: AskedQuery): Promise<void> {
  const { pattern, plan, maker, log } = each
  const query: Query = { pattern, definition, models: pattern.models }
  const reference = chooseReference(query, maker)
  const table = await each.openTable(reference.nowMs)
  await fillQuery(query, plan, reference, table, maker)
  const questions = questionsOf(query, reference)
  const answers = questions.map((question) => answersTo(query, question, table).found.length)
  log.matching = Math.max(0, ...answers)
  log.negatives = table.entries().length - log.matching
  if (log.matching === 0) {
    throw new NotRunError(
      'No sample item could be made that it finds: its keys and its filter leave none',
    )
  }
  for (const [position, question] of questions.entries()) {
    const size = answers[position] ?? 0
    const isMain = size === log.matching && !answers.slice(0, position).includes(size)
    const limits = isMain ? [undefined, 2, size, size + 1] : [undefined, 3]
    for (const limit of limits) await askPages(each, query, question, table, limit)
    await askAll(each, query, question, table)
    await checkCost(each, query, question, table)
  }
  if (!log.hasFailed) await exerciseLarge(each, query, reference)
}

/** A query whose items are so large that DynamoDB itself makes pages of them. */
async function exerciseLarge(
  each: ExerciseCase,
  query: Query,
  reference: ReferenceItem,
): Promise<void> {
  const table = await each.openTable(reference.nowMs)
  const [question] = questionsOf(query, reference)
  if (question === undefined || !(await fillLarge(query, reference, table, each.maker))) return
  // Items of several partitions may fit into one page each.
  await askPages(each, query, question, table, undefined, isSpread(query) ? 1 : 2)
  await askAll(each, query, question, table, true)
}

/** What was found and what is given: the same, unless other items are fetched by it. */
interface Answers {
  readonly found: readonly Entry[]
  readonly given: readonly Entry[]
}

function answersTo(query: Query, question: Question, table: ExerciseTable): Answers {
  const { target } = query.pattern
  const found = query.models
    .flatMap((model) => table.writtenItems.entriesOf(model))
    .filter((entry) => isAnswer(query, question, entry, table.nowMs))
  if (target === undefined || query.models.includes(target)) return { found, given: found }
  const targets = table.writtenItems.entriesOf(target)
  return {
    found,
    given: found.flatMap(({ values }) => targets.find((entry) => refersTo(values, entry)) ?? []),
  }
}

function refersTo(values: Entry['values'], { model, values: theirs }: Entry): boolean {
  return model.primary.names.every((name) => sameValue(values.get(name), theirs.get(name)))
}

/** Reads page after page: nothing is lost or there twice, all pages but the last are full. */
async function askPages(
  { pattern, plan, log }: ExerciseCase,
  query: Query,
  question: Question,
  table: ExerciseTable,
  limit: number | undefined,
  pagesMin = 1,
): Promise<void> {
  const input = inputOf(query, question)
  const options = limit === undefined ? {} : { limit }
  const report = log.run(input, limit === undefined ? undefined : options)
  const answers = answersTo(query, question, table)
  const pagesMax = table.entries().length + 2
  const call = table.pattern(pattern.name)
  table.takeSent()
  const pages = await attempt(report, () => readPages(call, input, options, pagesMax))
  if (pages === undefined) return
  checkIndex(table, plan.index, report)
  check(query, answers, pages, table, report)
  checkSizes(query, answers, pages, { limit: limit ?? query.definition.limit, pagesMin }, report)
}

/** Reads to the end, one by one: each partition is asked once, by as many requests as the plan
 * says. */
async function askAll(
  { pattern, plan, log }: ExerciseCase,
  query: Query,
  question: Question,
  table: ExerciseTable,
  isLarge = false,
): Promise<void> {
  const input = inputOf(query, question)
  const report = log.run(input)
  const isGrouped = query.models.length > 1
  const most = 2 * table.entries().length + 2
  table.takeSent()
  const results = await attempt(report, () =>
    readAll(table.pattern(pattern.name), input, isGrouped, most),
  )
  if (results === undefined) return
  if (!isLarge) checkRequests(query, question, plan, table, report)
  const steps = results.map((result) => [result])
  check(query, answersTo(query, question, table), steps, table, report)
}

/** The requests of the plan, for each bucket of time that the question is about. With a limit, or
 * others to fetch, it takes what it takes. */
function checkRequests(
  query: Query,
  question: Question,
  plan: PatternPlan,
  table: ExerciseTable,
  report: RunLog,
): void {
  const buckets = bucketsRead(query, question, table.nowMs)
  const { target } = query.pattern
  if (buckets === undefined || target || query.definition.limit !== undefined) return
  const requests = table.takeSent().length
  // Where nothing can be, nothing need be asked for.
  if (requests === 0 && isContradictory(query, question)) return
  const expected = buckets * plan.requests
  if (requests === expected) return
  const each = openBuckets(query).length > 0 ? `, ${plan.requests} for each bucket of time` : ''
  report(`${expected} requests${each}`, String(requests))
}

/** Compares results with what they should be; steps are pages, or single results where each came by
 * itself. */
function check(
  query: Query,
  { found, given }: Answers,
  steps: Pages,
  table: ExerciseTable,
  report: RunLog,
): void {
  const { definition, pattern, models } = query
  const results = steps.flat()
  const expectation: Expectation = {
    entries: given,
    project: definition.select,
    isGrouped: models.length > 1,
    others: table.entries(),
  }
  const items = compareResults(expectation, results, report)
  const isFollowed = pattern.target !== undefined && !models.includes(pattern.target)
  // Those that are fetched have the order of those that they are fetched by.
  const ordered = steps.map((step) =>
    step.flatMap((result) => {
      const entry = items.get(result)
      return (entry && isFollowed ? foundBy(found, entry) : entry) ?? []
    }),
  )
  const names = (pattern.target ?? models[0])?.primary.names ?? []
  const isOrderKnown =
    definition.select === undefined || names.every((name) => definition.select?.includes(name))
  if (!isOrderKnown || ordered.flat().length < results.length) return
  checkOrder(ordered, orderOf(query), definition.order === 'desc', report)
}

/** The order of all items that a query finds, of one model or of several. */
function orderOf(query: Query): (one: Entry, next: Entry) => number | undefined {
  const { models, definition } = query
  const orders = new Map(
    models.map((model) => [model, entryOrder(model, useOf(query, model), definition.by)]),
  )
  return (one, next) =>
    one.model === next.model
      ? orders.get(one.model)?.(one.values, next.values)
      : compareSortKeys(one, next, useOf(query, one.model).sort, useOf(query, next.model).sort)
}

/** The only item that a fetched one was fetched by. */
function foundBy(found: readonly Entry[], entry: Entry): Entry | undefined {
  const all = found.filter(({ values }) => refersTo(values, entry))
  return all.length === 1 ? all[0] : undefined
}

function checkSizes(
  query: Query,
  { found, given }: Answers,
  pages: Pages,
  { limit, pagesMin }: { readonly limit: number | undefined; readonly pagesMin: number },
  report: RunLog,
): void {
  const isFan = isSpread(query)
  const filled = pages.filter((page) => page.length > 0)
  const isFull = found.length === given.length
  const needed = limit === undefined ? pagesMin : Math.ceil(found.length / limit)
  // A page that ends where the items end leads to an empty one.
  const most =
    limit === undefined ? (isFan || pagesMin > 1 ? Number.POSITIVE_INFINITY : 1) : needed + 1
  if (pages.length < needed || pages.length > most) {
    report(
      `${count(found.length, found)} in ${needed} ${needed === 1 ? 'page' : 'pages'}`,
      `${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`,
    )
  }
  if (limit === undefined || !isFull) return
  const wrong = filled.find((page, at) => page.length !== limit && at < filled.length - 1)
  const long = filled.find((page) => page.length > limit)
  const odd = wrong ?? long
  if (odd) report(`pages of ${limit}`, `one of ${odd.length}`)
}

/** The index of the plan is the one that was read. */
function checkIndex(table: ExerciseTable, index: string | null, report: RunLog): void {
  for (const { operation, request } of table.takeSent()) {
    if (operation === 'BatchGetItem') continue
    const { IndexName = 'primary' } = request as { readonly IndexName?: string }
    if (operation === 'Query' && IndexName === index) continue
    report(`Query on index "${index}"`, `${operation} on "${IndexName}"`)
    return
  }
}
