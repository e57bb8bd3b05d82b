import { allOf, anyOf, compare, exists as has } from '../expression/build.ts'
import type { Condition } from '../expression/tree.ts'
import { refuseInput } from '../schema/input-issues.ts'
import type { Model } from '../schema/model.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { encodeWhere } from './encode-where.ts'
import type { Expectations } from './plan.ts'
import type { PlanContext } from './plan-context.ts'
import type { Where } from './where.ts'

/** Current values by stored name; `undefined` is no attribute. */
export type KnownValues = ReadonlyMap<string, AttributeValue | undefined>

export const NOTHING_KNOWN: KnownValues = new Map()

/** Those of an item. */
export function knownValues(names: readonly string[], item: Item | undefined): KnownValues {
  return new Map(names.map((name) => [name, item && getOwn(item, name)]))
}

interface ConditionalWrite {
  readonly model: Model
  readonly place: string
  readonly where: Where | undefined
  readonly expects: Expectations
  /** It makes the item where there is none, and an expired one counts as none. */
  readonly creates: boolean
  readonly known: KnownValues
  readonly complete: readonly string[]
  readonly context: PlanContext
}

/** All that a write takes for granted about the item under its key; `undefined` if that is nothing. */
export function writeCondition({
  model,
  place,
  where,
  expects,
  creates,
  known,
  complete,
  context,
}: ConditionalWrite): Condition | undefined {
  const { exists, absent, version } = expects
  const [hash] = model.schema.primary.hash as [string]
  const conditions: Condition[] = []
  if (exists) conditions.push(has(hash))
  // DynamoDB deletes an item some time after its time to live is over; until then it counts as absent.
  if (model.ttl && (exists || absent || creates)) {
    const { stored } = model.ttl
    const now = { N: String(Math.floor(context.environment.now() / 1000)) }
    const either = absent
      ? [has(hash, true), compare(stored, '<=', now)]
      : [has(stored, true), compare(stored, '>', now)]
    conditions.push(anyOf(either)!)
  } else if (absent) conditions.push(has(hash, true))
  if (version !== undefined) {
    if (model.version === undefined || !Number.isSafeInteger(version)) {
      return refuseInput(
        [{ path: [], message: `${model.name} has no version ${version}` }],
        place,
        'declare a Number attribute with version: true, and give the version that was read',
      )
    }
    conditions.push(compare(model.version.stored, '=', { N: String(version) }))
  }
  if (where !== undefined) conditions.push(encodeWhere(where, model, place))
  for (const [stored, value] of known) {
    conditions.push(value === undefined ? has(stored, true) : compare(stored, '=', value))
  }
  if (complete.length > 0) {
    const all = allOf(complete.map((stored) => has(stored)))!
    conditions.push(anyOf([has(hash, true), all])!)
  }
  return allOf(conditions)
}
