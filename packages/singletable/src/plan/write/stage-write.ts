import type { Model } from '../../schema/model.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { isExpired } from '../is-expired.ts'
import { keyValues } from '../key-values.ts'
import type { Companion, WritePlan } from '../plan.ts'
import type { PlanContext } from '../plan-context.ts'
import { applyChanges } from './apply-changes.ts'
import { planCompanions } from './plan-companions.ts'
import { planWrite, type Write, type WriteOptions } from './plan-write.ts'
import type { StagedPlan, WriteDraft } from './staged-plan.ts'
import { type KnownValues, knownValues, NOTHING_KNOWN } from './write-condition.ts'

/** A put or a delete of an item that others follow from: with a read before, unless the call alone tells what follows. */
export function stageWrite(
  options: WriteOptions,
  context: PlanContext,
  write: Write,
): WritePlan | StagedPlan {
  const { model, where, returning } = options
  const { fixed, copies, counted, touching, deciding } = model.companions!
  const { verb, key, item, changes, given = NOTHING_KNOWN } = write
  const { exists = false, absent = false, version } = write
  const told = itemFromKey(model, key)
  // A new item keeps the counts of the one it replaces.
  const isFixed = fixed && !write.keepsHidden && !(item && counted.length > 0)
  // A transaction gives nothing back, so that what is asked for has to be read.
  if (isFixed && !absent && !(returning === 'ALL_OLD' && copies.length > 0)) {
    const plan = planWrite(options, context, changes ? asChange(write) : write)
    return {
      ...plan,
      companions: followers({ options, context, write }, item ? undefined : told, item),
    }
  }
  const isTold =
    !item && [...deciding].every((name) => Object.hasOwn(told, name) || given.has(name))
  return {
    kind: 'read-first',
    verb,
    model,
    tableName: context.tableName,
    key,
    expects: { exists, absent, version },
    attributes: namesOf(model, touching),
    reads: undefined,
    optimistic: absent,
    unconditional:
      where === undefined && given.size === 0 && !exists && !absent && version === undefined,
    assumed: absent ? { item: undefined } : isTold ? { item: withValues(told, given) } : undefined,
    draft: { options, context, write },
  }
}

/** The write, when the item that it finds is known; `isRead` says that it was read, and not only told by the caller. */
export function completeWrite(
  draft: WriteDraft,
  before: Item | undefined,
  isRead: boolean,
): WritePlan {
  const { options, context, write } = draft
  const { model, where, returning } = options
  const { counted, counters } = model.companions!
  const { item, changes, place, exists = false } = write
  if (!isRead && before) {
    // Only what is there can be counted down.
    const plan = planWrite(options, context, { ...write, exists: exists || counters.length > 0 })
    return { ...plan, companions: followers(draft, before, undefined) }
  }
  // What follows from an item that is over is still there, but nothing else counts of it.
  const replaced = before && !isExpired(model, before, context) ? before : undefined
  // Its own count and the put would be two writes of one item.
  const countsItself = counters.some(({ parent }) => parent === model)
  const isChange = replaced && changes && !countsItself
  const kept = isChange ? [] : counted.map(({ stored }) => stored)
  const after = isChange
    ? applyChanges(replaced, changes, place)
    : item && withValues(item, knownValues(kept, replaced))
  const output =
    returning === 'ALL_OLD'
      ? replaced && model.decode(replaced, false)
      : write.output && counted.length > 0
        ? model.decode(after!, false)
        : write.output
  const known = new Map([...assertItem(model, before, kept), ...(write.known ?? [])])
  const { changes: _, ...whole } = write
  const own = isChange
    ? { ...asChange(write), exists: true }
    : { ...whole, ...(after && { item: after }) }
  const plan = planWrite(options, context, { ...own, known, output })
  // Deleting what is not there, or putting the same, a second time changes nothing more.
  const idempotent = where === undefined && (plan.idempotent || !before || item !== undefined)
  return { ...plan, idempotent, companions: followers(draft, before, after) }
}

function followers(
  { options: { model }, context, write: { place, key } }: WriteDraft,
  before: Item | undefined,
  after: Item | undefined,
): readonly Companion[] {
  return planCompanions({ context, model, place, keys: [key, key], whole: true, before, after })
}

/** A put as an update, which leaves what it does not name. */
function asChange({ item: _, ...write }: Write): Write {
  return { ...write, action: 'Update' }
}

/** An item with those of the values that are there. */
export function withValues(item: Item, values: KnownValues): Item {
  const result: { [name: string]: AttributeValue } = { ...item }
  for (const [name, value] of values) if (value) result[name] = value
  return result
}

/**
 * What asserts that an item is still the one that was read, as far as its companions and the named attributes go. Its version would not do: an
 * item that was deleted and made anew begins with the same one.
 */
export function assertItem(
  { companions, schema }: Model,
  item: Item | undefined,
  names: readonly string[],
  affected: ReadonlySet<string> | undefined = companions?.touching,
): KnownValues {
  if (item === undefined) return new Map([[schema.primary.hash[0]!, undefined]])
  return knownValues([...(affected ?? []), ...names], item)
}

/** What the primary key tells of an item. */
export function itemFromKey(model: Model, key: Item): Item {
  const item: { [name: string]: AttributeValue } = { ...key }
  for (const [name, value] of Object.entries(keyValues(model, key).told)) {
    const { stored, codec } = model.attributes.get(name)!
    if (value !== undefined) item[stored] = codec.encode(value, [])
  }
  return item
}

/** The names that callers know the stored ones by. */
export function namesOf({ attributes }: Model, stored: Iterable<string>): string[] {
  const all = [...attributes.values()]
  return [...stored].map((each) => all.find((attribute) => attribute.stored === each)!.name)
}
