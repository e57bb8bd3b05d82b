import { PrintedPlaceholders, printPath } from '../expression/print.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import type { UpdateItemRequest } from '../wire/item-operations.ts'
import type { Change } from './encode-changes.ts'
import type { IndexKeys } from './index-keys.ts'
import type { WritePlan } from './plan.ts'
import type { KnownValues, UpdateDraft } from './update-draft.ts'
import { printVersion } from './version.ts'
import { andAlso, printExists, printIs, printWhere } from './write-condition.ts'
import { completeRequest } from './write-request.ts'

const EMPTY_LIST: AttributeValue = { L: [] }

/** The request of an update. `read` are the values it was planned from, and which must still be there when it is carried out. */
export function writeUpdate(draft: UpdateDraft, keys: IndexKeys, read: KnownValues): WritePlan {
  const { state, context, key, changes } = draft
  const { model, verb, returning } = state
  const placeholders = new PrintedPlaceholders()
  const condition = printUpdateCondition(draft, read, placeholders)
  const request: UpdateItemRequest = {
    TableName: context.tableName,
    Key: key,
    UpdateExpression: printChanges(draft, keys, placeholders),
  }
  completeRequest(request, condition, placeholders)
  if (returning !== 'NONE') request.ReturnValues = returning
  if (state.capacity !== undefined) request.ReturnConsumedCapacity = state.capacity
  const where = state.where !== undefined || draft.given.size > 0
  return {
    kind: 'write',
    verb,
    model,
    action: { Update: request },
    key,
    expects: { exists: verb === 'update', absent: false, version: state.version, where },
    idempotent:
      !where && state.version === undefined && read.size === 0 && changes.every(isRepeatable),
    output: undefined,
    returns: RETURNS[returning],
  }
}

const RETURNS = {
  ALL_NEW: 'attributes',
  ALL_OLD: 'attributes',
  UPDATED_NEW: 'partial',
  UPDATED_OLD: 'partial',
  NONE: 'nothing',
} as const

/** All that an update takes for granted about the item under its key. */
export function printUpdateCondition(
  { state, context, place, rules, given }: UpdateDraft,
  read: KnownValues,
  placeholders: PrintedPlaceholders,
): string {
  const { model } = state
  let condition =
    state.verb === 'update' ? printExists(model, placeholders, context.environment.now()) : ''
  condition = andAlso(condition, printVersion(state.version, model, place, placeholders))
  condition = andAlso(condition, printWhere(state.where, model, place, placeholders))
  for (const known of [given, read]) {
    for (const [name, value] of known) {
      const { stored } = rules.byName.get(name)!
      condition = andAlso(condition, printIs(stored, value, placeholders))
    }
  }
  return condition
}

function printChanges(
  { state, changes }: UpdateDraft,
  keys: IndexKeys,
  placeholders: PrintedPlaceholders,
): string {
  let set = ''
  let remove = ''
  let add = ''
  let take = ''
  for (const { kind, path, value } of changes) {
    const place = printPath(path, placeholders)
    if (value === undefined) {
      remove += `, ${place}`
      continue
    }
    if (kind === 'set') set += `, ${place} = ${placeholders.value(value)}`
    else if (kind === 'add') add += `, ${place} ${placeholders.value(value)}`
    else if (kind === 'delete') take += `, ${place} ${placeholders.value(value)}`
    else if (kind === 'default') set += printDefault(place, value, placeholders)
    else {
      const list = `if_not_exists(${place}, ${placeholders.value(EMPTY_LIST)})`
      const more = placeholders.value(value)
      const [first, second] = kind === 'append' ? [list, more] : [more, list]
      set += `, ${place} = list_append(${first}, ${second})`
    }
  }
  for (const { name, text } of keys.set) {
    set += `, ${placeholders.name(name)} = ${placeholders.value({ S: text })}`
  }
  for (const name of keys.remove) remove += `, ${placeholders.name(name)}`
  if (state.verb === 'upsert') {
    const { name, schema } = state.model
    set += printDefault(placeholders.name(schema.params.typeField), { S: name }, placeholders)
  }
  // Each section starts with a comma to leave out.
  let text = set === '' ? '' : `SET ${set.slice(2)}`
  if (remove !== '') text += ` REMOVE ${remove.slice(2)}`
  if (add !== '') text += ` ADD ${add.slice(2)}`
  if (take !== '') text += ` DELETE ${take.slice(2)}`
  return set === '' ? text.slice(1) : text
}

function printDefault(
  place: string,
  value: AttributeValue,
  placeholders: PrintedPlaceholders,
): string {
  return `, ${place} = if_not_exists(${place}, ${placeholders.value(value)})`
}

/** Whether a second time changes nothing more. What is done at a position of a list may move the others. */
function isRepeatable({ kind, path }: Change): boolean {
  if (kind !== 'set' && kind !== 'remove' && kind !== 'default') return false
  return path.length === 1 || path.every((step) => typeof step === 'string')
}
