import { type Item, type Model, sameValue } from 'singletable/tools'
import { parseValue, ValueProblem } from '../../text/typed-values.ts'
import type { EditOutcome, EntityEdit, StoredItem } from './contract.ts'
import { keptAttributes } from './print-fixture.ts'
import type { EntityKey } from './read-body.ts'
import { hasKeys, readStored, stringsOf } from './read-items.ts'
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
  const { table, meter } = source.open()
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
    const write = writeOf(entity, model, change)
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
  { derivedItems }: Model,
  change: EntityEdit | undefined,
): readonly string[] {
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
  ]
  return lists.flatMap(([what, names]) =>
    names.length > 0 ? [`${what}: ${names.join(', ')}`] : [],
  )
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
  const kept = keptAttributes(source, model)
  if (change.kind === 'delete') {
    const strings = stringsOf(model, model.decode(change.before, false))
    const given = Object.entries(strings).filter(([name]) => !kept.has(name))
    return { kind: 'create', entity, strings: Object.fromEntries(given) }
  }
  const key = change.kind === 'create' ? createdItem(source, entity, meter, from) : change.before
  const now = key && (await readStored(source, key, meter))
  if (now === undefined) return null
  if (change.kind === 'create') return { kind: 'delete', entity, before: now }
  const strings = stringsOf(model, model.decode(change.before, false))
  const names = Object.keys(change.strings)
  return {
    kind: 'update',
    entity,
    before: now,
    strings: Object.fromEntries(names.map((name) => [name, strings[name] ?? null])),
  }
}

/** The item that a create has put, with ids that the library has generated. */
function createdItem(
  source: StudioSource,
  entity: string,
  meter: Meter,
  from: number,
): Item | undefined {
  const puts = meter.sent.slice(from).flatMap(({ request }) => {
    const { Item, TransactItems } = request as {
      readonly Item?: Item
      readonly TransactItems?: readonly { readonly Put?: { readonly Item: Item } }[]
    }
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

function writeOf(entity: LooseEntity, model: Model, change: EntityEdit): LooseWrite {
  if (change.kind === 'create') return entity.create(valuesOf(model, change.strings))
  const original = model.decode(change.before, false)
  if (change.kind === 'update') {
    const changed = { ...original, ...valuesOf(model, change.strings) }
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
