import {
  type AttributeValue,
  BATCH_GET_KEYS_MAX,
  getOwn,
  itemSizeBytes,
  type Model,
  type PatternPlan,
  unitsToRead,
} from 'singletable/tools'
import { isIndexed } from '../../packages/kit/src/check/exercise/item-values.ts'
import { attempt } from './attempt.ts'
import { openBuckets } from './buckets-read.ts'
import type { ExerciseCase } from './exercise-case.ts'
import type { RunLog } from './exercise-log.ts'
import type { ExerciseTable } from './exercise-table.ts'
import { inputOf, isSpread, mayBeRead, type Query, type Question, useOf } from './question.ts'

/** What a page may take, by its plan. */
interface Budget {
  readonly itemsRead: number
  readonly bytesRead: number
  /** Items that are fetched by what was found, each by its key. */
  readonly fetched: number
  readonly fetchedBlocks: number
}

/** Runs a query for one page, and compares what that took with what the plan says: items read,
 * requests, capacity units. */
export async function checkCost(
  { pattern, plan, log }: ExerciseCase,
  query: Query,
  question: Question,
  table: ExerciseTable,
): Promise<void> {
  const input = inputOf(query, question)
  const report = log.run(input)
  table.takeSent()
  const run = await attempt(report, () => table.pattern(pattern.name)(input).measure())
  // Bounds that contradict each other can end before anything is asked.
  if (run === undefined || run.requests === 0) return
  const queries = table.takeSent().filter(({ operation }) => operation === 'Query').length
  const { target } = pattern
  const budget = await budgetOf(query, plan, question, table)
  const most = budget.itemsRead + budget.fetched
  if (run.itemsRead > most) report(`at most ${most} items read`, String(run.itemsRead))
  const fetches = target ? Math.ceil(budget.fetched / BATCH_GET_KEYS_MAX) : 0
  // With a limit it can take more to find this many among others.
  if (!isSpread(query) && query.definition.limit === undefined && run.requests > 1 + fetches) {
    report(`${1 + fetches} requests`, String(run.requests))
  }
  const isStrong = query.definition.consistent === true
  const blocks = unitsToRead(budget.bytesRead, 'strong') + Math.max(0, queries - 1)
  const units = blocks * (isStrong ? 1 : 0.5) + budget.fetchedBlocks * 0.5
  compareUnits(run.consumed, units, report)
  const isDeclared =
    plan.cost !== null &&
    budget.itemsRead <= declaredItems(query) &&
    openBuckets(query).length === 0
  if (isDeclared && (await isOfDeclaredSize(query, table))) {
    compareUnits(run.consumed, plan.cost.rru, report, ` (${plan.cost.basis})`)
  }
}

export function compareUnits(
  consumed: number | undefined,
  most: number,
  report: RunLog,
  basis = '',
): void {
  if (consumed === undefined || consumed > most) {
    report(`at most ${most} read units${basis}`, String(consumed ?? 'none reported'))
  }
}

async function budgetOf(
  query: Query,
  plan: PatternPlan,
  question: Question,
  table: ExerciseTable,
): Promise<Budget> {
  const { target } = query.pattern
  const entries = table.entries()
  const own = entries.filter((entry) => mayBeRead(query, question, entry))
  const leaks = entries.filter(
    ({ model, values }) =>
      plan.alsoReads.includes(model.name) && isIndexed(useOf(query, model), values),
  )
  const models = [...query.models, ...leaks.map(({ model }) => model)]
  const fetched = target ? own.length : 0
  // Of a shard a part of the limit is taken, and where that is too little it is read again from
  // there on.
  const times = query.definition.limit === undefined ? 1 : plan.requests
  const itemsRead = times * (own.length + leaks.length)
  return {
    itemsRead,
    bytesRead: itemsRead * (await bytesMax(table, models)),
    fetched,
    fetchedBlocks: target ? fetched * unitsToRead(await bytesMax(table, [target]), 'strong') : 0,
  }
}

/** The size of the largest item of some models. */
export async function bytesMax(table: ExerciseTable, models: readonly Model[]): Promise<number> {
  const { typeField } = table.schema.params
  const types = new Set(models.map(({ name }) => name))
  const sizes = (await table.stored())
    .filter((item) => types.has(typeOf(getOwn(item, typeField))))
    .map(itemSizeBytes)
  return Math.max(0, ...sizes)
}

function typeOf(value: AttributeValue | undefined): string {
  return value?.S ?? ''
}

/** How many items the plan's cost is for. */
function declaredItems({ definition, models: [model] }: Query): number {
  const { expect, where, limit } = definition
  const average = model && statsOf(model)?.perPartition?.average
  return expect?.itemsRead ?? (where ? undefined : limit) ?? average ?? 0
}

async function isOfDeclaredSize(
  { definition, models, pattern }: Query,
  table: ExerciseTable,
): Promise<boolean> {
  const [model] = models
  const declared = definition.expect?.itemBytes ?? (model && statsOf(model)?.itemBytes) ?? 0
  const { target } = pattern
  const ofTarget = target ? (statsOf(target)?.itemBytes ?? 0) : Number.POSITIVE_INFINITY
  return (
    (await bytesMax(table, models)) <= declared &&
    (target === undefined || (await bytesMax(table, [target])) <= ofTarget)
  )
}

function statsOf(model: Model):
  | {
      readonly itemBytes?: number
      readonly perPartition?: { readonly average?: number }
    }
  | undefined {
  return getOwn(model.schema.definition.models, model.name)?.stats
}
