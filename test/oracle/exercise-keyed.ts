import {
  type AskedQuery,
  type GetPattern,
  type ManyPattern,
  type Model,
  unitsToRead,
} from 'singletable/tools'
import type { Values } from '../../packages/kit/src/check/exercise/item-values.ts'
import { isExpired } from '../../packages/kit/src/check/exercise/item-values.ts'
import { neighboursOf } from '../../packages/kit/src/check/exercise/neighbours.ts'
import { showValue } from '../../packages/kit/src/text/show-value.ts'
import { attempt } from './attempt.ts'
import { bytesMax, compareUnits } from './check-cost.ts'
import { isOutputOf, showEntry } from './entry-output.ts'
import type { ExerciseCase } from './exercise-case.ts'
import type { RunLog } from './exercise-log.ts'
import type { ExerciseTable, Output } from './exercise-table.ts'
import { negativesFor } from './negative-examples.ts'
import { mayBeRead, type Query } from './question.ts'
import { chooseReference, fixedFor } from './reference-item.ts'
import type { Entry } from './written-items.ts'

/** One more than fit into a request. */
const BATCH_ITEMS = 101
const TRANSACTION_ITEMS = 12
const GET_ITEMS = 4

/** Reads items by key: those that are there, those that nearly are, and several at once. */
export async function exerciseKeyed(
  each: ExerciseCase,
  definition: GetPattern | ManyPattern,
): Promise<void> {
  const { pattern, maker, plan, log } = each
  const [model] = pattern.models
  if (model === undefined) throw new Error('A pattern by key has a model.')
  const query = asQuery(each, model, definition)
  const reference = chooseReference(query, maker)
  const table = await each.openTable()
  const first = maker.make(model, fixedFor(query, model, reference))
  await table.write(model, first)
  const keys: Values[] = [keyOf(definition.by, first)]
  const source = model.source ?? model
  for (const name of definition.by) {
    const attribute = source.attributes.get(name)
    if (attribute === undefined) continue
    for (const [position, value] of neighboursOf(attribute, source, first.get(name)).entries()) {
      const other = new Map([...first, [name, value]])
      keys.push(keyOf(definition.by, other))
      // Of the neighbours some are there, and some are not.
      if (position % 2 === 0) {
        await table.write(model, maker.make(model, keyOf(definition.by, other)))
      }
    }
  }
  const wanted = { get: GET_ITEMS, batchGet: BATCH_ITEMS, transactGet: TRANSACTION_ITEMS }
  for (let number = 0; number < wanted[definition.op]; number++) {
    const values = maker.make(model, new Map())
    if (await table.write(model, values)) keys.push(keyOf(definition.by, values))
  }
  for (const negative of negativesFor(query, plan, first, reference, maker)) {
    await table.write(negative.model, negative.values)
  }
  const there = keys.filter((key) => findEntry(query, key, table) !== undefined)
  log.matching = there.length
  log.negatives = table.entries().length - there.length
  if (definition.op === 'get') await exerciseGets(each, query, keys, table, definition)
  else await exerciseLists(each, query, keys, table, definition)
}

/** By its key alone a pattern is a query for one item. */
function asQuery(
  { pattern }: ExerciseCase,
  model: Model,
  { entity, by }: GetPattern | ManyPattern,
): Query {
  const definition: AskedQuery = { op: 'query', entity, by }
  return { pattern, definition, models: [model] }
}

function keyOf(by: readonly string[], values: Values): Values {
  return new Map(by.map((name) => [name, values.get(name)]))
}

function findEntry(query: Query, key: Values, table: ExerciseTable): Entry | undefined {
  return query.models
    .flatMap((model) => table.writtenItems.entriesOf(model))
    .find(
      (entry) =>
        mayBeRead(query, { by: key, members: new Map() }, entry) &&
        !isExpired(entry.model, entry.values, table.nowMs),
    )
}

async function exerciseGets(
  { pattern, log }: ExerciseCase,
  query: Query,
  keys: readonly Values[],
  table: ExerciseTable,
  { select: project, consistent }: GetPattern,
): Promise<void> {
  const bytes = await bytesMax(table, query.models)
  for (const key of keys) {
    const input = Object.fromEntries(key)
    const report = log.run(input)
    table.takeSent()
    const run = await attempt(report, () => table.pattern(pattern.name)(input).measure())
    if (run === undefined) continue
    compareItem(findEntry(query, key, table), run.result.item, project, table, report)
    checkOperations(table, 'GetItem', 1, report)
    compareUnits(run.consumed, unitsToRead(bytes, consistent ? 'strong' : 'eventual'), report)
  }
}

async function exerciseLists(
  { pattern, plan, log }: ExerciseCase,
  query: Query,
  keys: readonly Values[],
  table: ExerciseTable,
  { op }: ManyPattern,
): Promise<void> {
  const isBatch = op === 'batchGet'
  const bytes = await bytesMax(table, query.models)
  // A batch may ask for the same item twice, a transaction may not.
  const lists = isBatch
    ? [keys, [...keys.slice(0, 2), ...keys.slice(0, 2)]]
    : [distinct(query, keys, table)]
  for (const list of lists) {
    const input = list.map((key) => Object.fromEntries(key))
    const report = log.run(input)
    table.takeSent()
    const run = await attempt(report, () => table.pattern(pattern.name)(input).measure())
    if (run === undefined) continue
    const { items = [] } = run.result
    if (items.length !== list.length) report(`${list.length} results`, String(items.length))
    for (const [position, key] of list.entries()) {
      compareItem(findEntry(query, key, table), items[position], undefined, table, report)
    }
    checkOperations(table, plan.op, isBatch ? Math.ceil(list.length / 100) : 1, report)
    compareUnits(
      run.consumed,
      list.length * unitsToRead(bytes, isBatch ? 'eventual' : 'transactional'),
      report,
    )
  }
}

/** Keys that are made of different values can have the same text. */
function distinct(query: Query, keys: readonly Values[], table: ExerciseTable): readonly Values[] {
  const entries = keys.map((key) => findEntry(query, key, table))
  return keys.filter(
    (_, at) =>
      entries[at] !== undefined && entries.findIndex((other) => isSame(other, entries[at])) === at,
  )
}

function isSame(one: Entry | undefined, other: Entry | undefined): boolean {
  return one !== undefined && other !== undefined && showEntry(one) === showEntry(other)
}

/** Reports an item that is another one than it should be. */
export function compareItem(
  expected: Entry | undefined,
  item: Output | undefined,
  project: readonly string[] | undefined,
  table: ExerciseTable,
  report: RunLog,
): void {
  if (expected ? item && isOutputOf(expected, item, project) : item === undefined) return
  const negative = item && table.entries().find((entry) => isOutputOf(entry, item, project))
  report(
    expected ? showEntry(expected) : 'no item',
    item === undefined ? 'no item' : negative ? showEntry(negative) : showValue(item),
    negative?.model.name,
  )
}

/** Reports requests of another kind, or more of them. */
export function checkOperations(
  table: ExerciseTable,
  operation: string,
  requests: number,
  report: RunLog,
): void {
  const sent = table.takeSent().map((each) => each.operation)
  if (sent.every((each) => each === operation) && sent.length <= requests) return
  report(`${requests} × ${operation}`, sent.join(', ') || 'no request')
}
