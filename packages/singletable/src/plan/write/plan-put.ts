import { keyFromItem } from '../../schema/index-keys.ts'
import type { Attribute, Model } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import { type PlanContext, placeOf, siteOf } from '../plan-context.ts'
import type { PutState } from '../state.ts'
import type { Change } from './encode-changes.ts'
import { planWrite, type Write } from './plan-write.ts'
import { stageWrite } from './stage-write.ts'
import type { UpdatePlan } from './staged-plan.ts'

/** What makes an item of any other under its key, except for what the caller could not see. */
function changesTo(model: Model, item: Item, unseen: readonly Attribute[]): Change[] {
  const { primary, params } = model.schema
  const counted = model.derivedItems?.counted ?? []
  const names = [
    params.typeField,
    ...[...model.attributes.values()].map(({ stored }) => stored),
    ...model.derived.map(({ name }) => name),
  ]
  return names.flatMap((name): Change[] => {
    // Counts are those of the item that is there.
    if (counted.some(({ stored }) => stored === name)) return []
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
  const site = siteOf(context)
  const creates = verb === 'create'
  const key = keyFromItem(model.schema.primary, item)
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
  if (absent || state.replaces)
    return (model.derivedItems ? stageWrite : planWrite)(state, site, write)
  // An item that was read does not have them, so that leaving them out does not mean to remove them.
  const unseen = model.hidden.filter(({ name }) => !Object.hasOwn(state.input, name))
  const keepsHidden = unseen.length > 0
  const isWhole = !keepsHidden && !keepsUndeclared(model, context)
  if (model.derivedItems) {
    if (isWhole && model.derivedItems.fixed) return stageWrite(state, site, write)
    const changes = changesTo(model, item, unseen)
    return stageWrite(state, site, { ...write, changes, keepsHidden })
  }
  if (isWhole) return planWrite(state, site, write)
  const { item: _, ...update } = write
  return planWrite(state, site, {
    ...update,
    action: 'Update',
    changes: changesTo(model, item, unseen),
  })
}

/** Whether items can have attributes that the schema does not declare: other programs, or another version of this one, have written them. */
function keepsUndeclared(model: Model, context: PlanContext): boolean {
  const { keepUndeclared, undeclared, warn } = context
  const found = undeclared?.get(model)
  if (keepUndeclared !== undefined || !found) return keepUndeclared === true
  if (!found.isReported) {
    found.isReported = true
    warn?.(
      `${model.name} has items with "${found.name}", which the schema does not declare. put() keeps such attributes once one was read; give the table keepUndeclared: true to keep them always, or false to erase them.`,
    )
  }
  return true
}
