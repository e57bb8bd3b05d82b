import { keyFromItem, ownValue } from '../../schema/index-keys.ts'
import type { Attribute, Model } from '../../schema/model.ts'
import type { Item } from '../../values/attribute-value.ts'
import { getOwn } from '../../values/own.ts'
import { type PlanContext, placeOf, siteOf } from '../plan-context.ts'
import type { PutState } from '../state.ts'
import type { AttributeChange } from './encode-changes.ts'
import { omitsHidden, type PartlySeen } from './keep-unseen.ts'
import { planWrite, type WriteDescription } from './plan-write.ts'
import { stageWrite } from './stage-write.ts'
import type { UpdatePlan } from './staged-plan.ts'

/** What makes an item of any other under its key, except for what the caller could not see. */
function changesTo(model: Model, item: Item, unseen: readonly Attribute[]): AttributeChange[] {
  const { primary, params } = model.schema
  const counted = model.derivedItems?.counted ?? []
  const names = [
    params.typeField,
    ...[...model.attributes.values()].map(({ stored }) => stored),
    ...model.derived.map(({ name }) => name),
  ]
  return names.flatMap((name): AttributeChange[] => {
    // Counts are those of the item that is there.
    if (counted.some(({ stored }) => stored === name)) return []
    if ([...primary.hash, ...primary.sort].includes(name)) return []
    const value = getOwn(item, name)
    const isUnseen = unseen.some(({ stored }) => stored === name)
    if (isUnseen && !value) return []
    // A hidden attribute that has a value here got it from its default, which an existing item does
    // not get again.
    const kind = isUnseen ? 'default' : value ? 'set' : 'remove'
    return [{ kind, name, path: [name], value }]
  })
}

/** Plans a put or a create: the whole item, and the condition it is written on. */
export function planPut(state: PutState, context: PlanContext): UpdatePlan {
  const { model, verb, returning } = state
  const place = placeOf(context, model, verb)
  const creates = verb === 'create'
  const encoded = model.encodeNew(state.input, context.environment, place, !creates)
  const { item, output, version, fresh } = encoded
  const site = siteOf(context)
  const key = keyFromItem(model.schema.primary, item)
  // Without a version nothing is known that could be replaced.
  const absent = creates || (model.version !== undefined && version === undefined)
  const write: WriteDescription = {
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
  // An item that was read does not have them, so that leaving them out does not mean to remove
  // them.
  const unseen = model.hidden.filter(({ name }) => !Object.hasOwn(state.input, name))
  const keepsHidden = unseen.length > 0
  const isWhole = !keepsHidden && !keepsUndeclared(model, context)
  const partlySeen = partlySeenOf(state, item, context)
  if (model.derivedItems || partlySeen) {
    if (isWhole && model.derivedItems?.fixed && !partlySeen) return stageWrite(state, site, write)
    const changes = changesTo(model, item, unseen)
    return stageWrite(state, site, {
      ...write,
      ...(partlySeen && { partlySeen }),
      changes,
      keepsHidden,
    })
  }
  if (isWhole) return planWrite(state, site, write)
  const { item: _, ...update } = write
  return planWrite(state, site, {
    ...update,
    action: 'Update',
    changes: changesTo(model, item, unseen),
  })
}

/** The given objects and lists of objects in which there can be more than the caller has seen. */
function partlySeenOf(
  { model, input }: PutState,
  item: Item,
  { keepUndeclared, undeclared }: PlanContext,
): readonly PartlySeen[] | undefined {
  const hasUndeclared = keepUndeclared !== false && undeclared?.get(model)?.inside !== undefined
  const found = model.structured.flatMap((attribute): PartlySeen[] => {
    const value = ownValue(input, attribute.name)
    if (value === undefined || !getOwn(item, attribute.stored)) return []
    const given = attribute.codec.encode(value, [])
    return hasUndeclared || omitsHidden(attribute.codec, given) ? [{ attribute, given }] : []
  })
  return found.length > 0 ? found : undefined
}

/**
 * Whether items can have attributes that the schema does not declare: other programs, or another
 * version of this one, have written them.
 */
function keepsUndeclared(model: Model, context: PlanContext): boolean {
  const { keepUndeclared, undeclared, warn } = context
  const found = undeclared?.get(model)
  const name = found?.name ?? found?.inside
  if (keepUndeclared !== undefined || !found || !name) return keepUndeclared === true
  if (!found.isReported) {
    found.isReported = true
    warn?.(
      `${model.name} has items with "${name}", which the schema does not declare. put() keeps such attributes once one was read; give the table keepUndeclared: true to keep them always, or false to erase them.`,
    )
  }
  return found.name !== undefined
}
