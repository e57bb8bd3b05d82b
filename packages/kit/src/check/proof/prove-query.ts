import type { QueryPattern } from 'singletable/tools'
import { type Anchor, chooseAnchor } from './anchor.ts'
import { attempt } from './attempt.ts'
import { checkCost } from './check-cost.ts'
import { checkOrder, compareResults, count, type Expectation } from './compare-results.ts'
import { type EntryOrder, entryOrder } from './entry-order.ts'
import { fillLarge } from './fill-large.ts'
import { fillQuery } from './fill-query.ts'
import type { ProofCase } from './proof-case.ts'
import type { RunLog } from './proof-log.ts'
import type { ProofTable } from './proof-table.ts'
import { inputOf, isAnswer, isSpread, type Query, type Question, useOf } from './question.ts'
import { questionsOf } from './questions.ts'
import { type Pages, type Result, readAll, readPages } from './read-pages.ts'
import { sameValue } from './same-value.ts'
import { UnprovableError } from './unprovable-error.ts'
import type { Entry } from './world.ts'

/** Runs a query with several inputs, in one piece and in pages of several sizes, among items that it has to tell apart. */
export async function proveQuery(each: ProofCase, definition: QueryPattern): Promise<void> {
  const { pattern, plan, maker, log } = each
  const query: Query = { pattern, definition, models: pattern.models }
  const anchor = chooseAnchor(query, maker)
  const table = await each.openTable(anchor.nowMs)
  await fillQuery(query, plan, anchor, table, maker)
  const questions = questionsOf(query, anchor)
  const answers = questions.map((question) => answersTo(query, question, table).found.length)
  log.matching = Math.max(0, ...answers)
  log.decoys = table.entries().length - log.matching
  if (log.matching === 0) {
    throw new UnprovableError(
      'No item could be made up that it finds: its keys and its filter leave none',
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
  if (!log.hasFailed) await proveLarge(each, query, anchor)
}

/** A query whose items are so large that DynamoDB itself makes pages of them. */
async function proveLarge(each: ProofCase, query: Query, anchor: Anchor): Promise<void> {
  const table = await each.openTable(anchor.nowMs)
  const [question] = questionsOf(query, anchor)
  if (question === undefined || !(await fillLarge(query, anchor, table, each.maker))) return
  // Items of several partitions may fit into one page each.
  await askPages(each, query, question, table, undefined, isSpread(query) ? 1 : 2)
  await askAll(each, query, question, table)
}

/** What was found and what is given: the same, unless other items are fetched by it. */
interface Answers {
  readonly found: readonly Entry[]
  readonly given: readonly Entry[]
}

function answersTo(query: Query, question: Question, table: ProofTable): Answers {
  const { target } = query.pattern
  const found = query.models
    .flatMap((model) => table.world.entriesOf(model))
    .filter((entry) => isAnswer(query, question, entry, table.nowMs))
  if (target === undefined || query.models.includes(target)) return { found, given: found }
  const targets = table.world.entriesOf(target)
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
  { pattern, plan, log }: ProofCase,
  query: Query,
  question: Question,
  table: ProofTable,
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
  check(query, answers, pages.flat(), table, report)
  checkSizes(query, answers, pages, { limit: limit ?? query.definition.limit, pagesMin }, report)
}

async function askAll(
  { pattern, log }: ProofCase,
  query: Query,
  question: Question,
  table: ProofTable,
): Promise<void> {
  const input = inputOf(query, question)
  const report = log.run(input)
  const isGrouped = query.models.length > 1
  const most = 2 * table.entries().length + 2
  const results = await attempt(report, () =>
    readAll(table.pattern(pattern.name), input, isGrouped, most),
  )
  if (results) check(query, answersTo(query, question, table), results, table, report)
}

function check(
  query: Query,
  { found, given }: Answers,
  results: readonly Result[],
  table: ProofTable,
  report: RunLog,
): void {
  const { definition, pattern, models } = query
  const expectation: Expectation = {
    entries: given,
    project: definition.project,
    isGrouped: models.length > 1,
    others: table.entries(),
  }
  const came = compareResults(expectation, results, report)
  const orders = new Map<unknown, EntryOrder>(
    models.map((model) => [model, entryOrder(model, useOf(query, model), definition.by)]),
  )
  const isFollowed = pattern.target !== undefined && !models.includes(pattern.target)
  // Those that are fetched have the order of those that they are fetched by.
  const ordered = isFollowed ? came.flatMap((entry) => foundBy(found, entry) ?? []) : came
  const names = (pattern.target ?? models[0])?.primary.names ?? []
  const isTold =
    definition.project === undefined || names.every((name) => definition.project?.includes(name))
  if (!isTold || ordered.length < results.length) return
  const isDescending = definition.order === 'desc'
  checkOrder(ordered, ({ model }) => orders.get(model) ?? (() => 0), isDescending, report)
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
function checkIndex(table: ProofTable, index: string | null, report: RunLog): void {
  for (const { operation, request } of table.takeSent()) {
    if (operation === 'BatchGetItem') continue
    const { IndexName = 'primary' } = request as { readonly IndexName?: string }
    if (operation === 'Query' && IndexName === index) continue
    report(`Query on index "${index}"`, `${operation} on "${IndexName}"`)
    return
  }
}
