import {
  getOwn,
  itemSizeBytes,
  type Model,
  type Pattern,
  type PatternPlan,
  unitsToWrite,
} from 'singletable/tools'
import { isIndexed, type Values } from '../../packages/kit/src/check/exercise/item-values.ts'
import { statsOf } from '../../packages/kit/src/cost/cost-design.ts'
import { type WriteUnits, writeUnits } from '../../packages/kit/src/cost/write-units.ts'
import type { RunLog } from './exercise-log.ts'
import type { ExerciseTable } from './exercise-table.ts'
import { hasAllFollowers, isFollowed } from './followers.ts'
import type { WatchedWrite } from './watch-write.ts'

/** What is known of a call that was done. */
export interface WriteCall {
  readonly pattern: Pattern
  readonly plan: PatternPlan
  readonly table: ExerciseTable
  /** The item before and after; undefined where there is none. */
  readonly before: Values | undefined
  readonly after: Values | undefined
}

/** The operation that writes one item and nothing else. */
const ALONE: Readonly<Record<string, string>> = {
  create: 'PutItem',
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
}

/** Compares what a call sent and consumed with what its plan and the estimate of its cost say. */
export function checkWrite(call: WriteCall, write: WatchedWrite, report: RunLog): void {
  checkRequests(call, write, report)
  checkUnits(call, write, report)
}

/** Compares the requests of a call with the plan: its operation, and before it as many reads as the
 * plan says. */
function checkRequests(
  { pattern, plan, before, after }: WriteCall,
  { sent }: WatchedWrite,
  report: RunLog,
): void {
  const [model] = pattern.models
  const { op } = pattern.definition
  const alone = ALONE[op]
  // A transaction is planned for what can follow; this item may have nothing that does.
  const isAlone = alone !== undefined && model !== undefined && !isFollowed(model, before, after)
  const operation = isAlone ? alone : plan.op
  const expected = [...Array.from({ length: plan.requests - 1 }, () => 'GetItem'), operation]
  const got = sent.map((each) => each.operation)
  // An item that leaves an index, whatever it was, need not be read for the index's sake.
  const isLeaving =
    op === 'update' && after !== undefined && !model?.indexes.every((use) => isIndexed(use, after))
  const isExpected =
    got.join() === expected.join() || (isLeaving && got.join() === expected.slice(1).join())
  if (!isExpected) report(expected.join(', '), got.join(', ') || 'no request')
}

/**
 * Compares what a call consumed with the estimate of its cost, for items of the sizes that were
 * written. It is an upper bound: an item that is not in an index costs nothing there. Where the
 * item has all that the schema provides for, it is the very number.
 */
function checkUnits(
  { pattern, table, before, after }: WriteCall,
  { result, touched }: WatchedWrite,
  report: RunLog,
): void {
  const { schema } = table
  const estimate = writeUnits({ schema, sample: { items: touched, itemCount: undefined } }, pattern)
  if (estimate === undefined || !isOfTheseSizes(estimate, pattern, touched, table)) return
  const { units, readUnits } = estimate
  const most = units.value + readUnits.value
  const { consumed } = result
  const [model] = pattern.models
  const values = after ?? before
  const isWhole =
    model !== undefined &&
    values !== undefined &&
    /^(create|put|delete)$/.test(pattern.definition.op) &&
    units.basis === 'sampled' &&
    hasAllFollowers(model, values) &&
    [model, ...(model.derivedItems?.copies ?? []).map((copy) => copy.model)].every(({ indexes }) =>
      indexes.every((use) => isIndexed(use, values)),
    )
  if (consumed === undefined || consumed > most || (isWhole && consumed < most)) {
    report(
      `${isWhole ? '' : 'at most '}${most} capacity units (${units.formula})`,
      String(consumed ?? 'none reported'),
    )
  }
}

/** Whether the estimate is about items such as these: nothing in it is guessed, none is larger than
 * declared, and those of a model cost the same. */
function isOfTheseSizes(
  { units, readUnits }: WriteUnits,
  { models, steps }: Pattern,
  touched: WatchedWrite['touched'],
  { schema }: ExerciseTable,
): boolean {
  const named = [...models, ...[...steps.values()].flatMap((step) => step.models)]
  const sizes = new Map<Model, number[]>()
  for (const item of touched) {
    const model = schema.models.get(getOwn(item, schema.params.typeField)?.S ?? '')
    if (model) sizes.set(model, [...(sizes.get(model) ?? []), itemSizeBytes(item)])
  }
  return (
    units.basis !== 'default' &&
    readUnits.basis !== 'default' &&
    named.every((model) => sizes.has(model) || statsOf(model).itemBytes !== undefined) &&
    [...sizes].every(([model, bytes]) => {
      const { itemBytes } = statsOf(model)
      return itemBytes === undefined
        ? new Set(bytes.map(unitsToWrite)).size === 1
        : bytes.every((each) => each <= itemBytes)
    })
  )
}
