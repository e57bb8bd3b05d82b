import { allOf, anyOf, compare, exists } from '../expression/build.ts'
import type { Condition, Update } from '../expression/tree.ts'
import type { CountChange, DerivedWrite, WritePlan } from '../plan/plan.ts'
import type { WriteSite } from '../plan/plan-context.ts'
import { gatherWrites } from '../plan/write/gather-writes.ts'
import { planWrite } from '../plan/write/plan-write.ts'
import { compileAction } from '../request/compile-write.ts'
import { keyFromItem } from '../schema/index-keys.ts'
import type { Model } from '../schema/model.ts'
import { OWNER } from '../schema/reserved-items.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { sameValue } from '../values/same-value.ts'
import type { TransactWriteItem } from '../wire/item-operations.ts'
import { derivedOf } from './derived-of.ts'
import type { Rewrite } from './rewrite-item.ts'
import { RewriteProblem } from './rewrite-problem.ts'

/** This many comparisons fit into an expression of 4 KB. */
const COMPARED_MAX = 240
/** For messages. */
const PLACE = 'migration'

/**
 * The writes that carry a rewrite out, all in one transaction. Each of them holds only while the
 * item is the one that was read, so that no write of anybody else is lost.
 */
export function writesOf(rewrite: Rewrite, site: WriteSite): readonly TransactWriteItem[] {
  const { before, from, after, isSame } = rewrite
  const { tableName } = site
  const primary = (after[0]?.model ?? from!).schema.primary
  const key = keyFromItem(primary, before)
  const actions: TransactWriteItem[] = []
  if (!isSame) {
    const stays = after.find(({ item }) => sameValue(keyFromItem(primary, item), key))
    const unchanged = unchangedCondition(before, key, from)
    const common = { tableName, place: PLACE }
    const update = stays && changesOf(before, stays.item)
    const own = { ...common, key, condition: unchanged }
    if (update) actions.push(compileAction({ ...own, action: 'Update', update }))
    if (!stays) actions.push(compileAction({ ...own, action: 'Delete' }))
    for (const { item } of after) {
      if (item === stays?.item) continue
      const condition = exists(primary.hash[0]!, true)
      actions.push(compileAction({ ...common, action: 'Put', key, item, condition }))
    }
  }
  actions.push(...derivedActions(rewrite, site, key))
  return actions
}

/** What DynamoDB has to find for the item to be the one that was read. */
function unchangedCondition(before: Item, key: Item, model: Model | undefined): Condition {
  const version = model?.version && getOwn(before, model.version.stored)
  if (version) return compare(model.version!.stored, '=', version)
  const names = Object.keys(before).filter((name) => !Object.hasOwn(key, name))
  if (names.length > COMPARED_MAX) {
    throw new RewriteProblem(
      `has ${names.length} attributes, and at most ${COMPARED_MAX} can be compared; declare a version for its model`,
    )
  }
  const [hash = ''] = Object.keys(key)
  return allOf([exists(hash), ...names.map((name) => compare(name, '=', before[name]!))])!
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
  { before, from, after }: Rewrite,
  site: WriteSite,
  key: Item,
): readonly TransactWriteItem[] {
  const old = from ? derivedOf(from, before, site) : []
  const own = after.flatMap(({ model, item }, at) =>
    derivedOf(model, item, site, at === 0 ? key : undefined),
  )
  const isItem = (each: DerivedWrite): each is WritePlan => each.kind === 'write'
  const oldItems = old.filter(isItem)
  const ownItems = own.filter(isItem)
  const same = (a: WritePlan, b: WritePlan): boolean => sameValue(a.key, b.key)
  const actions: TransactWriteItem[] = []
  for (const plan of ownItems) {
    const was = oldItems.find((each) => same(each, plan))
    if (!was || !sameValue(was.item, plan.item)) actions.push(compileAction(plan))
  }
  for (const plan of oldItems) {
    if (ownItems.some((each) => same(each, plan))) continue
    const isGuard = plan.role?.kind === 'unique'
    // A guard that names somebody else is theirs.
    const condition = isGuard
      ? anyOf([exists(Object.keys(plan.key)[0]!, true), compare(OWNER, '=', { M: key })])
      : undefined
    const { tableName } = site
    const { key: derivedKey } = plan
    actions.push(
      compileAction({ tableName, place: PLACE, action: 'Delete', key: derivedKey, condition }),
    )
  }
  return [...actions, ...countActions({ old, after, site, from })]
}

/**
 * A counter moves with the item that has it, so that only items that come or go are counted: those
 * that are deleted, and those that were split off.
 */
function countActions(change: {
  readonly old: readonly DerivedWrite[]
  readonly after: Rewrite['after']
  readonly site: WriteSite
  readonly from: Model | undefined
}): readonly TransactWriteItem[] {
  const { old, after, site, from } = change
  const isCount = (each: DerivedWrite): each is CountChange => each.kind === 'count'
  const gone =
    after.length === 0
      ? old.filter(isCount).map((each) => ({
          ...each,
          by: negated(each.by),
          joins: false,
        }))
      : []
  const come = after
    .slice(1)
    .flatMap(({ model, item }) => derivedOf(model, item, site).filter(isCount))
  const counts = [...gone, ...come]
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
  return gatherWrites([carrier]).writes.slice(1).map(compileAction)
}

function negated(decimal: string): string {
  if (decimal === '0') return decimal
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`
}
