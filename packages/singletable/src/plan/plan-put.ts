import { keyFromItem } from '../schema/index-keys.ts'
import type { Attribute, Model } from '../schema/model.ts'
import type { Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { Change } from './encode-changes.ts'
import type { UpdatePlan } from './plan.ts'
import { type PlanContext, placeOf } from './plan-context.ts'
import { planWrite, type Write } from './plan-write.ts'
import { stageWrite } from './stage-write.ts'
import type { PutState } from './state.ts'

/** What makes an item of any other under its key, except for what the caller could not see. */
function changesTo(model: Model, item: Item, unseen: readonly Attribute[]): Change[] {
  const { primary, params } = model.schema
  const names = [
    params.typeField,
    ...[...model.attributes.values()].map(({ stored }) => stored),
    ...model.derived.map(({ name }) => name),
  ]
  return names.flatMap((name): Change[] => {
    if ([...primary.hash, ...primary.sort].includes(name)) return []
    const value = getOwn(item, name)
    const isUnseen = unseen.some(({ stored }) => stored === name)
    if (isUnseen && !value) return []
    const kind = isUnseen ? 'default' : value ? 'set' : 'remove'
    return [{ kind, name, path: [name], value }]
  })
}

/** Plans a put or a create: the whole item, and the condition it is written on. */
export function planPut(state: PutState, context: PlanContext): UpdatePlan {
  const { model, verb, returning } = state
  const place = placeOf(context, model, verb)
  const { item, output, version, fresh } = model.encodeNew(state.input, context.environment, place)
  const creates = verb === 'create'
  const key = keyFromItem(model.schema.primary, item)
  // An item that was read does not have them, so that leaving them out does not mean to remove them.
  const unseen = model.hidden.filter(({ name }) => !Object.hasOwn(state.input, name))
  const plan = model.companions ? stageWrite : planWrite
  // Without a version nothing is known that could be replaced.
  const absent = creates || (model.version !== undefined && version === undefined)
  const write: Write = {
    action: 'Put',
    item,
    verb,
    place,
    key,
    absent,
    version: creates ? undefined : version,
    fresh,
    output: returning === 'NEW' ? output : undefined,
  }
  if (absent || unseen.length === 0) return plan(state, context, write)
  if (model.companions) {
    return plan(state, context, { ...write, keeps: unseen.map(({ stored }) => stored) })
  }
  const { item: _, ...update } = write
  return plan(state, context, {
    ...update,
    action: 'Update',
    changes: changesTo(model, item, unseen),
  })
}
