import { SingletableError } from '../errors/singletable-error.ts'
import { allOf, compare, exists } from '../expression/build.ts'
import { EXPRESSION_SIZE_MAX_BYTES, OPERATORS_MAX } from '../expression/limits.ts'
import type { Condition, Update } from '../expression/tree.ts'
import type { CountChange, DerivedWrite, WritePlan } from '../plan/plan.ts'
import type { WriteSite } from '../plan/plan-context.ts'
import { gatherWrites } from '../plan/write/gather-writes.ts'
import { planWrite } from '../plan/write/plan-write.ts'
import { compileAction } from '../request/compile-write.ts'
import { keyFromItem, matchPart } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import { OWNER } from '../schema/reserved-items.ts'
import { StoredValueProblem } from '../schema/stored-value-problem.ts'
import type { Item } from '../values/attribute-value.ts'
import { ITEM_SIZE_MAX_BYTES } from '../values/limits.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import { itemSizeBytes } from '../values/size.ts'
import type { TransactWriteItem } from '../wire/item-operations.ts'
import { derivedOf } from './derived-of.ts'
import type { Rewrite } from './rewrite-item.ts'
import { RewriteProblem } from './rewrite-problem.ts'

/** For messages. */
const PLACE = 'migration'
/**
 * What a part of a condition takes as text at most: `#a123 = :a123 AND `,
 * `attribute_not_exists(#a123) AND `.
 */
const COMPARED_BYTES = 18
const ABSENT_BYTES = 34

/** A write that follows from a rewritten item. */
export interface DerivedAction {
  readonly action: TransactWriteItem
  /** If its condition does not hold, there is nothing to do: a parent that is gone has no count. */
  readonly isOptional: boolean
}

export interface RewriteActions {
  /**
   * The first is on the item that was read, and holds only while that is as it was: no write of
   * anybody else is lost. For an item that stays as it is, it only checks that.
   */
  readonly own: readonly [TransactWriteItem, ...TransactWriteItem[]]
  readonly derived: readonly DerivedAction[]
}

/** The writes that carry a rewrite out, all in one transaction. */
export function writesOf(rewrite: Rewrite, site: WriteSite): RewriteActions {
  const { before, from, after, isSame } = rewrite
  const { tableName } = site
  const primary = (after[0]?.model ?? from!).schema.primary
  const key = keyFromItem(primary, before)
  const stays = after.find(({ item }) => sameValue(keyFromItem(primary, item), key))
  const common = { tableName, place: PLACE }
  const update = stays && changesOf(before, stays.item)
  const own = { ...common, key, condition: unchangedCondition(rewrite, key) }
  const action = update ? 'Update' : stays ? 'ConditionCheck' : 'Delete'
  const puts = isSame ? [] : after.filter((each) => each !== stays)
  for (const { item } of after) {
    const bytes = itemSizeBytes(item)
    if (!isSame && bytes > ITEM_SIZE_MAX_BYTES) {
      throw new RewriteProblem(
        `would have ${bytes} bytes, and an item has at most ${ITEM_SIZE_MAX_BYTES}`,
      )
    }
  }
  return {
    own: [
      compileAction({ ...own, action, ...(update && { update }) }),
      ...puts.map(({ item }) => {
        const condition = exists(primary.hash[0]!, true)
        return compileAction({ ...common, action: 'Put', key, item, condition })
      }),
    ],
    derived: derivedActions(rewrite, site, key),
  }
}

/**
 * What DynamoDB has to find for the item to be the one that was read: each attribute as it was, and
 * none of the declared ones that it lacked. Counters change without a new version, so that the
 * version alone is used only where there is no room for all attributes.
 */
function unchangedCondition({ before, from, writers, after }: Rewrite, key: Item): Condition {
  const models = [from, ...writers, ...after.slice(0, 1).map(({ model }) => model)]
  const declared = models.flatMap((model) => [
    ...[...(model?.attributes.values() ?? [])].map(({ stored }) => stored),
    ...(model?.derived.map(({ name }) => name) ?? []),
    model?.schema.params.typeField ?? '',
  ])
  const known = Object.keys(before).filter((name) => !Object.hasOwn(key, name))
  const absent = [...new Set(declared)].filter((name) => name && !Object.hasOwn(before, name))
  const bytes = known.length * COMPARED_BYTES + absent.length * ABSENT_BYTES
  const [hash = ''] = Object.keys(key)
  const operators = 2 * known.length + absent.length
  if (bytes < EXPRESSION_SIZE_MAX_BYTES - ABSENT_BYTES && operators <= OPERATORS_MAX) {
    return allOf([
      exists(hash),
      ...known.map((name) => compare(name, '=', before[name]!)),
      ...absent.map((name) => exists(name, true)),
    ])!
  }
  const version = from?.version && getOwn(before, from.version.stored)
  if (version) {
    const counted = from.derivedItems?.counted ?? []
    return allOf([
      compare(from.version!.stored, '=', version),
      ...counted.map(({ stored }) =>
        before[stored] ? compare(stored, '=', before[stored]) : exists(stored, true),
      ),
    ])!
  }
  throw new RewriteProblem(
    `has ${known.length} attributes, which are too many to compare; declare a version for its model`,
  )
}

/** An update of what differs; undefined if nothing does. */
function changesOf(before: Item, after: Item): Update | undefined {
  const set = Object.entries(after)
    .filter(([name, value]) => !sameValue(value, getOwn(before, name)))
    .map(([name, value]) => ({ path: [name] as const, value: { kind: 'value', value } as const }))
  const remove = Object.keys(before)
    .filter((name) => !Object.hasOwn(after, name))
    .map((name) => [name] as const)
  return set.length + remove.length === 0 ? undefined : { set, remove, add: [], delete: [] }
}

/** Copies, guards and counters that change with the item. */
function derivedActions(
  { before, from, writers, after, isNew, isCounted }: Rewrite,
  site: WriteSite,
  key: Item,
): readonly DerivedAction[] {
  const known = from ? derivedOf(from, before, site) : []
  const old = [...known, ...derivedByOthers()]
  const own = after.flatMap(({ model, item }, at) =>
    derivedOf(model, item, site, at === 0 ? key : undefined),
  )
  const isItem = (each: DerivedWrite): each is WritePlan => each.kind === 'write'
  const oldItems = old.filter(isItem)
  const ownItems = own.filter(isItem)
  const same = (a: WritePlan, b: WritePlan): boolean => sameValue(a.key, b.key)
  const actions: DerivedAction[] = []
  for (const plan of ownItems) {
    const was = known.filter(isItem).find((each) => same(each, plan))
    if (!was || !sameValue(was.item, plan.item)) {
      actions.push({ action: compileAction(plan), isOptional: false })
    }
  }
  for (const [at, plan] of oldItems.entries()) {
    const isKnown = oldItems.slice(0, at).some((each) => same(each, plan))
    if (isKnown || ownItems.some((each) => same(each, plan))) continue
    const isGuard = plan.role?.kind === 'unique'
    // A guard that names somebody else is theirs.
    const condition = isGuard ? compare(OWNER, '=', { M: key }) : undefined
    const { tableName } = site
    const deletion = {
      tableName,
      place: PLACE,
      action: 'Delete',
      key: plan.key,
      condition,
    } as const
    actions.push({ action: compileAction(deletion), isOptional: isGuard })
  }
  return [...actions, ...countActions({ old, after, site, from, isNew, isCounted })]

  /** What programs of other versions made of the same item, as far as they can have known it. */
  function derivedByOthers(): readonly DerivedWrite[] {
    return writers.flatMap((model) => {
      try {
        return derivedOf(model, before, site)
      } catch (error) {
        if (SingletableError.is(error) || error instanceof StoredValueProblem) return []
        throw error
      }
    })
  }
}

/**
 * A counter moves with the item that has it. So an item is counted only if it comes or goes, by
 * being split off or deleted, or if a step gave it another parent.
 */
function countActions(change: {
  readonly old: readonly DerivedWrite[]
  readonly after: Rewrite['after']
  readonly site: WriteSite
  readonly from: Model | undefined
  readonly isNew: boolean | undefined
  readonly isCounted: Rewrite['isCounted']
}): readonly DerivedAction[] {
  const { old, after, site, from, isNew, isCounted = () => true } = change
  const countsOf = (writes: readonly DerivedWrite[]): readonly CountChange[] =>
    writes.filter((each) => each.kind === 'count')
  const [own, ...split] = after.map(({ model, item }) => countsOf(derivedOf(model, item, site)))
  const was = countsOf(old).filter(isCounted)
  // A counter that is new counts what is there in a step of its own.
  const isKnown = (each: CountChange): boolean =>
    isCounted(each) &&
    (isNew ||
      from?.derivedItems?.counters.some(
        ({ attribute }) => attribute.name === each.attribute.name,
      ) === true)
  const without = (changes: readonly CountChange[], others: readonly CountChange[] = []) => {
    const strings = new Set(others.map(countText))
    return changes.filter((each) => !strings.has(countText(each)))
  }
  const counts = [
    ...unique(without(was, own)).map((each) => ({ ...each, by: negated(each.by), joins: false })),
    ...without(own?.filter(isKnown) ?? [], was),
    ...split.flat(),
  ]
  const model = from ?? after[0]?.model
  if (counts.length === 0 || model === undefined) return []
  // The library adds the changes of one parent up; a write that nobody sends carries them.
  const carrier = planWrite({ model }, site, {
    action: 'Delete',
    verb: 'delete',
    place: PLACE,
    key: {},
    version: undefined,
    derivedItems: counts,
  })
  return gatherWrites([carrier])
    .writes.slice(1)
    .map((plan) => ({ action: compileAction(plan), isOptional: plan.role?.optional === true }))
}

/** Each change once, also if several versions of the schema have it. */
function unique(changes: readonly CountChange[]): readonly CountChange[] {
  return [...new Map(changes.map((each) => [countText(each), each])).values()]
}

/**
 * The same for one counter of one parent, also if the parent has another key in the newer schema.
 */
function countText({ parent: { primary }, attribute, key, by }: CountChange): string {
  const values = [...primary.hash, ...primary.sort].map((part) =>
    matchPart(part, getOwn(key, part.name)),
  )
  const links = Object.entries(Object.assign({}, ...values)).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([attribute.name, links, by])
}

function negated(decimal: string): string {
  if (decimal === '0') return decimal
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`
}
