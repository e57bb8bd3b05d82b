import type { Model } from '../schema/model.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { applyChanges } from './apply-changes.ts'
import { isExpired } from './is-expired.ts'
import { keyValues } from './key-values.ts'
import type { StagedPlan, WritePlan } from './plan.ts'
import { planCompanions } from './plan-companions.ts'
import type { PlanContext } from './plan-context.ts'
import { planWrite, type Write, type WriteOptions } from './plan-write.ts'
import { type KnownValues, knownValues, NOTHING_KNOWN } from './write-condition.ts'

/** A put or a delete of an item that others follow from: with a read before, unless the call alone tells what follows. */
export function stageWrite(
  options: WriteOptions,
  context: PlanContext,
  write: Write,
): WritePlan | StagedPlan {
  const { model, where, returning } = options
  const { companions } = model
  const { verb, place, key, item, exists = false, absent = false, version } = write
  const given = write.given ?? NOTHING_KNOWN
  const keys = [key, key] as const
  const isOldGiven = returning === 'ALL_OLD'
  const common = { context, model, place, keys, whole: true }
  const { changes, keepsHidden, item: _, ...rest } = write
  const change: Write = { ...rest, action: 'Update', ...(changes && { changes }) }
  // A new item keeps the counts of the one it replaces.
  const isFixed = companions!.fixed && !keepsHidden && !(item && companions!.counted.length > 0)
  // A transaction gives nothing back, so that what is asked for has to be read.
  if (isFixed && !absent && !(isOldGiven && companions!.copies.length > 0)) {
    const before = item ? undefined : itemFromKey(model, key)
    const plan = planWrite(options, context, changes ? change : write)
    return { ...plan, companions: planCompanions({ ...common, before, after: item }) }
  }
  // Its own count and the put would be two writes of one item.
  const countsItself = companions!.counters.some(({ parent }) => parent === model)
  const finish = (before: Item | undefined): [WritePlan] => {
    // What follows from an item that is over is still there, but nothing else counts of it.
    const replaced = before && !isExpired(model, before, context) ? before : undefined
    const isChange = replaced && changes && !countsItself
    const kept = isChange ? [] : companions!.counted.map(({ stored }) => stored)
    const after: { [name: string]: AttributeValue } | undefined = isChange
      ? { ...applyChanges(replaced, changes, place) }
      : item && { ...item }
    for (const stored of after ? kept : []) {
      const value = replaced && getOwn(replaced, stored)
      if (value) after![stored] = value
    }
    const output = isOldGiven
      ? replaced && model.decode(replaced, false)
      : write.output && companions!.counted.length > 0
        ? model.decode(after!, false)
        : write.output
    const known = new Map([...assertItem(model, before, kept), ...(write.known ?? [])])
    const own = isChange ? { ...change, exists: true } : { ...rest, ...(after && { item: after }) }
    const plan = planWrite(options, context, { ...own, known, output })
    // Deleting what is not there, or putting the same, a second time changes nothing more.
    const idempotent = where === undefined && (plan.idempotent || !before || item !== undefined)
    const following = planCompanions({ ...common, before, after })
    return [{ ...plan, idempotent, companions: following }]
  }
  const told = itemFromKey(model, key)
  const isTold =
    !item && [...companions!.deciding].every((name) => Object.hasOwn(told, name) || given.has(name))
  const planTold = (): WritePlan => {
    const before: { [name: string]: AttributeValue } = { ...told }
    for (const [name, value] of given) if (value) before[name] = value
    // Only what is there can be counted down.
    const isThere = exists || companions!.counters.length > 0
    const plan = planWrite(options, context, { ...write, exists: isThere })
    return { ...plan, companions: planCompanions({ ...common, before, after: undefined }) }
  }
  return {
    kind: 'read-first',
    verb,
    model,
    tableName: context.tableName,
    key,
    expects: { exists, absent, version },
    attributes: namesOf(model, companions!.touching),
    reads: undefined,
    optimistic: absent,
    unconditional:
      where === undefined && given.size === 0 && !exists && !absent && version === undefined,
    blind: absent ? () => finish(undefined)[0] : isTold ? planTold : undefined,
    finish,
  }
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
