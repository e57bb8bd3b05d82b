import {
  type AskedUpdate,
  getOwn,
  type Item,
  type Model,
  type Pattern,
  SingletableError,
} from 'singletable/tools'
import type { ItemMaker } from '../../packages/kit/src/check/exercise/item-maker.ts'
import type { Values } from '../../packages/kit/src/check/exercise/item-values.ts'
import { keyOf } from '../../packages/kit/src/check/exercise/item-values.ts'
import { checkWrite } from './check-write.ts'
import { compareTable } from './compare-table.ts'
import type { ExerciseCase } from './exercise-case.ts'
import { compareItem } from './exercise-keyed.ts'
import type { ExerciseTable } from './exercise-table.ts'
import { changeValues, entryOf, fillBackground, writeOne } from './exercise-write.ts'
import { watchWrite } from './watch-write.ts'

/** One step with its input, and what it makes of the writtenItems. */
interface Step {
  readonly name: string
  readonly model: Model
  readonly op: string
  readonly input: Values
  /** The item afterwards; undefined if there is none, or if nothing is done to it. */
  readonly after: Values | undefined
  readonly before: Values | undefined
}

/** Runs a transaction that has to succeed, and one that has to leave everything as it was because
 * one of its steps can't be done. */
export async function exerciseTransaction(each: ExerciseCase): Promise<void> {
  const { pattern, plan, maker, log } = each
  const table = await each.openTable()
  await fillBackground(table, maker)
  const run = table.pattern(pattern.name)
  const steps = await makeSteps(pattern, table, maker, undefined)
  log.matching = steps.length
  log.negatives = table.entries().length
  const input = inputOf(steps)
  const report = log.run(input)
  const write = await watchWrite(table, report, () => run(input))
  if (write === undefined) return
  const touched = [...write.touched, ...(await checkedItems(pattern, table))]
  const call = { pattern, plan, table, before: undefined, after: undefined }
  checkWrite(call, { ...write, touched }, report)
  for (const { model, before, after, op } of steps) {
    if (op === 'check') continue
    if (before) table.writtenItems.remove(model, before)
    if (after)
      table.writtenItems.add(model, new Map([...after, ...table.kept(model, before ? 2 : 1)]))
  }
  await compareTable(table, report)
  // Results by step.
  const items = (write.result.items ?? {}) as Readonly<
    Record<string, Readonly<Record<string, unknown>>>
  >
  for (const { name, model, op, after } of steps) {
    if (op !== 'create' && op !== 'put') continue
    compareItem(after && entryOf(model, after, table), items[name], undefined, table, report)
  }
  for (const step of steps) {
    if (step.op === 'put' || step.op === 'delete') continue
    const failing = await makeSteps(pattern, table, maker, step.name)
    const wrong = inputOf(failing)
    const refused = log.run(wrong)
    try {
      await run(wrong)
      refused(`step "${step.name}" ends the transaction`, 'it was done')
    } catch (error) {
      if (!SingletableError.is(error)) throw error
      await compareTable(table, refused)
    }
  }
}

/** Items that could be the ones a transaction looks at without writing them: those of the same
 * model are about as large. */
async function checkedItems(pattern: Pattern, table: ExerciseTable): Promise<readonly Item[]> {
  const checks = [...pattern.steps.values()].filter(({ definition }) => definition.op === 'check')
  const names = checks.flatMap(({ models }) => models.map(({ name }) => name))
  const { typeField } = table.schema.params
  return (await table.stored()).filter((item) => names.includes(getOwn(item, typeField)?.S ?? ''))
}

/** Inputs for all steps. Attributes of the same name have the same value in all of them. One step
 * can be made to fail. */
async function makeSteps(
  pattern: Pattern,
  table: ExerciseTable,
  maker: ItemMaker,
  failing: string | undefined,
): Promise<readonly Step[]> {
  const shared = new Map<string, unknown>()
  const written: { readonly model: Model; readonly key: Values }[] = []
  const steps: Step[] = []
  for (const [name, { definition, models }] of pattern.steps) {
    const [model] = models
    if (model === undefined) continue
    const fixed = new Map([...shared].filter(([attribute]) => model.attributes.has(attribute)))
    // A transaction can write an item once.
    const isTaken = written.some(
      ({ model: other, key }) =>
        other === model && [...key].every(([attribute]) => fixed.has(attribute)),
    )
    const { op } = definition
    const isNew = op === 'create' || op === 'put'
    const isThere = isNew === (failing === name)
    const given = isTaken ? new Map() : keyOf(model, fixed)
    const values = maker.make(model, given)
    const stored = isThere && table.writtenItems.find(model, values)
    if (isThere && !stored) await writeOne(model, table, maker, values)
    else await table.writeParents(model, values)
    written.push({ model, key: keyOf(model, values) })
    for (const [attribute, value] of values)
      if (!shared.has(attribute)) shared.set(attribute, value)
    const before = stored ? stored.values : isThere && !isNew ? values : undefined
    const step = { name, model, op, before }
    if (isNew) steps.push({ ...step, input: values, after: values })
    else if (op === 'update') {
      const { input, after } = changeValues(
        definition,
        namesOf(definition),
        model,
        before ?? values,
        maker,
      )
      steps.push({ ...step, input: new Map([...keyOf(model, values), ...input]), after })
    } else steps.push({ ...step, input: keyOf(model, values), after: undefined })
  }
  return steps
}

function namesOf({ set = [], add = [] }: AskedUpdate): readonly string[] {
  return [...set, ...add]
}

function inputOf(steps: readonly Step[]): object {
  return Object.fromEntries(steps.map(({ name, input }) => [name, Object.fromEntries(input)]))
}
