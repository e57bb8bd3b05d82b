import { type Item, type Model, modelOf, type Schema, type Transport } from 'singletable/tools'

/** An item of the table, as it is stored and as its entity returns it. */
export interface SampledItem {
  readonly model: Model
  readonly item: Item
  readonly output: Readonly<Record<string, unknown>>
}

/** What is in a table, as far as it was read. */
export interface Sample {
  readonly items: readonly SampledItem[]
  /** By entity, in the order of the schema. */
  readonly counts: ReadonlyMap<string, number>
  /** Stored items that no model of the schema can decode. */
  readonly unknown: number
  /** Whether the whole table was read. */
  readonly isWhole: boolean
}

/** A table can be large; examples of patterns need only some items. */
export const SAMPLE_ITEMS_MAX = 2_000

/** Reads the first items of a table. */
export async function readSample(
  transport: Transport,
  schema: Schema,
  TableName: string,
): Promise<Sample> {
  const items: SampledItem[] = []
  let read = 0
  let start: Item | undefined
  do {
    const page = await transport.send('Scan', {
      TableName,
      Limit: SAMPLE_ITEMS_MAX - read,
      ...(start && { ExclusiveStartKey: start }),
    })
    const found = page.Items ?? []
    read += found.length
    for (const each of found.flatMap((item) => sampled(schema, item) ?? [])) items.push(each)
    start = page.LastEvaluatedKey
  } while (start !== undefined && read < SAMPLE_ITEMS_MAX)
  const counts = new Map([...schema.models.keys()].map((name) => [name, 0]))
  for (const { model } of items) counts.set(model.name, (counts.get(model.name) ?? 0) + 1)
  return { items, counts, unknown: read - items.length, isWhole: start === undefined }
}

/** Undefined for what the library stores in addition to items, such as the guards of unique values,
 * and for items that an older schema wrote. */
function sampled(schema: Schema, item: Item): SampledItem | undefined {
  const model = modelOf({ schema }, item)
  if (model === undefined) return undefined
  try {
    return { model, item, output: model.decode(item, false) }
  } catch {
    return undefined
  }
}
