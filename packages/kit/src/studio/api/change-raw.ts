import {
  type AttributeValue,
  CONTROL_TYPE,
  type Item,
  keyAttributes,
  type Model,
  matchPart,
  modelOf,
  ServiceError,
  sameValue,
  systemEnvironment,
  type Transport,
} from 'singletable/tools'
import { applyChange, conflictOutcome, consequencesOf, valuesIn } from './change-items.ts'
import type { EditOutcome, RawEdit, StoredItem } from './contract.ts'
import { keptAttributes } from './print-fixture.ts'
import { readStored, stringsOf } from './read-items.ts'
import { failureOf, StudioError } from './studio-error.ts'
import { Meter, type StudioSource } from './studio-source.ts'

/** Conditions of one request have at most 300 operators; more attributes are only compared. */
const CONDITION_ATTRIBUTES_MAX = 100

/**
 * Writes an item as it is typed in DynamoDB's JSON. What an entity reads is written through the
 * library; only what no entity reads is sent as it is. It holds only for the item as it was seen.
 */
export async function applyRaw(
  source: StudioSource,
  edit: RawEdit,
  isDryRun: boolean,
): Promise<EditOutcome> {
  try {
    if (edit.before === null && edit.after === null) {
      throw new StudioError('There is no item to write.', 'send one')
    }
    const { route, notes }: Route = source.connection.isGuessed
      ? guessedRoute(source, edit)
      : routeOf(source, edit)
    if (route !== undefined) return await applyChange(source, route, isDryRun)
    return await sendRaw(source, edit, notes, isDryRun)
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined) throw error
    return { state: 'failed', failure }
  }
}

/** The change of an entity that has the same result, or none where the item is sent as it is. */
interface Route {
  readonly route?: Parameters<typeof applyChange>[1]
  readonly notes: readonly string[]
}

/** A guess is nothing that items have to fit. */
function guessedRoute(source: StudioSource, { before, after }: RawEdit): Route {
  if (after) requireKey(source, before, after)
  return { notes: [] }
}

function routeOf(source: StudioSource, { before, after }: RawEdit): Route {
  if (after) requireKey(source, before, after)
  for (const each of [before, after]) if (each) refuseKept(source, each, after === null)
  const [was, is] = [before, after].map((each) =>
    each ? modelOf({ schema: source.schema }, each) : undefined,
  )
  if (was === undefined && is === undefined) return { notes: after ? similar(source, after) : [] }
  if (after === null) return deleteRoute(source, was as Model, before as StoredItem)
  if (before === null) return createRoute(source, is as Model, after)
  if (was === undefined) return adoptRoute(source, is as Model, after)
  if (is !== was) {
    throw new StudioError(
      `The item would not be a ${was.name} any more.`,
      `keep ${source.schema.params.typeField} as it is, or delete the item and write another`,
      'KEY_BROKEN',
    )
  }
  return updateRoute(source, was, before, after)
}

function deleteRoute(source: StudioSource, model: Model, before: StoredItem): Route {
  if (!isDecodable(model, before)) return { notes: [unfollowed(source, model)] }
  return { route: { kind: 'delete', entity: model.name, before }, notes: [] }
}

function createRoute(source: StudioSource, model: Model, after: StoredItem): Route {
  const own = new Set([...model.attributes.values()].map(({ stored }) => stored))
  const { typeField } = source.schema.params
  const foreign = Object.keys(after).find(
    (name) => !own.has(name) && name !== typeField && !source.schema.keyTypes.has(name),
  )
  if (foreign !== undefined) {
    throw new StudioError(
      `${model.name} has no attribute that is stored as "${foreign}".`,
      `leave it out, declare it in the schema, or choose a key that ${model.name} does not have`,
      'INPUT_INVALID',
      foreign,
    )
  }
  requireKeysOf(model, after)
  const kept = keptAttributes(source, model)
  const strings = stringsOf(model, model.decode(after, false))
  const given = Object.entries(strings).filter(([name]) => !kept.has(name))
  requireLossless(model, after, Object.keys(after))
  return {
    route: { kind: 'create', entity: model.name, strings: Object.fromEntries(given) },
    notes: [],
  }
}

/** An item of no entity that becomes one; its derived items would be missing. */
function adoptRoute(source: StudioSource, model: Model, after: StoredItem): Route {
  requireKeysOf(model, after)
  if (model.source !== undefined || model.derivedItems !== undefined) {
    throw new StudioError(
      `The item would become a ${model.name} without its copies, unique values and counters.`,
      `delete it, and write a new ${model.name}`,
      'KEY_BROKEN',
    )
  }
  return { notes: [`becomes a ${model.name}`, ...similar(source, after)] }
}

function updateRoute(
  source: StudioSource,
  model: Model,
  before: StoredItem,
  after: StoredItem,
): Route {
  const changed = changedNames(before, after)
  if (!isDecodable(model, before)) {
    if (isDecodable(model, after)) requireKeysOf(model, after)
    return { notes: [unfollowed(source, model)] }
  }
  const attributes = new Map(
    [...model.attributes.values(), ...model.hidden].map((each) => [each.stored, each]),
  )
  const made = changed.find((name) => !attributes.has(name) && isMade(source, name))
  if (made !== undefined) {
    throw new StudioError(
      `"${made}" is made by ${model.name} from other attributes.`,
      'change those; the library makes the keys',
      'KEY_BROKEN',
      made,
    )
  }
  const own = changed.filter((name) => attributes.has(name))
  if (own.length === 0) return { notes: [] }
  if (own.length < changed.length) {
    throw new StudioError(
      `Attributes of ${model.name} and others can't be changed at once.`,
      `save ${own.join(', ')} first, then the rest`,
      'INPUT_INVALID',
    )
  }
  const kept = keptAttributes(source, model)
  const names = own.map((stored) => attributes.get(stored)?.name ?? stored)
  const keptName = names.find((name) => kept.has(name))
  if (keptName !== undefined) {
    throw new StudioError(
      `"${keptName}" is kept by the library.`,
      'leave it as it is',
      'INPUT_INVALID',
      keptName,
    )
  }
  requireLossless(model, after, own)
  return {
    route: {
      kind: 'update',
      entity: model.name,
      before,
      strings: {},
      values: valuesIn(model, after, names),
    },
    notes: [],
  }
}

function requireKey(source: StudioSource, before: StoredItem | null, after: StoredItem): void {
  for (const name of keyAttributes(source.schema.primary)) {
    const value = after[name]
    const type = source.schema.keyTypes.get(name) ?? 'S'
    if (value?.[type] === undefined) {
      throw new StudioError(
        `The key attribute ${name} is missing, or not of type ${type}.`,
        `give it as {"${type}":"…"}`,
        'INPUT_INVALID',
        name,
      )
    }
    if (before && !sameValue(value as AttributeValue, before[name] as AttributeValue)) {
      throw new StudioError(
        `The key of an item can't be changed, and ${name} is part of it.`,
        'write a new item with the other key, and delete this one',
        'KEY_BROKEN',
        name,
      )
    }
  }
}

/** Items that the library writes by itself. */
function refuseKept(source: StudioSource, item: StoredItem, isDelete: boolean): void {
  const isControl = item[source.schema.params.typeField]?.S === CONTROL_TYPE
  const { kept } = source.found(item)
  if (isControl || (kept !== null && !isDelete)) {
    throw new StudioError(
      isControl
        ? 'The item belongs to the migrations of the table.'
        : `The item is a ${kept} that the library keeps.`,
      isControl ? 'use singletable migrate' : 'change the item that it belongs to',
      'KEY_BROKEN',
    )
  }
}

/** The keys of an item must be those that its entity makes of its attributes. */
function requireKeysOf(model: Model, item: StoredItem): void {
  const values = model.decode(item, false)
  const where = `entity "${model.name}"`
  const { item: made } = model.encodeNew(values, systemEnvironment, where, true)
  for (const index of model.indexes) {
    for (const { name } of [...index.hash, ...index.sort]) {
      if (sameValue(made[name] ?? { NULL: true }, item[name] ?? { NULL: true })) continue
      const wanted = made[name] ? JSON.stringify(made[name]) : 'absent'
      throw new StudioError(
        `"${name}" does not fit the key template of ${model.name}.`,
        `for these attributes it is ${wanted}`,
        'KEY_BROKEN',
        name,
      )
    }
  }
}

/** What the entity reads and writes again must be the value that was typed. */
function requireLossless(model: Model, item: StoredItem, stored: readonly string[]): void {
  for (const attribute of model.attributes.values()) {
    const value = item[attribute.stored]
    if (value === undefined || !stored.includes(attribute.stored)) continue
    const again = attribute.codec.encode(attribute.codec.decode(value as AttributeValue), [])
    if (sameValue(again, value as AttributeValue)) continue
    throw new StudioError(
      `${model.name} would store ${JSON.stringify(again)} as "${attribute.stored}".`,
      'write a value that the type of the attribute has, or declare another type',
      'INPUT_INVALID',
      attribute.name,
    )
  }
}

function isDecodable(model: Model, item: StoredItem): boolean {
  try {
    model.decode(item, false)
    return true
  } catch {
    return false
  }
}

function isMade(source: StudioSource, name: string): boolean {
  return source.schema.keyTypes.has(name) || name === source.schema.params.typeField
}

function unfollowed(source: StudioSource, model: Model): string {
  const derived = consequencesOf(source, model, undefined)
  return `${model.name} can't read the item, so it is written as it is${derived.length > 0 ? `, without its ${derived.join('; ')}` : ''}`
}

/** A warning for a key that an entity may take for its own. */
function similar(source: StudioSource, item: StoredItem): readonly string[] {
  const names = [...source.schema.models.values()]
    .filter(({ primary }) =>
      [...primary.hash, ...primary.sort].every(
        (part) => matchPart(part, item[part.name] as AttributeValue | undefined) !== undefined,
      ),
    )
    .map(({ name }) => name)
  return names.length === 0 ? [] : [`its key has the form of ${names.join(' and ')}`]
}

function changedNames(before: StoredItem, after: StoredItem): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => {
    const [one, other] = [own(before, name), own(after, name)]
    return !(one && other && sameValue(one, other))
  })
}

function own(item: StoredItem, name: string): AttributeValue | undefined {
  return Object.hasOwn(item, name) ? (item[name] as AttributeValue) : undefined
}

async function sendRaw(
  source: StudioSource,
  edit: RawEdit,
  notes: readonly string[],
  isDryRun: boolean,
): Promise<EditOutcome> {
  const { before, after } = edit
  const meter = new Meter(source.connection.transport)
  const now = await readStored(source, (after ?? before) as StoredItem, meter)
  if (before === null && now) {
    throw new StudioError('An item with this key is there already.', 'open it, and change that')
  }
  if (before && !(now && sameValue({ M: now }, { M: before as Item }))) return conflictOutcome(now)
  const [operation, request] = requestOf(source, edit)
  if (operation === undefined) return { state: 'planned', writes: [], notes, undo: null }
  if (isDryRun) return { state: 'planned', writes: [operation], notes, undo: null }
  try {
    const send = meter.transport.send as (operation: string, request: object) => Promise<unknown>
    await send(operation, request)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.name !== 'ConditionalCheckFailedException') {
      throw error
    }
    return conflictOutcome(await readStored(source, (after ?? before) as StoredItem, meter))
  }
  const stored = after && (await readStored(source, after, meter))
  const undo: RawEdit = { kind: 'raw', entity: null, before: stored ?? null, after: before }
  return { state: 'saved', writes: [operation], notes, undo }
}

type Send = Transport['send']

/** Only what differs is sent, under the condition that nothing else has changed. */
function requestOf(
  source: StudioSource,
  { before, after }: RawEdit,
): readonly [operation: Parameters<Send>[0] | undefined, request: object] {
  const { tableName: TableName } = source.connection
  const primary = keyAttributes(source.schema.primary)
  if (before === null) {
    return [
      'PutItem',
      {
        TableName,
        Item: after,
        ConditionExpression: 'attribute_not_exists(#key)',
        ExpressionAttributeNames: { '#key': primary[0] },
      },
    ]
  }
  const Key = Object.fromEntries(primary.map((name) => [name, before[name]]))
  const changed = after ? changedNames(before, after) : []
  if (after && changed.length === 0) return [undefined, {}]
  const names: Record<string, string> = {}
  const values: Record<string, unknown> = {}
  const nameOf = (name: string): string => {
    const placeholder = `#${Object.keys(names).length}`
    names[placeholder] = name
    return placeholder
  }
  const placeholderOf = (value: unknown): string => {
    const placeholder = `:${Object.keys(values).length}`
    values[placeholder] = value
    return placeholder
  }
  const others = Object.keys(before).filter((name) => !changed.includes(name))
  const set: string[] = []
  const removed: string[] = []
  const conditions = changed.map((name) => {
    const placeholder = nameOf(name)
    const [was, is] = [own(before, name), after ? own(after, name) : undefined]
    if (is) set.push(`${placeholder} = ${placeholderOf(is)}`)
    else removed.push(placeholder)
    return was ? `${placeholder} = ${placeholderOf(was)}` : `attribute_not_exists(${placeholder})`
  })
  for (const name of others.slice(0, Math.max(1, CONDITION_ATTRIBUTES_MAX - changed.length))) {
    conditions.push(`${nameOf(name)} = ${placeholderOf(own(before, name))}`)
  }
  const shared = { TableName, Key, ConditionExpression: conditions.join(' AND ') }
  const expressions = { ExpressionAttributeNames: names, ExpressionAttributeValues: values }
  if (after === null) return ['DeleteItem', { ...shared, ...expressions }]
  const parts = [
    ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
  ]
  return ['UpdateItem', { ...shared, UpdateExpression: parts.join(' '), ...expressions }]
}
