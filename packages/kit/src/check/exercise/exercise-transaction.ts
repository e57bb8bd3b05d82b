import type { AskedWrite, Model, Pattern } from 'singletable/tools'
import { acceptsValue } from '../../seed/accepts-value.ts'
import { transactionInput } from '../../seed/transaction-input.ts'
import type { ExerciseCase } from './exercise-case.ts'
import type { ExerciseTable, Output } from './exercise-table.ts'
import {
  BACKGROUND_ITEMS,
  checkWritten,
  findStored,
  inputFor,
  passingOf,
  refusalOf,
  writeOne,
} from './exercise-write.ts'
import { fillAll } from './fill-table.ts'
import { filterValues } from './filter-values.ts'
import type { ItemMaker } from './item-maker.ts'
import { keyOf, type Values } from './item-values.ts'
import { NotRunError } from './not-run-error.ts'
import { sameValue } from './same-value.ts'

/** One step with its input, and what the item has to be then. */
interface Step {
  readonly name: string
  readonly model: Model
  readonly op: string
  readonly input: Values
  readonly values: Values
  readonly changed: Values
}

/** Runs a transaction that has to succeed, and for each step one that has to leave everything as it
 * was because the step can't be done. */
export async function exerciseTransaction(each: ExerciseCase): Promise<void> {
  const { pattern, maker, log } = each
  const table = await each.openTable()
  await fillAll(
    table,
    maker,
    BACKGROUND_ITEMS,
    [...pattern.steps.values()].flatMap(({ models }) => models),
  )
  const call = table.pattern(pattern.name)
  log.others = (await table.stored()).length
  // Once with keys that agree, and once with all that has the same name the same: as the callers
  // mostly have it.
  await runSteps(each, table, await makeSteps(pattern, table, maker, {}))
  const steps = await makeSteps(pattern, table, maker, { isEqual: true })
  log.matching = steps.length
  await runSteps(each, table, steps)
  for (const { name, op } of steps) {
    if (op === 'put' || op === 'delete' || op === 'upsert') continue
    const wrong = inputOf(pattern, await makeSteps(pattern, table, maker, { failing: name }))
    const before = await table.stored()
    await log.run(
      { input: wrong },
      () => refusalOf(() => call(wrong)),
      async (error, report) => {
        if (error === undefined) return report(`step "${name}" ends the transaction`, 'it was done')
        const after = await table.stored()
        const isSame = sameValue(
          before.map(({ output }) => output),
          after.map(({ output }) => output),
        )
        if (!isSame) report('nothing is written', 'items have changed')
      },
    )
  }
}

/** Runs a transaction, and looks at what is stored then. */
async function runSteps(
  { pattern, log }: ExerciseCase,
  table: ExerciseTable,
  steps: readonly Step[],
): Promise<void> {
  const input = inputOf(pattern, steps)
  const call = table.pattern(pattern.name)
  await log.run(
    { input },
    () => call(input),
    async (result, report) => {
      log.consumed(result.consumed)
      // Results by step.
      const items = (result.items ?? {}) as Readonly<Record<string, Output | [Output]>>
      for (const { name, model, op, values, changed } of steps) {
        if (op === 'check') continue
        const after = await findStored(table, model, new Map([...values, ...changed]))
        if (op !== 'delete')
          checkWritten(model, changed, { result: { item: [items[name]].flat()[0] }, after }, report)
        else if (after) report(`step "${name}" deletes the item`, 'it is there')
      }
    },
  )
}

interface StepOptions {
  /** The step that is made to fail. */
  readonly failing?: string
  /** Also what is in no key has the value that an earlier step has under the same name. */
  readonly isEqual?: boolean
}

/** Inputs for all steps. Attributes of keys have the same value in all of them. */
async function makeSteps(
  pattern: Pattern,
  table: ExerciseTable,
  maker: ItemMaker,
  { failing, isEqual = false }: StepOptions,
): Promise<readonly Step[]> {
  const shared = new Map<string, unknown>()
  const written: { readonly model: Model; readonly key: Values; readonly isLeft: boolean }[] = []
  const alone: { readonly model: Model; readonly values: Values }[] = []
  const steps: Step[] = []
  for (const [name, { definition, models, filter: tests }] of pattern.steps) {
    const [model] = models
    if (model === undefined) continue
    const same = new Map([...shared].filter(([each]) => model.attributes.has(each)))
    const { shared: common = [] } = pattern.definition as { readonly shared?: readonly string[] }
    const agreed = [...same].filter(([each]) => common.includes(each))
    const fixed = new Map([...keyOf(model, same), ...agreed])
    // A transaction can write an item once.
    const isTaken = written.some(
      ({ model: other, key }) =>
        other === model && [...key.keys()].every((each) => fixed.has(each)),
    )
    const op = 'creates' in definition ? 'upsert' : definition.op
    // What is put on a condition has to be there.
    const isNew = op === 'create' || (op === 'put' && tests.length === 0)
    const filter = filterValues(model, tests, maker, undefined)
    const equal = isEqual ? new Map([...same].filter(isTakenBy(model))) : new Map()
    const made = maker.make(
      model,
      new Map([...(isTaken ? [] : [...equal, ...fixed]), ...passingOf(filter)]),
    )
    const known = (await findStored(table, model, made))?.values
    // What is created must not be there yet, and everything else must, unless the step is to fail.
    const isThere = isNew === (failing === name)
    if (isThere && known === undefined) await writeOne(model, table, maker, made)
    else alone.push({ model, values: made })
    const values = known && !isNew ? known : made
    if (values !== made && tests.length > 0) {
      throw new NotRunError(
        `No ${model.name} could be made that the conditions of ${name} let through`,
      )
    }
    // Made by the transaction itself, or absent so that the step fails.
    const isLeft = isNew || failing === name
    written.push({ model, key: keyOf(model, values), isLeft })
    for (const [each, value] of values) if (!shared.has(each)) shared.set(each, value)
    const { input, changed } =
      op === 'check'
        ? { input: new Map([...keyOf(model, values), ...filter.members]), changed: new Map() }
        : // All other steps write.
          inputFor(definition as AskedWrite, model, values, maker, filter.members)
    steps.push({ name, model, op, input, values, changed })
  }
  const isMade = (parent: Model, key: Values): boolean =>
    written.some(
      (each) =>
        each.isLeft &&
        each.model === parent &&
        [...each.key].every(([name, value]) => sameValue(value, key.get(name))),
    )
  // What counts them has to be there before, unless a step is about it.
  for (const { model, values } of alone) await table.writeParents(model, values, [], isMade)
  return steps
}

function isTakenBy(model: Model): (entry: readonly [string, unknown]) => boolean {
  return ([name, value]) => {
    const attribute = model.attributes.get(name)
    return attribute !== undefined && acceptsValue(attribute, model, value)
  }
}

function inputOf(pattern: Pattern, steps: readonly Step[]): object {
  return transactionInput(
    pattern,
    steps.map(({ name, input }) => [name, Object.fromEntries(input)]),
  )
}
