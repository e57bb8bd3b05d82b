import { getOwn, type Model, type StatsDefinition } from 'singletable/tools'
import type { ExerciseCase } from './exercise-case.ts'
import type { Report } from './exercise-log.ts'
import type { LooseRun, StoredItem } from './exercise-table.ts'

/**
 * Compares what a read consumed with what its plan says it costs. The plan's figure is for items of the size and number that the schema expects, so
 * that it only says something where the sample data is not more than that.
 */
export function compareCost(
  { pattern, plan, log }: ExerciseCase,
  { consumed, itemsRead, requests }: Omit<LooseRun, 'result'>,
  read: readonly StoredItem[],
  report: Report,
  /** How many calls for one item it takes the place of. */
  calls = 1,
): void {
  log.consumed(consumed)
  if (plan.cost === null || consumed === undefined) return
  const { definition, models, target } = pattern
  const { expect, limit, filter } = definition as {
    readonly expect?: { readonly itemsRead?: number; readonly itemBytes?: number }
    readonly limit?: number
    readonly filter?: object
  }
  const [model] = models
  const items =
    definition.op === 'query'
      ? (expect?.itemsRead ??
        (filter ? undefined : limit) ??
        statsOf(model).perPartition?.average ??
        0)
      : calls
  const bytes = expect?.itemBytes ?? statsOf(model).itemBytes ?? 0
  const isExpected =
    itemsRead <= items * (target ? 2 : 1) &&
    requests <= plan.requests * calls + (target ? 1 : 0) &&
    read.every((item) => item.bytes <= (item.model === target ? bytesOf(target) : bytes))
  const most = plan.cost.rru * calls
  if (isExpected && consumed > most) {
    report(`at most ${most} read units (${plan.cost.basis})`, String(consumed))
  }
}

function bytesOf(model: Model): number {
  return statsOf(model).itemBytes ?? 0
}

function statsOf(model: Model | undefined): StatsDefinition {
  return (model && getOwn(model.schema.definition.models, model.name)?.stats) ?? {}
}
