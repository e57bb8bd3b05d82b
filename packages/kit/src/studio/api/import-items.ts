import {
  BATCH_GET_KEYS_MAX,
  type Item,
  keyAttributes,
  type Model,
  modelOf,
  sameValue,
} from 'singletable/tools'
import { csvFormat } from '../../transfer/csv-format.ts'
import type { FileRecord } from '../../transfer/item-format.ts'
import { jsonLines } from '../../transfer/json-lines.ts'
import { sendPatiently } from '../../transfer/send-patiently.ts'
import { requireSchema } from './change-items.ts'
import type { ImportOutcome, ImportRequest } from './contract.ts'
import { keptAttributes } from './print-fixture.ts'
import { failureOf } from './studio-error.ts'
import type { Meter, StudioSource } from './studio-source.ts'

/** Reasons and keys that an answer lists; the rest is only counted. */
const LISTED_MAX = 20

/** An entity without types: the library checks what it is given. */
interface LooseEntity {
  create(input: object): LooseWrite
  save(changed: object, original: object): LooseWrite
}
interface LooseWrite extends PromiseLike<unknown> {
  explain(): object
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
  const importOne = async (item: Item, at: string, now: Item | undefined): Promise<void> => {
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
    for (const name of undeclared(source, model, item)) {
      list(problems, `${at}: "${name}" is not an attribute of ${model.name}; it is left out`)
    }
    if (now && isSame(model, kept, item, now)) {
      counts.same++
      return
    }
    if (now && !request.replaces) {
      counts.conflicts++
      list(conflictKeys, `${at}: ${keyText(source, item)}`)
      return
    }
    const wanted = Object.entries(model.decode(item, false)).filter(
      // The time at which an item was created is kept.
      ([name]) => !kept.has(name) || (!now && name === model.createdAt?.name),
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
  }
  let read = 0
  for await (const records of inBatches(recordsOf(source, request))) {
    const stored = await readStored(source, meter, records)
    for (const { item, line } of records) {
      read++
      const at = `line ${line + request.line}`
      try {
        await importOne(item, at, stored.get(keyText(source, item)))
      } catch (error) {
        const failure = failureOf(error)
        if (failure === undefined) throw error
        counts.refused++
        list(problems, `${at}: ${failure.what}`)
      }
    }
  }
  return { read, ...counts, conflictKeys, problems, spent: meter.spent(read, null) }
}

async function* recordsOf(
  { schema }: StudioSource,
  { format, text }: ImportRequest,
): AsyncGenerator<FileRecord, void, undefined> {
  const chunks = (async function* () {
    yield text
  })()
  yield* (format === 'csv' ? csvFormat(schema) : jsonLines).read(chunks, 'the file')
}

async function* inBatches(
  records: AsyncIterable<FileRecord>,
): AsyncGenerator<readonly FileRecord[], void, undefined> {
  let batch: FileRecord[] = []
  for await (const record of records) {
    batch.push(record)
    if (batch.length < BATCH_GET_KEYS_MAX) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** What the table has under the keys of the records. */
async function readStored(
  source: StudioSource,
  { transport }: Meter,
  records: readonly FileRecord[],
): Promise<ReadonlyMap<string, Item>> {
  const { tableName } = source.connection
  const names = keyAttributes(source.schema.primary)
  const keys = new Map<string, Item>()
  for (const { item } of records) {
    if (names.some((name) => item[name] === undefined)) continue
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
