import { holdsFor } from '../plan/holds.ts'
import { isExpired } from '../plan/is-expired.ts'
import type { ReadMember, ReadPlan } from '../plan/read/read-plan.ts'
import type { Reference } from '../plan/reference.ts'
import { toOperand } from '../plan/references.ts'
import { refusePlan } from '../plan/refuse-plan.ts'
import type { Where } from '../plan/where.ts'
import { anyCodec } from '../schema/codecs/any-codec.ts'
import type { Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import { decodeItem, hasKeyOf, withKeyValues } from './decode-found.ts'
import type { TableContext } from './table-context.ts'

/**
 * A result of a query over several models: of one of them, or of a type that the schema does not
 * declare.
 */
export interface Collected {
  readonly entity: string | undefined
  readonly item: Record<string, unknown>
}

/** Results by the names of their models, in the order of their sort keys. */
export interface Groups {
  readonly unknown: Record<string, unknown>[]
  readonly [entity: string]: Record<string, unknown>[]
}

const ANY = anyCodec(1)

/** The model of an item: determined by its type, or by its keys if it has none. */
export function modelOf({ schema }: Pick<TableContext, 'schema'>, item: Item): Model | undefined {
  const type = getOwn(item, schema.params.typeField)
  return type === undefined
    ? [...schema.models.values()].find((each) => !each.isShared && hasKeyOf(each, item))
    : schema.types.get(type.S ?? '')
}

/**
 * The member that an item is of; `undefined` if nobody declares its type, `null` if the item is not
 * asked for.
 */
export function memberOf(
  context: TableContext,
  { members, model: { schema }, state }: ReadPlan,
  item: Item,
): ReadMember | undefined | null {
  const type = getOwn(item, schema.params.typeField)
  const model = modelOf({ schema }, item)
  if (model === undefined) return undefined
  const member = members.find((each) => each.model === model)
  const isAsked =
    member?.conditions.every((condition) => holds(condition, item)) &&
    (type !== undefined || member.filter.every((condition) => holds(condition, item))) &&
    (state.includeExpired || !isExpired(model, item, context))
  return isAsked ? member : null
}

/**
 * The item as its model gives it; one that no model declares has its attributes as they are stored.
 */
export function decodeCollected(context: TableContext, plan: ReadPlan, item: Item): Collected {
  const member = memberOf(context, plan, item)
  return {
    entity: member?.model.name,
    // A map is given as an object.
    item: member
      ? decodeItem(
          context,
          member.model,
          withKeyValues(member, item, plan.index),
          member.unasked ?? false,
        )
      : (ANY.decode({ M: item }) as Record<string, unknown>),
  }
}

/** What was found, by models; each has a group, also if nothing was found of it. */
export function groupCollected(
  { members }: ReadPlan,
  /** What a plan with members gives. */
  outputs: readonly object[],
): Groups {
  const groups = new Map<string, Record<string, unknown>[]>()
  for (const { model } of members) groups.set(model.name, [])
  const unknown: Record<string, unknown>[] = []
  for (const { entity = '', item } of outputs as readonly Collected[]) {
    ;(groups.get(entity) ?? unknown).push(item)
  }
  return { ...Object.fromEntries(groups), unknown }
}

/** Whether an item fulfils a condition. */
function holds({ operator, operands, ...rest }: Where, item: Item): boolean {
  const each = (inner: unknown): boolean => holds(inner as Where, item)
  if (operator === 'AND') return operands.every(each)
  if (operator === 'OR') return operands.some(each)
  if (operator === 'NOT') return !each(operands[0])
  // Comparisons have a reference first.
  const [{ name, path }, ...others] = operands as [Reference, ...unknown[]]
  const result = others.some((other) => toOperand(other, ''))
    ? undefined
    : holdsFor({ operator, operands, ...rest }, getOwn(item, path[0]))
  if (result !== undefined) return result
  return refusePlan(
    'PLAN_INVALID',
    'collect()',
    `An item without a type attribute was read, and only DynamoDB can compare its "${name}" in this way.`,
    'add the type attribute to the items of the partition, or leave the condition out',
  )
}
