// biome-ignore-all lint/complexity/useLiteralKeys: this is how protected members are reached, which are kept from callers alone.
import { BoundEntity } from '../builder/bound-entity.ts'
import type { BuilderContext } from '../builder/builder.ts'
import type { Delete } from '../builder/delete.ts'
import { Pages } from '../builder/pages.ts'
import type { QueryBuilder } from '../builder/query-builder.ts'
import type { ScanBuilder } from '../builder/scan-builder.ts'
import { Update } from '../builder/update.ts'
import type { UpdateBuilder } from '../builder/update-builder.ts'
import { ConditionFailedError } from '../errors/condition-failed-error.ts'
import { keyText } from '../execute/batch.ts'
import { startCall } from '../execute/call.ts'
import { encodeCursor } from '../execute/cursor.ts'
import { keyOf, readPages, startOf } from '../execute/execute-query.ts'
import { executeWrite } from '../execute/execute-write.ts'
import { storedKey } from '../plan/key-values.ts'
import { combine, createWhere } from '../plan/operators.ts'
import { placeOf } from '../plan/plan-context.ts'
import { planRead } from '../plan/read/plan-read.ts'
import type { ReadPlan } from '../plan/read/read-plan.ts'
import { storedReference } from '../plan/references.ts'
import type { QueryState } from '../plan/state.ts'
import type { Where } from '../plan/where.ts'
import { keyAttributes, keyFromItem } from '../schema/index-keys.ts'
import type { ModelName, NewValues } from '../schema/infer.ts'
import { isObject, refuseInput } from '../schema/input-issues.ts'
import type { SchemaDefinition } from '../schema/schema-definition.ts'
import type { Item } from '../values/attribute-value.ts'
import { checkMany, type ManyFailure, type ManyOptions, type ManyReport } from './many-options.ts'
import { ManyStoppedError } from './many-stopped-error.ts'

/** Items between two reports of progress. */
const CHUNK_ITEMS = 25
const CONCURRENCY = 8
const FAILURES_MAX = 1_000

/** A query or a scan of one model. */
type Found<TSchema extends SchemaDefinition, TName extends ModelName<TSchema>, TItem> =
  // biome-ignore lint/suspicious/noExplicitAny: of whichever index, and whatever it gives of items.
  | QueryBuilder<TItem, TName, TSchema, any, any>
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  | ScanBuilder<TItem, TName, TSchema, any, any>

/**
 * Updates each item that a query finds, by a write of its own, which keeps index keys, copies,
 * unique values and counters right. An item that does not match the query any more when it is
 * written is left alone. `change` is what to set, or a function that gets the update of an item and
 * the item as the query gives it; if it gives nothing, the item stays as it is.
 *
 * @example
 * const schema = defineSchema({
 *   indexes: { primary: { hash: 'pk', sort: 'sk' } },
 *   models: {
 *     Task: {
 *       key: { pk: 'USER#${owner}', sk: 'TASK#${number:pad(4)}' },
 *       attributes: {
 *         owner: { type: String, required: true },
 *         number: { type: Number, required: true },
 *         done: { type: Boolean, default: false },
 *         title: { type: String, default: 'task' },
 *       },
 *     },
 *   },
 * })
 * const table = new Table({ name: 'tasks', schema, client: createEngine() })
 * await table.create()
 * const { Task } = table.entities
 * await Task.batchWrite([1, 2, 3].map((number) => ({ owner: 'alice', number })))
 * const open = Task.query({ owner: 'alice' }).where((attr, op) => op.eq(attr.done, false))
 * const report = await updateMany(open, { done: true }, { limit: 2 })
 * report.done // => 2
 * const rest = await updateMany(
 *   open,
 *   (task, { title, number }) => task.set({ title: `${title} ${number}` }),
 *   { all: true, cursor: report.cursor },
 * )
 * rest.done // => 1
 * await updateMany(open, { done: true }) // => throws DefinitionError
 */
export function updateMany<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TItem,
>(
  query: Found<TSchema, TName, TItem>,
  change:
    | NewValues<TSchema, TName>
    | ((
        update: UpdateBuilder<unknown, TName, TSchema>,
        item: TItem,
      ) => UpdateBuilder<unknown, TName, TSchema> | undefined),
  options: ManyOptions = {},
): Promise<ManyReport> {
  const { context, state, place } = behind(query, 'updateMany')
  if (typeof change !== 'function' && !isObject(change)) {
    refuseInput(
      'the change is missing',
      place,
      'give an object of attributes to set, or a function',
    )
  }
  // A bound entity does at run time what its interface says at compile time.
  const call = change as ((update: unknown, item: unknown) => unknown) | object
  const entity = new BoundEntity(context, state.model)
  return changeMany(
    context,
    typeof call === 'function' ? state : keysOf(state),
    place,
    options,
    (key, item) => {
      const update = entity.update(key)
      if (typeof call !== 'function') return update.set(call)
      const changed = call(update, item)
      if (changed === undefined) return undefined
      if (changed instanceof Update && changed['state'].key === update['state'].key) return changed
      return refuseInput(
        'the function must return the update that it was given, or nothing',
        place,
        'return update.set(…), or nothing',
      )
    },
  )
}

/** Deletes each item that a query finds, by a write of its own: otherwise as `updateMany`. */
export function deleteMany<
  TSchema extends SchemaDefinition,
  TName extends ModelName<TSchema>,
  TItem,
>(query: Found<TSchema, TName, TItem>, options: ManyOptions = {}): Promise<ManyReport> {
  const { context, state, place } = behind(query, 'deleteMany')
  const entity = new BoundEntity(context, state.model)
  return changeMany(context, keysOf(state), place, options, (key) => entity.delete(key).mustExist())
}

/** Only keys are read, so that an index which has no more will do. */
function keysOf(state: QueryState): QueryState {
  return { ...state, select: [], hydrate: false }
}

function behind(query: unknown, verb: string) {
  if (!(query instanceof Pages)) {
    return refuseInput(
      'the first argument is not a query',
      `${verb}()`,
      'give Entity.query(…) or Entity.scan(), without awaiting it',
    )
  }
  const { context, state } = { context: query['context'], state: query['state'] }
  const place = placeOf(context, state.model, verb)
  if (state.model.source || state.parallel !== undefined) {
    refuseInput(
      state.parallel
        ? 'parallel() has no order, and so no cursor'
        : `${state.model.name} are copies`,
      place,
      state.parallel ? 'leave it out' : `change ${state.model.source!.name}: its copies follow`,
    )
  }
  return { context, state, place }
}

async function changeMany(
  context: BuilderContext,
  state: QueryState,
  place: string,
  options: ManyOptions,
  writeOf: (key: object, item: unknown) => Update | Delete | undefined,
): Promise<ManyReport> {
  const { signal, onProgress, onError, concurrency = CONCURRENCY, cursor = state.cursor } = options
  const { model } = state
  const { primary } = context.schema
  const most = checkMany(place, options, state.limit)
  const limit = most === Number.POSITIVE_INFINITY ? undefined : most
  const decided = planRead({ ...state, limit }, context)
  // A page of several partitions has one cursor, at its end.
  const { pageSize = decided.fan && CHUNK_ITEMS } = state
  const plan = { ...decided, state: { ...decided.state, pageSize } }
  // The deadline of the table is one for each write.
  const call = { ...startCall(context, state.verb, model.name, { signal }), deadlineAt: undefined }
  const read = readPages(context, call, plan, await startOf(context, call, plan, cursor))
  // Keys of items that the query may meet again, because the update changes where they are in its
  // order.
  const met = new Set<string>()
  const failures: ManyFailure[] = []
  let report: ManyReport = { done: 0, skipped: 0, failures, cursor }

  const change = async (source: Item, item: unknown): Promise<'done' | 'skipped' | undefined> => {
    const raw = keyFromItem(primary, source)
    const names = keyAttributes(primary)
    if (met.has(keyText(raw, names))) return undefined
    const key = storedKey(model, raw)
    try {
      const write = writeOf(key, item)
      if (write === undefined) return 'skipped'
      const where = combine('AND', [...stillFound(plan, source), ...asked(write)])
      // Both have what is used of one.
      const planned = (write as Update)['with']({ where })['plan']()
      if (write instanceof Update && reorders(plan, write)) {
        met.add(keyText(raw, names))
        const target = 'draft' in planned && planned.draft && 'moves' in planned.draft
        if (target && planned.draft.moves) met.add(keyText(planned.draft.moves.target, names))
      }
      await executeWrite(context, startCall(context, planned.verb, model.name, undefined), planned)
      return 'done'
    } catch (error) {
      const isOver =
        error instanceof ConditionFailedError &&
        (error.code === 'CONDITION_FAILED' || error.code === 'ITEM_NOT_FOUND')
      if (isOver) return 'skipped'
      failures.push({ key, error })
      return undefined
    }
  }

  try {
    for (let page = await read(); page; page = await read()) {
      const { sources, outputs, next } = page
      const size = plan.fan ? sources.length : CHUNK_ITEMS
      for (let from = 0; from < sources.length; from += size) {
        const to = Math.min(from + size, sources.length)
        const counts = { done: report.done, skipped: report.skipped }
        let position = from
        const work = async (): Promise<void> => {
          while (position < to) {
            const at = position++
            const outcome = await change(sources[at]!, outputs[at])
            if (outcome) counts[outcome]++
          }
        }
        await Promise.all(Array.from({ length: Math.min(concurrency, to - from) }, work))
        const isEnd = to === sources.length
        const behind = isEnd ? next : keyOf(plan, sources[to - 1])
        report = { ...counts, failures, cursor: behind && encodeCursor(context, plan, behind) }
        await onProgress?.(report)
        const [first] = failures
        if (first && (onError !== 'continue' || failures.length >= FAILURES_MAX)) throw first.error
        if (report.cursor !== undefined) signal?.throwIfAborted()
      }
    }
  } catch (cause) {
    throw new ManyStoppedError(place, report, cause)
  }
  return report
}

/** That an item is still where the query found it, and still meets what keys can't answer. */
function stillFound({ index, members, model }: ReadPlan, source: Item): Where[] {
  const keys = index === model.schema.primary ? [] : keyAttributes(index)
  const [member] = members
  return [
    ...keys.map((name) => createWhere('=', [storedReference(name), source[name]])),
    ...(member?.filter ?? []),
    createWhere('attribute_exists', [storedReference(keyAttributes(model.schema.primary)[0]!)]),
  ]
}

function asked(write: Update | Delete): Where[] {
  const { where } = write['state']
  return where ? [where] : []
}

/**
 * Whether an update may change where an item is in the order of the query, so that the query meets
 * it again.
 */
function reorders({ index, model }: ReadPlan, update: Update): boolean {
  const use = model.indexes.find((each) => each.index === index) ?? model.primary
  const { assignments } = update['state']
  return [...model.primary.names, ...use.names].some((name) => {
    const attribute = model.attributes.get(name)!
    const isAutomatic =
      attribute.from ||
      attribute.definition.onUpdate ||
      attribute === model.updatedAt ||
      attribute === model.version
    return isAutomatic || assignments.some(({ target }) => target.path[0] === attribute.stored)
  })
}
