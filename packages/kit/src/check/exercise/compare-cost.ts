import { getOwn, type Model } from 'singletable/tools'
import type { ExerciseCase } from './exercise-case.ts'
import type { Report } from './exercise-log.ts'
import type { LooseRun, StoredItem } from './exercise-table.ts'

/**
 * Compares what a read consumed with what its plan says it costs. The plan's figure is for items of
 * the size and number that the pattern expects, so that it only says something where the sample
 * data is not more than that.
 */
export function compareCost(
  { pattern, plan, log }: ExerciseCase,
  { consumed, itemsRead, requests }: Omit<LooseRun, 'result'>,
  read: readonly StoredItem[],
  report: Report,
): void {
  log.consumed(consumed)
  const { definition, models, target, use } = pattern
  const { expect } = definition as {
    readonly expect?: { readonly itemsRead?: number; readonly itemBytes?: number }
  }
  const items = expect?.itemsRead ?? (definition.op === 'get' ? 1 : undefined)
  if (plan.cost === null || consumed === undefined || items === undefined) return
  const [model] = models
  const bytes = expect?.itemBytes ?? (model ? bytesOf(model) : 0)
  const isExpected =
    // What an index leaves out is not paid for, and not in the size of an item.
    use?.index.project === 'all' &&
    itemsRead <= items * (target ? 2 : 1) &&
    requests <= plan.requests + (target ? 1 : 0) &&
    read.every((item) => item.bytes <= (item.model === target ? bytesOf(target) : bytes))
  if (isExpected && consumed > plan.cost.rru) {
    report(`at most ${plan.cost.rru} read units (${plan.cost.basis})`, String(consumed))
  }
}

function bytesOf(model: Model): number {
  return getOwn(model.schema.definition.models, model.name)?.stats?.itemBytes ?? 0
}
