import {
  addDecimals,
  BATCH_GET_KEYS_MAX,
  getOwn,
  type Item,
  keyAttributes,
  keyFromItem,
  type Model,
  type Schema,
  systemEnvironment,
  type Transport,
} from 'singletable/tools'
import { pauseAfter, sendPatiently } from '../transfer/send-patiently.ts'
import type { ImportDefinition } from './define-import.ts'
import { joinedSources, type MappedItem, mapperOf } from './map-rows.ts'
import { PostgresSnapshots } from './read-postgres.ts'
import { readRows } from './read-rows.ts'
import { stageRows } from './stage-rows.ts'
import type { Staging } from './staging.ts'
import { isSameItem } from './targets.ts'

/** What source and table say about the items of one model. */
export interface ModelComparison {
  readonly model: string
  expected: number
  /** Items of the model in the whole table. */
  found: number
  missing: number
  different: number
  /** Items of the table that no row gives. */
  extra: number
  /** Sums of its numbers, as source and table have them. */
  readonly sums: { [attribute: string]: { source: string; table: string } }
}

export interface Comparison {
  readonly models: readonly ModelComparison[]
  /** The rows of what is missing or differs, the first of them. */
  readonly examples: readonly string[]
  readonly isSame: boolean
}

function textOf(schema: Schema, item: Item): string {
  return JSON.stringify(keyFromItem(schema.primary, item))
}

const EXAMPLES_MAX = 20

/** Reads the sources again, and compares every item with the table. */
export async function verifyImport(options: {
  readonly definition: ImportDefinition
  readonly schema: Schema
  readonly tableName: string
  readonly directory: string
  readonly transport: Transport
  readonly staging: Staging
  readonly signal: AbortSignal
  onProgress(items: number): void
}): Promise<Comparison> {
  const { definition, schema, staging, signal } = options
  const models = new Map<string, ModelComparison>()
  const comparisonOf = ({ name }: Model): ModelComparison => {
    const known = models.get(name)
    if (known) return known
    const fresh = {
      model: name,
      expected: 0,
      found: 0,
      missing: 0,
      different: 0,
      extra: 0,
      sums: {},
    }
    models.set(name, fresh)
    return fresh
  }
  const examples: string[] = []
  const note = (text: string): void => {
    if (examples.length < EXAMPLES_MAX) examples.push(text)
  }
  let count = 0
  const compare = async (batch: readonly MappedItem[]): Promise<void> => {
    const found = await getItems(options, batch)
    staging.transaction(() => {
      for (const { item, where } of batch) staging.claim(textOf(schema, item), where, 'key')
    })
    for (const [at, { model, item, where, mapped }] of batch.entries()) {
      const comparison = comparisonOf(model)
      comparison.expected++
      const stored = found[at]
      if (stored === undefined) {
        comparison.missing++
        note(`${where} is not in the table`)
      } else if (!isSameItem(item, stored, mapped)) {
        comparison.different++
        const names = [...mapped].filter((name) => !isSameItem(item, stored, new Set([name])))
        note(`${where} differs in ${names.join(', ')}`)
      }
      for (const { name, stored: storedName } of model.attributes.values()) {
        const wanted = getOwn(item, storedName)?.N
        if (wanted === undefined || !mapped.has(storedName)) continue
        const sums = comparison.sums[name] ?? { source: '0', table: '0' }
        comparison.sums[name] = {
          source: addDecimals(sums.source, wanted) ?? '',
          table: addDecimals(sums.table, (stored && getOwn(stored, storedName)?.N) ?? '0') ?? '',
        }
      }
    }
    count += batch.length
    options.onProgress(count)
  }

  const postgres = new PostgresSnapshots()
  try {
    await compareSources(postgres)
  } finally {
    await postgres.close()
  }
  await countTable(options, comparisonOf, note)
  return {
    models: [...models.values()],
    examples,
    isSame: [...models.values()].every(
      ({ missing, different, extra }) => missing + different + extra === 0,
    ),
  }

  async function compareSources(postgres: PostgresSnapshots): Promise<void> {
    const context = { ...options, postgres }
    for (const source of joinedSources(definition).keys()) {
      if (!(await stageRows(definition, source, context))) return
    }
    for (const [name, source] of Object.entries(definition.sources)) {
      const mapper = mapperOf(definition, schema, name, systemEnvironment)
      let batch: MappedItem[] = []
      for await (const row of readRows(source, context)) {
        if (signal.aborted) break
        batch.push(...mapper.map(row, (other, key) => staging.getRow(other, key)))
        if (batch.length < BATCH_GET_KEYS_MAX) continue
        const { length } = batch
        for (let at = 0; at < length; at += BATCH_GET_KEYS_MAX)
          await compare(batch.slice(at, at + BATCH_GET_KEYS_MAX))
        await staging.release()
        batch = []
      }
      if (batch.length > 0) await compare(batch)
    }
  }
}

/** The items with the keys of these, in their order. */
async function getItems(
  options: {
    readonly transport: Transport
    readonly tableName: string
    readonly schema: Schema
    readonly signal: AbortSignal
  },
  items: readonly MappedItem[],
): Promise<readonly (Item | undefined)[]> {
  const { transport, tableName, schema, signal } = options
  const keys = new Map(
    items.map(({ item }) => [textOf(schema, item), keyFromItem(schema.primary, item)]),
  )
  const found = new Map<string, Item>()
  let asked: readonly Item[] = [...keys.values()]
  for (let round = 1; asked.length > 0; round++) {
    const { Responses = {}, UnprocessedKeys = {} } = await sendPatiently(
      transport,
      'BatchGetItem',
      { RequestItems: { [tableName]: { Keys: [...asked], ConsistentRead: true } } },
      signal,
    )
    for (const item of getOwn(Responses, tableName) ?? []) found.set(textOf(schema, item), item)
    asked = getOwn(UnprocessedKeys, tableName)?.Keys ?? []
    if (asked.length > 0) await pauseAfter(round, signal)
  }
  return items.map(({ item }) => found.get(textOf(schema, item)))
}

/** Reads the keys of the whole table, so that items are found that no row gives. */
async function countTable(
  options: {
    readonly transport: Transport
    readonly tableName: string
    readonly schema: Schema
    readonly definition: ImportDefinition
    readonly staging: Staging
    readonly signal: AbortSignal
  },
  comparisonOf: (model: Model) => ModelComparison,
  note: (text: string) => void,
): Promise<void> {
  const { transport, tableName, schema, definition, staging, signal } = options
  const { typeField } = schema.params
  const names = [typeField, ...keyAttributes(schema.primary)]
  let next: Item | undefined
  while (!signal.aborted) {
    const page = await sendPatiently(transport, 'Scan', {
      TableName: tableName,
      ConsistentRead: true,
      ProjectionExpression: names.map((_, at) => `#n${at}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(names.map((name, at) => [`#n${at}`, name])),
      ...(next && { ExclusiveStartKey: next }),
    })
    for (const item of page.Items ?? []) {
      const model = schema.types.get(getOwn(item, typeField)?.S ?? '')
      if (!model || !Object.hasOwn(definition.emit, model.name)) continue
      const comparison = comparisonOf(model)
      comparison.found++
      const key = textOf(schema, item)
      if (staging.isClaimed(key)) continue
      comparison.extra++
      note(`${key} (${model.name}) is in the table, and no row gives it`)
    }
    await staging.release()
    next = page.LastEvaluatedKey
    if (next === undefined) return
  }
}
