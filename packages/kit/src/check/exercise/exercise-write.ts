import type { AskedUpdate, AskedWrite, Attribute, Model } from 'singletable/tools'
import { showValue } from '../../text/show-value.ts'
import { compareItem } from './compare-outputs.ts'
import type { ExerciseCase } from './exercise-case.ts'
import { type ExerciseLog, type Report, reasonOf } from './exercise-log.ts'
import type { ExerciseTable, LoosePattern, LooseResult, StoredItem } from './exercise-table.ts'
import { fillAll } from './fill-table.ts'
import { type FilterValues, filterValues } from './filter-values.ts'
import type { ItemMaker } from './item-maker.ts'
import { hasValue, keyOf, storedForm, type Values } from './item-values.ts'
import { NotRunError } from './not-run-error.ts'
import { sameValue } from './same-value.ts'

export const BACKGROUND_ITEMS = 2

/** Runs a write on an item and looks at what is stored then; and one that has to be refused. */
export async function exerciseWrite(each: ExerciseCase, definition: AskedWrite): Promise<void> {
  const { pattern, maker, log } = each
  const [model] = pattern.models
  if (model === undefined) throw new Error('A write has a model.')
  const table = await each.openTable()
  const { op } = definition
  const isNew = op === 'create' || op === 'put'
  const filter = filterValues(model, pattern.filter, maker, undefined)
  const passing = passingOf(filter)
  // Of a model whose key has no attributes there is one item.
  const isSingle = model.primary.names.length === 0
  await fillAll(table, maker, BACKGROUND_ITEMS, pattern.models, isSingle ? [model] : [])
  log.others = (await table.stored()).length
  log.matching = 1
  // What is written on a condition has to be there.
  const isAbsent = isNew && pattern.filter.length === 0
  const first = isAbsent
    ? maker.make(model, new Map())
    : await writeOne(model, table, maker, passing)
  const call = table.pattern(pattern.name)
  const { input, changed } = inputFor(definition, model, first, maker, filter.members)
  await table.writeParents(model, new Map([...first, ...changed]))
  const given = Object.fromEntries(input)
  const before = await findStored(table, model, first)
  await log.run(
    { input: given },
    () => call(given),
    async (result, report) => {
      log.consumed(result.consumed)
      const after = await findStored(table, model, new Map([...first, ...changed]))
      if (op === 'delete') {
        compareItem(before, result.item, report)
        compareItem(undefined, after?.output, report)
      } else checkWritten(model, changed, { result, after }, report)
    },
  )
  for (const [name, [value]] of isSingle ? [] : filter.failing) {
    if (value === undefined || model.primary.names.includes(name)) continue
    const failing = await writeOne(model, table, maker, new Map([...passing, [name, value]]))
    const other = inputFor(definition, model, failing, maker, filter.members).input
    await expectRefusal(call, other, 'CONDITION_FAILED', log)
  }
  if (op === 'put' || op === 'delete' || (isSingle && !isNew)) return
  if (op === 'update' && definition.creates) return
  // What is there can't be created again, and what is not there can't be changed.
  const other = isNew ? first : maker.make(model, new Map())
  const refused = inputFor(definition, model, other, maker, filter.members).input
  await expectRefusal(call, refused, isNew ? 'ITEM_EXISTS' : 'ITEM_NOT_FOUND', log)
}

async function expectRefusal(
  call: LoosePattern,
  input: Values,
  code: string,
  log: ExerciseLog,
): Promise<void> {
  const wrong = Object.fromEntries(input)
  await log.run(
    { input: wrong },
    () => refusalOf(() => call(wrong)),
    (error, report) => {
      if (error === undefined) report(`it is refused as ${code}`, 'it was done')
      else if (Object(error).code !== code) report(`it is refused as ${code}`, reasonOf(error))
    },
  )
}

/** For each attribute that conditions compare, a value that passes. */
export function passingOf({ passing }: FilterValues): Values {
  return new Map([...passing].map(([name, [value]]) => [name, value]))
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
  throw new NotRunError(`No sample ${model.name} that it accepts could be made`)
}

/** The input of a write for an item, and the values that the item has to have then. */
export function inputFor(
  definition: AskedWrite,
  model: Model,
  values: Values,
  maker: ItemMaker,
  /** What its conditions compare with. */
  members: Values = new Map(),
): { readonly input: Values; readonly changed: Values } {
  const { op } = definition
  if (op === 'create' || op === 'put') {
    const own = [...members].filter(([name]) => model.attributes.has(name))
    const item = new Map([...values, ...own])
    return { input: new Map([...item, ...members]), changed: item }
  }
  const { given } = definition as { readonly given?: readonly string[] }
  const current = given?.flatMap((name) =>
    hasValue(values, name) ? [[name, values.get(name)]] : [],
  )
  const key = new Map([
    ...keyOf(model, values),
    ...members,
    ...(current ? [['given', Object.fromEntries(current)] as const] : []),
  ])
  if (op === 'delete') return { input: key, changed: new Map() }
  const { set = [], add = [] } = definition as AskedUpdate
  const made = [...set, ...add].map((name) => {
    // The names were checked with the schema.
    const attribute = model.attributes.get(name) as Attribute
    return [name, members.has(name) ? members.get(name) : maker.value(model, attribute)] as const
  })
  // What an addition makes of a value depends on the one before.
  const changed = new Map(made.filter(([name]) => set.includes(name)))
  return { input: new Map([...key, ...made]), changed }
}

export async function findStored(
  table: ExerciseTable,
  model: Model,
  values: Values,
): Promise<StoredItem | undefined> {
  const key = storedValues(model, keyOf(model, values))
  return (await table.stored()).find(
    (item) =>
      item.model === model &&
      [...key].every(([name, each]) => sameValue(item.values.get(name), each)),
  )
}

/** The item is stored with these values, and the result is the item. */
export function checkWritten(
  model: Model,
  changed: Values,
  { result, after }: { readonly result: LooseResult; readonly after: StoredItem | undefined },
  report: Report,
): void {
  if (after === undefined) {
    report(`the ${model.name} is stored`, 'no item')
    return
  }
  for (const [name, value] of storedValues(model, changed)) {
    const found = after.values.get(name)
    if (!sameValue(found, value)) report(`${name}: ${showValue(value)}`, showValue(found))
  }
  if (result.item) compareItem(after, result.item, report)
}

function storedValues(model: Model, values: Values): Values {
  return new Map(
    [...values].map(([name, value]) => {
      const attribute = model.attributes.get(name)
      return [name, attribute && value !== undefined ? storedForm(attribute, value) : value]
    }),
  )
}

/** What a call throws; undefined if it does not. */
export async function refusalOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    await run()
    return undefined
  } catch (error) {
    return error
  }
}
