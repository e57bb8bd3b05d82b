import { BoundEntity } from '../builder/bound-entity.ts'
import type { CallOptions } from '../execute/table-context.ts'
import { siteOf } from '../plan/plan-context.ts'
import { planWrite } from '../plan/write/plan-write.ts'
import { ownValue } from '../schema/index-keys.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Counter, Model, Schema } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { addDecimals } from '../values/decimal.ts'
import { getOwn, setOwn } from '../values/own.ts'
import { indexBy } from './copy-groups.ts'
import type { Finding } from './finding.ts'
import { keyOf } from './propagation.ts'
import type { Repair } from './repair.ts'

/** A counter that changes again and again is left to the next verification. */
const ATTEMPTS_MAX = 5

/** A counter, and what it counts. */
export interface CountedModel {
  readonly child: Model
  readonly counter: Counter
}

/** The counters of a schema; those that no index can check are apart, each with the reason. */
export function countersOf(schema: Schema): {
  readonly counters: readonly CountedModel[]
  readonly skipped: readonly string[]
} {
  const counters: CountedModel[] = []
  const skipped: string[] = []
  for (const child of schema.models.values()) {
    for (const counter of child.derivedItems?.counters ?? []) {
      const { parent, attribute, links } = counter
      const names = [...links.values()]
      if (indexBy(child, names)) counters.push({ child, counter })
      else {
        const what = `no index finds the items of ${child.name} by ${names.join(' and ')}`
        skipped.push(`${parent.name}.${attribute.name}: ${what}`)
      }
    }
  }
  return { counters, skipped }
}

/** Compares a counter of an item with what there is to count; `undefined` if it is right. */
export async function inspectCounter(
  repair: Repair,
  { child, counter }: CountedModel,
  item: Item,
  options: CallOptions,
): Promise<Omit<Finding, 'entity' | 'key'> | undefined> {
  const { parent: model, attribute } = counter
  const { stored, name } = attribute
  const values = keyOf(model, model.decode(item, false))
  const key = model.encodeKey(values, repair.place)
  let before: Item | undefined = item
  let last: string | undefined
  for (let attempt = 0; before && attempt < ATTEMPTS_MAX; attempt++) {
    const known = getOwn(before, stored)
    const count = await totalOf(repair, child, counter, values, options)
    if ((known?.N ?? '0') === count) return undefined
    // Others may be writing: only what is counted twice alike is believed.
    if (last === count) {
      const set = planWrite({ model }, siteOf(repair.context), {
        action: 'Update',
        verb: 'update',
        place: repair.place,
        key,
        changes: [{ kind: 'set', name, path: [stored], value: { N: count } }],
        exists: true,
        version: undefined,
        // The counter has not changed while its items were counted.
        known: new Map([[stored, known]]),
      })
      const repaired = repair.isWanted && (await repair.write([set]))
      if (repaired || !repair.isWanted) {
        const total = counter.sums
          ? `the sum of ${child.name}.${counter.sums.name} is ${count}`
          : `there are ${count} of ${child.name}`
        const message = `"${name}" is ${known?.N ?? 'absent'}, and ${total}`
        return { kind: 'counter-wrong', message, repaired }
      }
    }
    last = count
    before = await repair.read(key)
  }
  return undefined
}

/** How many items there are to count, or the sum of what they add, as a decimal. */
async function totalOf(
  { context, place }: Repair,
  child: Model,
  { links, when, sums }: Counter,
  key: object,
  options: CallOptions,
): Promise<string> {
  const values: Record<string, unknown> = {}
  for (const [name, link] of links) setOwn(values, link, ownValue(key, name))
  const { index } = indexBy(child, [...links.values()])!
  let query = new BoundEntity(context, child).query(values).useIndex(index.name).includeExpired()
  if (index.type !== 'global') query = query.consistentRead()
  for (const [name, allowed] of when ?? []) {
    query = query.where((attr, op) => {
      // References and operators of the model, whose types only its interface has.
      const operators = op as { in(reference: unknown, values: readonly unknown[]): unknown }
      return operators.in(ownValue(attr, name), allowed)
    })
  }
  if (!sums) return String(await query.count(options))
  if (index.project !== 'all') query = query.hydrate()
  let sum = '0'
  for await (const item of query.iterate(options)) {
    const { N: amount = '0' } = sums.codec.encode(ownValue(Object(item), sums.name) ?? 0, [])
    sum =
      addDecimals(sum, amount) ??
      refuseInput(`the sum of ${sums.name} has more than 38 digits`, place, 'correct the items')
  }
  return sum
}
