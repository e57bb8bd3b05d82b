import { PrintedPlaceholders } from '../expression/print.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn, setOwn } from '../values/own.ts'
import type { DeleteItemRequest, PutItemRequest } from '../wire/item-operations.ts'
import { applyChanges } from './apply-changes.ts'
import { decodeAttribute } from './decode-attribute.ts'
import type { Change } from './encode-changes.ts'
import { planIndexKeys } from './index-keys.ts'
import type { MovePlan, WritePlan } from './plan.ts'
import { NOTHING_KNOWN, type UpdateDraft } from './update-draft.ts'
import { andAlso, printAbsent, printIs } from './write-condition.ts'
import { completeRequest } from './write-request.ts'
import { printUpdateCondition } from './write-update.ts'

/** Plans an update that gives the item another primary key, `target`. */
export function planMove(draft: UpdateDraft, target: Item): MovePlan {
  const { state, rules } = draft
  const { model } = state
  const names = draft.changes.map(({ attribute }) => attribute.name)
  return {
    kind: 'move',
    model,
    key: draft.key,
    attributes: names.filter((name) => rules.primary.has(name)),
    finish(current) {
      const before = current ?? {}
      const after = movedItem(draft, before, target)
      return [planPutNew(draft, before, after, target), planDeleteOld(draft, before)]
    },
  }
}

function movedItem(draft: UpdateDraft, before: Item, target: Item): Item {
  const { state, rules, place } = draft
  const { model } = state
  const item: Record<string, AttributeValue> = { ...before, ...target }
  for (const [stored, changes] of groupByAttribute(draft.changes)) {
    const value = applyChanges(getOwn(before, stored), changes, place)
    if (value === undefined) delete item[stored]
    else setOwn(item, stored, value)
  }
  for (const { name } of model.derived) delete item[name]
  const keys = planIndexKeys(
    model,
    {
      creates: true,
      changes: () => true,
      valueOf(name) {
        const attribute = rules.byName.get(name)!
        const value = getOwn(item, attribute.stored)
        return value && decodeAttribute(model, attribute, value, draft.key)
      },
    },
    place,
  )
  for (const { name, text } of keys.set) item[name] = { S: text }
  item[model.schema.params.typeField] = { S: model.name }
  return item
}

function groupByAttribute(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const group = groups.get(change.path[0])
    if (group === undefined) groups.set(change.path[0], [change])
    else group.push(change)
  }
  return groups
}

function planPutNew(draft: UpdateDraft, before: Item, after: Item, target: Item): WritePlan {
  const { state, context } = draft
  const { model, returning } = state
  const request: PutItemRequest = { TableName: context.tableName, Item: after }
  const placeholders = new PrintedPlaceholders()
  const condition = printAbsent(model, placeholders, context.environment.now())
  completeRequest(request, condition, placeholders)
  return {
    kind: 'write',
    verb: 'update',
    model,
    action: { Put: request },
    key: target,
    expects: { exists: false, absent: true, version: undefined, where: false },
    idempotent: false,
    output: returning === 'NONE' ? undefined : movedOutput(draft, before, after),
    returns: returning === 'NONE' ? 'nothing' : 'output',
  }
}

/** What the update gives, as one that does not move the item would. */
function movedOutput(
  { state, changes }: UpdateDraft,
  before: Item,
  after: Item,
): Record<string, unknown> {
  const { model, returning } = state
  const item = returning === 'ALL_OLD' || returning === 'UPDATED_OLD' ? before : after
  if (returning === 'ALL_OLD' || returning === 'ALL_NEW') return model.decode(item, false)
  const updated: Record<string, AttributeValue> = {}
  for (const { path } of changes) {
    const value = getOwn(item, path[0])
    if (value !== undefined) setOwn(updated, path[0], value)
  }
  return model.decode(updated, true)
}

/** The old item goes only if it is still the one that was read: its version tells, or all its attributes. */
function planDeleteOld(draft: UpdateDraft, before: Item): WritePlan {
  const { state, context, rules, key } = draft
  const { model, where, given, version } = state
  const request: DeleteItemRequest = { TableName: context.tableName, Key: key }
  const placeholders = new PrintedPlaceholders()
  let condition = printUpdateCondition(draft, NOTHING_KNOWN, placeholders)
  const versionName = model.version?.stored
  const names =
    versionName !== undefined && Object.hasOwn(before, versionName)
      ? [versionName]
      : new Set([...rules.byStored.keys(), ...Object.keys(before)])
  for (const stored of names) {
    if (Object.hasOwn(key, stored)) continue
    condition = andAlso(condition, printIs(stored, getOwn(before, stored), placeholders))
  }
  completeRequest(request, condition, placeholders)
  return {
    kind: 'write',
    verb: 'update',
    model,
    action: { Delete: request },
    key,
    expects: {
      exists: true,
      absent: false,
      version,
      where: where !== undefined || given !== undefined,
    },
    idempotent: false,
    output: undefined,
    returns: 'nothing',
  }
}
