import type {
  AskedUpdate,
  AskedWrite,
  Attribute,
  DeletePattern,
  Model,
  PutPattern,
} from 'singletable/tools'
import { reasonOf } from '../../packages/kit/src/check/exercise/exercise-log.ts'
import type { ItemMaker } from '../../packages/kit/src/check/exercise/item-maker.ts'
import { keyOf, type Values } from '../../packages/kit/src/check/exercise/item-values.ts'
import { NotRunError } from '../../packages/kit/src/check/exercise/not-run-error.ts'
import { addValues } from './add-values.ts'
import { attempt } from './attempt.ts'
import { checkWrite } from './check-write.ts'
import { compareTable } from './compare-table.ts'
import type { ExerciseCase } from './exercise-case.ts'
import { compareItem } from './exercise-keyed.ts'
import type { RunLog } from './exercise-log.ts'
import type { ExerciseTable, LooseResult } from './exercise-table.ts'
import { watchWrite } from './watch-write.ts'
import type { Entry } from './written-items.ts'

const BACKGROUND_ITEMS = 2

/** Runs a write, and looks at all that is stored afterwards. */
export async function exerciseWrite(each: ExerciseCase, definition: AskedWrite): Promise<void> {
  const { pattern, maker, log } = each
  const [model] = pattern.models
  if (model === undefined) throw new Error('A write has a model.')
  const table = await each.openTable()
  await fillBackground(table, maker)
  log.negatives = table.entries().length
  log.matching = 1
  if (isPut(definition)) await exercisePut(each, definition.op, model, table)
  else await exerciseChange(each, definition, model, table)
}

function isPut(definition: AskedWrite): definition is PutPattern {
  return definition.op === 'create' || definition.op === 'put'
}

/** Items of all models, which no write may touch that is not about them. */
export async function fillBackground(table: ExerciseTable, maker: ItemMaker): Promise<void> {
  for (const model of table.schema.models.values()) {
    if (model.source) continue
    for (let number = 0; number < BACKGROUND_ITEMS; number++) {
      await table.write(model, maker.make(model, new Map()))
    }
  }
}

async function exercisePut(
  { pattern, plan, maker, log }: ExerciseCase,
  op: 'create' | 'put',
  model: Model,
  table: ExerciseTable,
): Promise<void> {
  const call = table.pattern(pattern.name)
  const first = maker.make(model, new Map())
  await table.writeParents(model, first)
  const input = Object.fromEntries(first)
  const report = log.run(input)
  const write = await watchWrite(table, report, () => call(input))
  if (write === undefined) return
  table.writtenItems.add(model, new Map([...first, ...table.kept(model, 1)]))
  await checkWritten(model, first, write.result, table, report)
  checkWrite(
    { pattern, plan, table, before: undefined, after: valuesOf(model, first, table) },
    write,
    report,
  )

  const again = maker.make(model, new Map(keyOf(model, first)))
  await table.writeParents(model, again)
  const repeated = Object.fromEntries(again)
  const second = log.run(repeated)
  if (op === 'create') {
    await expectRefusal(second, 'ITEM_EXISTS', () => call(repeated))
    await compareTable(table, second)
    return
  }
  // A version that is not given means that there is no item yet.
  if (model.version) return
  const replaced = await attempt(second, () => call(repeated))
  if (replaced === undefined) return
  table.writtenItems.remove(model, first)
  table.writtenItems.add(model, new Map([...again, ...table.kept(model, 1)]))
  await checkWritten(model, again, replaced, table, second)
}

async function exerciseChange(
  { pattern, plan, maker, log }: ExerciseCase,
  definition: AskedUpdate | DeletePattern,
  model: Model,
  table: ExerciseTable,
): Promise<void> {
  const call = table.pattern(pattern.name)
  const before = await writeOne(model, table, maker)
  const other = maker.make(model, new Map())
  const missing = keyOf(model, other)
  if (definition.op === 'delete') {
    const input = Object.fromEntries(keyOf(model, before))
    const report = log.run(input)
    const entry = entryOf(model, before, table)
    const write = await watchWrite(table, report, () => call(input))
    if (write === undefined) return
    compareItem(entry, write.result.item, undefined, table, report)
    table.writtenItems.remove(model, before)
    await compareTable(table, report)
    checkWrite({ pattern, plan, table, before: entry?.values, after: undefined }, write, report)
    const nothing = Object.fromEntries(missing)
    const none = log.run(nothing)
    const empty = await attempt(none, () => call(nothing))
    if (empty?.item) none('no item', 'one')
    await compareTable(table, none)
    return
  }
  let current = before
  let version = 1
  for (const names of changesOf(definition)) {
    const changes = changeValues(definition, names, model, current, maker)
    const input = Object.fromEntries([...keyOf(model, current), ...changes.input])
    const report = log.run(input)
    await table.writeParents(model, changes.after)
    const old = valuesOf(model, current, table)
    const write = await watchWrite(table, report, () => call(input))
    if (write === undefined) return
    version++
    table.writtenItems.remove(model, current)
    current = changes.after
    table.writtenItems.add(model, new Map([...current, ...table.kept(model, version)]))
    await checkWritten(model, current, write.result, table, report)
    // The plan is one for all that can be changed.
    if (names.length < namesOf(definition).length) continue
    const after = valuesOf(model, current, table)
    checkWrite({ pattern, plan, table, before: old, after }, write, report)
  }
  const changes = changeValues(definition, namesOf(definition), model, other, maker)
  const absent = Object.fromEntries([...missing, ...changes.input])
  const report = log.run(absent)
  await table.writeParents(model, changes.after)
  await expectRefusal(report, 'ITEM_NOT_FOUND', () => call(absent))
  await compareTable(table, report)
}

/** An item that a write is about. */
export async function writeOne(
  model: Model,
  table: ExerciseTable,
  maker: ItemMaker,
  fixed: Values = new Map(),
): Promise<Values> {
  const values = maker.make(model, fixed)
  if (await table.write(model, values)) return values
  throw new NotRunError(`No sample ${model.name} could be made that it accepts`)
}

/** All changes at once, and the first one alone. */
function changesOf(definition: AskedUpdate): readonly (readonly string[])[] {
  const names = namesOf(definition)
  return names.length > 1 ? [names, names.slice(0, 1)] : [names]
}

function namesOf({ set = [], add = [] }: AskedUpdate): readonly string[] {
  return [...set, ...add]
}

/** New values for some of what an update changes, and the item with them. */
export function changeValues(
  { set = [], add = [], remove = [] }: AskedUpdate,
  names: readonly string[],
  model: Model,
  before: Values,
  maker: ItemMaker,
): { readonly input: Values; readonly after: Values } {
  const input = new Map<string, unknown>()
  const after = new Map(before)
  for (const name of remove) after.delete(name)
  for (const name of names) {
    // The names were checked with the schema.
    const attribute = model.attributes.get(name) as Attribute
    const value = maker.value(model, attribute)
    input.set(name, value)
    if (set.includes(name)) after.set(name, value)
    if (add.includes(name)) after.set(name, addValues(before.get(name), value))
  }
  return { input, after }
}

function valuesOf(model: Model, values: Values, table: ExerciseTable): Values | undefined {
  return entryOf(model, values, table)?.values
}

/** The item with the primary key of some values, as it should be read. */
export function entryOf(model: Model, values: Values, table: ExerciseTable): Entry | undefined {
  const item = table.writtenItems.find(model, values)
  return table.writtenItems
    .entriesOf(model)
    .find((entry) => item !== undefined && table.writtenItems.find(model, entry.values) === item)
}

/** The result is the item as it is now, and so is everything that is stored. */
async function checkWritten(
  model: Model,
  values: Values,
  result: LooseResult,
  table: ExerciseTable,
  report: RunLog,
): Promise<void> {
  compareItem(entryOf(model, values, table), result.item, undefined, table, report)
  await compareTable(table, report)
}

/** Reports a write that is done and should be refused. */
export async function expectRefusal(
  report: RunLog,
  code: string,
  run: () => Promise<unknown>,
): Promise<void> {
  try {
    await run()
    report(`it is refused as ${code}`, 'it was done')
  } catch (error) {
    if ((error as { code?: unknown }).code !== code)
      report(`it is refused as ${code}`, reasonOf(error))
  }
}
