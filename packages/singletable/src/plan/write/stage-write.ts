import type { Model } from '../../schema/model.ts'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { keyValues } from '../key-values.ts'
import type { DerivedWrite, WritePlan } from '../plan.ts'
import type { WriteSite } from '../plan-context.ts'
import { planDerivedItems } from './plan-derived-items.ts'
import { planWrite, type WriteDescription, type WriteOptions } from './plan-write.ts'
import type { StagedPlan, WriteDraft } from './staged-plan.ts'
import { type KnownValues, knownValues, NOTHING_KNOWN } from './write-condition.ts'

const NO_DERIVED_ITEMS = {
  fixed: false,
  copies: [],
  counted: [],
  dependsOn: new Set<string>(),
  determinedBy: new Set<string>(),
}

/**
 * A put or a delete that depends on the item under its key: with a read before, unless the call
 * alone determines what follows.
 */
export function stageWrite(
  options: WriteOptions,
  site: WriteSite,
  write: WriteDescription,
): WritePlan | StagedPlan {
  const { model, where, returning } = options
  const { fixed, copies, counted, dependsOn, determinedBy } = model.derivedItems ?? NO_DERIVED_ITEMS
  const { verb, key, item, changes, given = NOTHING_KNOWN, partlySeen } = write
  const { exists = false, absent = false, version } = write
  const fromKey = itemFromKey(model, key)
  // A new item keeps the counts of the one it replaces.
  const isFixed = fixed && !write.keepsHidden && !partlySeen && !(item && counted.length > 0)
  // A transaction gives nothing back, so that what is asked for has to be read.
  if (isFixed && !absent && !(returning === 'ALL_OLD' && copies.length > 0)) {
    const derivedItems = followers({ options, site, write }, item ? undefined : fromKey, item)
    return planWrite(options, site, { ...(changes ? asChange(write) : write), derivedItems })
  }
  const isKnown =
    !item && [...determinedBy].every((name) => Object.hasOwn(fromKey, name) || given.has(name))
  return Object.freeze<StagedPlan>({
    kind: 'read-first',
    verb,
    model,
    tableName: site.tableName,
    key,
    expects: { exists, absent, version },
    attributes: [
      ...namesOf(model, dependsOn),
      ...(partlySeen?.map(({ attribute }) => attribute.name) ?? []),
    ],
    reads: undefined,
    optimistic: absent,
    unconditional:
      where === undefined && given.size === 0 && !exists && !absent && version === undefined,
    assumed: absent
      ? { item: undefined }
      : isKnown
        ? { item: withValues(fromKey, given) }
        : undefined,
    draft: { options, site, write },
  })
}

/** All that follows from a put or a delete. */
export function followers(
  { options: { model }, site, write: { place, key } }: WriteDraft,
  before: Item | undefined,
  after: Item | undefined,
): readonly DerivedWrite[] {
  if (!model.derivedItems) return []
  return planDerivedItems({ site, model, place, keys: [key, key], whole: true, before, after })
}

/** A put as an update, which leaves what it does not name. */
export function asChange({ item: _, ...write }: WriteDescription): WriteDescription {
  return { ...write, action: 'Update' }
}

/** An item with those of the values that are there. */
export function withValues(item: Item, values: KnownValues): Item {
  const result: { [name: string]: AttributeValue } = { ...item }
  for (const [name, value] of values) if (value) result[name] = value
  return result
}

/**
 * What asserts that an item is still the one that was read, as far as its derived items and the
 * named attributes go. Its version would not do: an item that was deleted and created again begins
 * with the same one.
 */
export function assertItem(
  { derivedItems, schema }: Model,
  item: Item | undefined,
  names: readonly string[],
  affected: ReadonlySet<string> | undefined = derivedItems?.dependsOn,
): KnownValues {
  if (item === undefined) return new Map([[schema.primary.hash[0]!, undefined]])
  return knownValues([...(affected ?? []), ...names], item)
}

/** What can be recovered of an item from its primary key. */
export function itemFromKey(model: Model, key: Item): Item {
  const item: { [name: string]: AttributeValue } = { ...key }
  for (const [name, value] of Object.entries(keyValues(model, key).recoverable)) {
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
