import {
  BATCH_GET_KEYS_MAX,
  derivedOf,
  type Item,
  keyAttributes,
  type Model,
  modelOf,
  sameValue,
  systemEnvironment,
} from 'singletable/tools'
import { IMPORT_FORMAT, type ImportDefinition } from '../../import/define-import.ts'
import { mapperOf } from '../../import/map-rows.ts'
import { csv, jsonLines as jsonRows } from '../../import/sources.ts'
import { takenKeys } from '../../import/taken-keys.ts'
import { isSameItem } from '../../import/targets.ts'
import { csvFormat } from '../../transfer/csv-format.ts'
import { jsonLines } from '../../transfer/json-lines.ts'
import { sendPatiently } from '../../transfer/send-patiently.ts'
import { requireSchema } from './change-items.ts'
import type {
  ImportKey,
  ImportMapping,
  ImportOutcome,
  ImportPreview,
  ImportRequest,
} from './contract.ts'
import { keptAttributes } from './print-fixture.ts'
import { chunksOf, isGiven, rowsOf, sourceNameOf } from './read-file.ts'
import { failureOf, StudioError } from './studio-error.ts'
import type { Meter, StudioSource } from './studio-source.ts'

/** Reasons and keys that an answer lists; the rest is only counted. */
const LISTED_MAX = 20
const PREVIEW_ITEMS_MAX = 20
/** Why a column has no attribute: the studio asks for nothing more. */
const LEFT_OUT = 'left out in the studio'

/** An entity without types: the library checks what it is given. */
interface LooseEntity {
  create(input: object): LooseWrite
  save(changed: object, original: object): LooseWrite
}
interface LooseWrite extends PromiseLike<unknown> {
  explain(): object
}

/** An item of a file, or what a row gives, or why it gives none. */
interface ImportRecord {
  readonly at: string
  readonly item?: Item
  /** Of rows: the stored names of what the file has; the rest is generated. */
  readonly mapped?: ReadonlySet<string>
  readonly problem?: unknown
}

/**
 * Writes a part of a file through the library, so that copies, unique values, counters and index
 * keys follow. A dry run compares the items with the table and checks them, and writes nothing.
 */
export async function importItems(
  source: StudioSource,
  request: ImportRequest,
): Promise<ImportOutcome> {
  requireSchema(source)
  const { table, meter } = source.open()
  // A schema that is loaded at run time has no useful types.
  const entities = table.entities as unknown as Readonly<Record<string, LooseEntity>>
  const counts = { created: 0, replaced: 0, same: 0, conflicts: 0, skipped: 0, refused: 0 }
  const conflictKeys: string[] = []
  const problems: string[] = []
  const list = (lines: string[], text: string): void => {
    if (lines.length < LISTED_MAX) lines.push(text)
  }
  const keys: ImportKey[] = []
  const preview: ImportPreview[] = []
  const unmapped = new Set<string>()
  const importOne = async (
    { at, mapped }: ImportRecord,
    item: Item,
    now: Item | undefined,
  ): Promise<void> => {
    const show = (entity: string, state: ImportPreview['state']): void => {
      if (request.isDryRun && preview.length < PREVIEW_ITEMS_MAX) {
        preview.push({ at, entity, state, item })
      }
    }
    const model = modelOf({ schema: source.schema }, item)
    if (model === undefined || model.source !== undefined) {
      // Guards, sequences and copies are written with the items that they belong to.
      counts.skipped++
      if (model === undefined && source.found(item).kept === null) {
        list(problems, `${at}: no entity has such a key; it is left out`)
      }
      return
    }
    const kept = keptAttributes(source, model)
    if (request.isDryRun) {
      const { tableName } = source.connection
      const derived = derivedOf(model, item, { tableName, now: systemEnvironment.now() })
      keys.push(...takenKeys(source.schema, item, derived).map((each) => ({ ...each, at })))
    }
    for (const name of undeclared(source, model, item)) {
      list(problems, `${at}: "${name}" is not an attribute of ${model.name}; it is left out`)
    }
    if (now && (mapped ? isSameItem(item, now, mapped) : isSame(model, kept, item, now))) {
      counts.same++
      show(model.name, 'same')
      return
    }
    if (now && !request.replaces) {
      counts.conflicts++
      list(conflictKeys, `${at}: ${keyText(source, item)}`)
      show(model.name, 'conflict')
      return
    }
    const wanted = Object.entries(model.decode(item, false)).filter(
      // The time at which an item was created is kept. What a mapping
      // does not have is generated, and replaces nothing.
      ([name]) =>
        (!kept.has(name) || (!now && name === model.createdAt?.name)) &&
        (!mapped || mapped.has(model.attributes.get(name)?.stored ?? '')),
    )
    for (const { name, stored, codec } of model.hidden) {
      const value = item[stored]
      if (value) wanted.push([name, codec.decode(value)])
    }
    const original = now && model.decode(now, false)
    const write = original
      ? entities[model.name]?.save({ ...original, ...Object.fromEntries(wanted) }, original)
      : entities[model.name]?.create(Object.fromEntries(wanted))
    // A dry run prepares the write, so that what the schema refuses is found.
    if (request.isDryRun) write?.explain()
    else await write
    counts[now ? 'replaced' : 'created']++
    show(model.name, now ? 'replaces' : 'new')
  }
  let read = 0
  const all: ImportRecord[] = []
  for await (const record of recordsOf(source, request, unmapped)) all.push(record)
  // A parent that counts its children is there before them; a dry run keeps the order of the file.
  if (!request.isDryRun) all.sort((a, b) => depthOf(source, a) - depthOf(source, b))
  for (let start = 0; start < all.length; start += BATCH_GET_KEYS_MAX) {
    const records = all.slice(start, start + BATCH_GET_KEYS_MAX)
    const stored = await readStored(source, meter, records)
    for (const record of records) {
      read++
      const { at, item, problem } = record
      try {
        if (item === undefined) throw problem
        await importOne(record, item, stored.get(keyText(source, item)))
      } catch (error) {
        const failure = failureOf(error)
        if (failure === undefined) throw error
        counts.refused++
        // Of a row, it says the column too.
        list(problems, `${(problem && failure.where) ?? at}: ${failure.what}`)
      }
    }
  }
  return {
    ...{ read, ...counts, conflictKeys, problems, keys, preview },
    unmapped: [...unmapped],
    spent: meter.spent(read, null),
  }
}

async function* recordsOf(
  source: StudioSource,
  request: ImportRequest,
  unmapped: Set<string>,
): AsyncGenerator<ImportRecord, void, undefined> {
  const { format, name, text, line, mapping } = request
  if (mapping) {
    yield* mappedRecords(source, request, mapping, unmapped)
    return
  }
  const items = format === 'csv' ? csvFormat(source.schema) : jsonLines
  for await (const { item, line: at } of items.read(chunksOf(text), name, line)) {
    yield { item, at: `line ${at}` }
  }
}

/** Rows become items as `singletable import` makes them. */
async function* mappedRecords(
  source: StudioSource,
  request: ImportRequest,
  { entity, columns }: ImportMapping,
  unmapped: Set<string>,
): AsyncGenerator<ImportRecord, void, undefined> {
  const { schema } = source
  const from = sourceNameOf(request.name)
  const model = schema.models.get(entity)
  for (const name of Object.values(columns)) {
    const attribute = name === null ? undefined : model?.attributes.get(name)
    if (model === undefined || attribute === undefined || isGiven(source, model, attribute))
      continue
    throw new StudioError(
      `"${name}" is kept by the library, so no column can give it.`,
      'leave the column out',
    )
  }
  const named = Object.entries(columns)
  const definition: ImportDefinition = {
    format: IMPORT_FORMAT,
    schema: source.loaded.definition,
    sources: { [from]: request.format === 'csv' ? csv(request.name) : jsonRows(request.name) },
    emit: {
      [entity]: [
        {
          from,
          set: Object.fromEntries(
            named.flatMap(([column, attribute]) =>
              attribute === null ? [] : [[attribute, column] as const],
            ),
          ),
        },
      ],
    },
    drop: Object.fromEntries(
      named.flatMap(([column, attribute]) =>
        attribute === null ? [[`${from}.${column}`, LEFT_OUT] as const] : [],
      ),
    ),
  }
  const mapper = mapperOf(definition, schema, from, systemEnvironment)
  for await (const row of rowsOf(request)) {
    for (const name of Object.keys(row.cells)) {
      if (!Object.hasOwn(columns, name)) unmapped.add(name)
    }
    try {
      for (const { item, mapped } of mapper.map(row, () => undefined)) {
        yield { item, mapped, at: row.where }
      }
    } catch (problem) {
      yield { problem, at: row.where }
    }
  }
}

/** How many models count what the item's model has, one above the other. */
function depthOf({ schema }: StudioSource, { item }: ImportRecord): number {
  const above = (model: Model | undefined, seen: readonly Model[]): number => {
    if (model === undefined || seen.includes(model)) return 0
    const parents = model.derivedItems?.counters.map(({ parent }) => parent) ?? []
    return Math.max(0, ...parents.map((parent) => 1 + above(parent, [...seen, model])))
  }
  return item ? above(modelOf({ schema }, item), []) : 0
}

/** What the table has under the keys of the records. */
async function readStored(
  source: StudioSource,
  { transport }: Meter,
  records: readonly ImportRecord[],
): Promise<ReadonlyMap<string, Item>> {
  const { tableName } = source.connection
  const names = keyAttributes(source.schema.primary)
  const keys = new Map<string, Item>()
  for (const { item } of records) {
    if (item === undefined || names.some((name) => item[name] === undefined)) continue
    const key = Object.fromEntries(names.map((name) => [name, item[name]])) as Item
    keys.set(keyText(source, item), key)
  }
  const found = new Map<string, Item>()
  let left = [...keys.values()]
  while (left.length > 0) {
    const { Responses, UnprocessedKeys } = await sendPatiently(transport, 'BatchGetItem', {
      RequestItems: { [tableName]: { Keys: left, ConsistentRead: true } },
      ReturnConsumedCapacity: 'TOTAL',
    })
    for (const item of Responses?.[tableName] ?? []) found.set(keyText(source, item), item)
    left = [...(UnprocessedKeys?.[tableName]?.Keys ?? [])]
  }
  return found
}

function keyText({ schema }: StudioSource, item: Item): string {
  return keyAttributes(schema.primary)
    .map((name) => item[name]?.S ?? item[name]?.N ?? item[name]?.B ?? '')
    .join(' · ')
}

function undeclared({ schema }: StudioSource, model: Model, item: Item): readonly string[] {
  const stored = new Set([...model.attributes.values()].map((each) => each.stored))
  return Object.keys(item).filter(
    (name) => !stored.has(name) && !schema.keyTypes.has(name) && name !== schema.params.typeField,
  )
}

/** Whether two items differ in nothing but what the library keeps. */
function isSame(model: Model, kept: ReadonlySet<string>, one: Item, other: Item): boolean {
  return [...model.attributes.values()].every(
    ({ name, stored }) => kept.has(name) || sameValue(one[stored], other[stored]),
  )
}
