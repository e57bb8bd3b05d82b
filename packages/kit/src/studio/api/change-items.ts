import {
  type Attribute,
  type AttributeValue,
  type Item,
  type Model,
  sameValue,
  type Transport,
} from 'singletable/tools'
import { parseValue, ValueProblem } from '../../text/typed-values.ts'
import type { EditOutcome, EntityEdit, StoredItem, StoredValue } from './contract.ts'
import { keptAttributes } from './print-fixture.ts'
import type { EntityKey } from './read-body.ts'
import { hasKeys, readStored } from './read-items.ts'
import { failureOf, StudioError } from './studio-error.ts'
import { type Meter, NOWHERE, type StudioSource } from './studio-source.ts'

/** An entity without types: the library checks what it is given. */
interface LooseEntity {
  get(key: object): PromiseLike<unknown>
  create(input: object): LooseWrite
  save(changed: object, original: object): LooseWrite
  delete(
    key: object,
  ): LooseWrite & { mustExist(): LooseWrite & { given(given: object): LooseWrite } }
}
interface LooseWrite extends PromiseLike<unknown> {
  explain(): object
}

/**
 * Carries out a change through the library, so that copies, unique values, counters and index keys
 * follow. It holds only for the item as it was seen; a dry run sends nothing but the read.
 */
export async function applyChange(
  source: StudioSource,
  change: EntityEdit,
  isDryRun: boolean,
): Promise<EditOutcome> {
  const restored = change.kind === 'create' ? change.restores : undefined
  const { table, meter } = source.open(
    restored && restoring(source, restored, source.connection.transport),
  )
  try {
    const model = requireModel(source, change.entity)
    requireSchema(source)
    // A schema that is loaded at run time has no useful types.
    const entities = table.entities as unknown as Readonly<Record<string, LooseEntity>>
    const entity = entities[change.entity]
    if (entity === undefined) throw new StudioError(`${change.entity} can't be written.`, 'reload')
    const now =
      change.kind === 'create' ? undefined : await readStored(source, change.before, meter)
    if (change.kind !== 'create' && !(now && isSameItem(now, change.before))) {
      return conflictOutcome(now)
    }
    const write = writeOf(source, entity, model, change)
    const before = meter.sent.length
    const notes = consequencesOf(source, model, change)
    if (isDryRun) return { state: 'planned', writes: plannedWrites(write), notes, undo: null }
    await write
    const undo = await undoOf(source, model, change, meter, before)
    return { state: 'saved', writes: sentWrites(meter, before), notes, undo }
  } catch (error) {
    return outcomeOf(source, change, error, meter)
  }
}

/** What a change takes with it, in words. */
export function consequencesOf(
  { schema }: StudioSource,
  model: Model,
  change: EntityEdit | undefined,
): readonly string[] {
  const { derivedItems } = model
  const restored = change?.kind === 'create' && change.restores !== undefined
  const entries =
    change?.kind === 'delete'
      ? [...schema.indexes.values()].filter(
          (index) => index !== schema.primary && hasKeys(index, change.before),
        )
      : []
  const lists: readonly (readonly [what: string, names: readonly string[]])[] = [
    ['copies', derivedItems?.copies.map((copy) => copy.model.name) ?? []],
    ['unique values', derivedItems?.unique.map(({ name }) => name) ?? []],
    [
      'counters',
      derivedItems?.counters.map(({ parent, attribute }) => `${parent.name}.${attribute.name}`) ??
        [],
    ],
    ['entries in', entries.map(({ name }) => name)],
    ['stay without it', change?.kind === 'delete' ? childrenOf(model, change.before) : []],
    ['as when it was deleted', restored ? countersOf(model).map(({ name }) => name) : []],
  ]
  return lists.flatMap(([what, names]) =>
    names.length > 0 ? [`${what}: ${names.join(', ')}`] : [],
  )
}

/** Attributes that count items of other models, which belong to this one. */
function countersOf(model: Model): readonly Attribute[] {
  return [...model.attributes.values()].filter(
    ({ definition }) => definition.counts !== undefined || definition.sums !== undefined,
  )
}

/** How many items of other models belong to an item, by its own counters. */
function childrenOf(model: Model, item: StoredItem): readonly string[] {
  return countersOf(model).flatMap(({ definition, stored }) => {
    const { counts } = definition
    const count = item[stored]?.N
    if (counts === undefined || count === undefined || count === '0') return []
    return [`${count} ${typeof counts === 'string' ? counts : counts.model}`]
  })
}

/** The change that takes another back; it holds only for the item as it is after that. */
async function undoOf(
  source: StudioSource,
  model: Model,
  change: EntityEdit,
  meter: Meter,
  from: number,
): Promise<EntityEdit | null> {
  const { entity } = change
  if (change.kind === 'delete') {
    return { kind: 'create', entity, strings: {}, restores: change.before }
  }
  const key = change.kind === 'create' ? createdItem(source, entity, meter, from) : change.before
  const now = key && (await readStored(source, key, meter))
  if (now === undefined) return null
  if (change.kind === 'create') return { kind: 'delete', entity, before: now }
  const names = Object.keys({ ...change.strings, ...change.values })
  return {
    kind: 'update',
    entity,
    before: now,
    strings: {},
    values: valuesIn(model, change.before, names),
  }
}

/** Attributes of a stored item by the names that callers use. */
export function valuesIn(
  model: Model,
  item: StoredItem,
  names: readonly string[],
): Record<string, StoredValue | null> {
  return Object.fromEntries(
    names.map((name) => [name, item[model.attributes.get(name)?.stored ?? name] ?? null]),
  )
}

/**
 * Puts an item of the past as it was stored, and what its copies repeat of it: the library makes
 * the write, with its conditions and derived items, but would begin counters, times and versions.
 */
function restoring(source: StudioSource, item: StoredItem, transport: Transport): Transport {
  const primary = [...source.schema.primary.hash, ...source.schema.primary.sort]
  const { entity } = source.found(item as Item)
  const past = (made: Item): Item => {
    if (primary.every((name) => sameValue(made[name] ?? NONE, (item[name] ?? NONE) as Value))) {
      return item as Item
    }
    const model = source.schema.models.get(source.found(made).entity ?? '')
    if (model?.source === undefined || model.source.name !== entity) return made
    const repeated = [...model.attributes.values()]
      .map(({ stored }) => stored)
      .filter((name) => item[name] !== undefined && !source.schema.keyTypes.has(name))
    return { ...made, ...Object.fromEntries(repeated.map((name) => [name, item[name] as Value])) }
  }
  return {
    send: (operation, request, options) => {
      const { Item, TransactItems } = request as Puts
      const changed = {
        ...request,
        ...(Item && { Item: past(Item) }),
        ...(TransactItems && {
          TransactItems: TransactItems.map((each) =>
            each.Put ? { ...each, Put: { ...each.Put, Item: past(each.Put.Item) } } : each,
          ),
        }),
      }
      return transport.send(operation, changed as typeof request, options)
    },
  }
}

type Value = AttributeValue
/** Requests that put items. */
interface Puts {
  readonly Item?: Item
  readonly TransactItems?: readonly { readonly Put?: { readonly Item: Item } }[]
}
const NONE: Value = { NULL: true }

/** The item that a create has put, with ids that the library has generated. */
function createdItem(
  source: StudioSource,
  entity: string,
  meter: Meter,
  from: number,
): Item | undefined {
  const puts = meter.sent.slice(from).flatMap(({ request }) => {
    const { Item, TransactItems } = request as Puts
    return [Item, ...(TransactItems ?? []).map(({ Put }) => Put?.Item)]
  })
  return puts.find((item) => item !== undefined && source.found(item).entity === entity)
}

/** The stored key of an item by the attributes that it is made of. Nothing is sent. */
export async function entityKey(
  source: StudioSource,
  { entity, strings }: EntityKey,
): Promise<StoredItem> {
  const model = requireModel(source, entity)
  const { table, meter } = source.open(NOWHERE)
  const entities = table.entities as unknown as Readonly<Record<string, LooseEntity>>
  await entities[entity]?.get(valuesOf(model, strings))
  const { Key } = (meter.sent[0]?.request ?? {}) as { readonly Key?: StoredItem }
  if (Key) return Key
  throw new StudioError(`The key of ${entity} can't be made of this.`, 'give all of its attributes')
}

function writeOf(
  source: StudioSource,
  entity: LooseEntity,
  model: Model,
  change: EntityEdit,
): LooseWrite {
  if (change.kind === 'create') {
    if (change.restores === undefined) return entity.create(valuesOf(model, change.strings))
    const kept = keptAttributes(source, model)
    const values = Object.entries(model.decode(change.restores, false))
    return entity.create(Object.fromEntries(values.filter(([name]) => !kept.has(name))))
  }
  const original = model.decode(change.before, false)
  if (change.kind === 'update') {
    const changed = {
      ...original,
      ...valuesOf(model, change.strings),
      ...decodedValues(model, change.values ?? {}),
    }
    return entity.save(changed, original)
  }
  const given = Object.fromEntries(
    Object.entries(original).filter(([name]) => !model.primary.names.includes(name)),
  )
  return entity.delete(original).mustExist().given(given)
}

/** What was typed as values of the model; null is a value that is removed. */
function valuesOf(
  model: Model,
  strings: { readonly [attribute: string]: string | null },
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(strings).map(([name, text]) => {
      const definition = model.attributes.get(name)?.definition
      if (text === null || definition === undefined) return [name, text ?? undefined]
      try {
        return [name, parseValue(text, definition)]
      } catch (error) {
        if (!(error instanceof ValueProblem)) throw error
        throw new StudioError(
          `The value of ${name} is ${error.message}.`,
          `correct ${name}`,
          'INPUT_INVALID',
          name,
        )
      }
    }),
  )
}

function decodedValues(
  model: Model,
  values: { readonly [attribute: string]: StoredValue | null },
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const attribute = model.attributes.get(name)
      if (value === null || attribute === undefined) return [name, undefined]
      return [name, attribute.codec.decode(value as Value)]
    }),
  )
}

async function outcomeOf(
  source: StudioSource,
  change: EntityEdit,
  error: unknown,
  meter: Meter,
): Promise<EditOutcome> {
  const failure = failureOf(error)
  if (failure === undefined) throw error
  const isLate = /^(CONDITION_FAILED|VERSION_CONFLICT|ITEM_NOT_FOUND)$/.test(failure.code)
  if (!isLate || change.kind === 'create') return { state: 'failed', failure }
  const now = await readStored(source, change.before, meter)
  return { state: 'conflict', now: now ?? null, failure }
}

export function conflictOutcome(now: StoredItem | undefined): EditOutcome {
  return {
    state: 'conflict',
    now: now ?? null,
    failure: {
      code: 'CONDITION_FAILED',
      what: now
        ? 'Somebody changed the item after it was read.'
        : 'Somebody deleted the item after it was read.',
      where: null,
      fix: 'look at the item as it is now, and change that',
    },
  }
}

function isSameItem(one: StoredItem, other: StoredItem): boolean {
  return sameValue({ M: one }, { M: other })
}

/** The operations that were sent to change something. */
function sentWrites(meter: Meter, from: number): readonly string[] {
  return meter.sent
    .slice(from)
    .filter(({ operation }) => !/^(Get|Query|Scan|BatchGet|TransactGet)/.test(operation))
    .map(({ operation, request }) => writeWords(operation, request))
}

function plannedWrites(write: LooseWrite): readonly string[] {
  const { operation } = write.explain() as { readonly operation?: string }
  return operation === undefined ? [] : [operation]
}

function writeWords(operation: string, request: object): string {
  const { TransactItems } = request as { readonly TransactItems?: readonly unknown[] }
  return TransactItems ? `${operation} of ${TransactItems.length} items` : operation
}

/** What a guessed schema would write by itself may be wrong. */
export function requireSchema({ connection }: StudioSource): void {
  if (!connection.isGuessed) return
  throw new StudioError(
    `${connection.tableName} has no schema, only one that was guessed.`,
    'change the item in DynamoDB JSON, or write a schema: singletable pull',
    'SCHEMA_GUESSED',
  )
}

function requireModel({ schema }: StudioSource, name: string): Model {
  const model = schema.models.get(name)
  if (model === undefined) {
    throw new StudioError(`There is no entity "${name}".`, 'reload the page')
  }
  if (model.source !== undefined) {
    throw new StudioError(
      `${name} repeats ${model.source.name}, and is written together with it.`,
      `change the ${model.source.name}`,
    )
  }
  return model
}
