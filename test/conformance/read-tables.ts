import type { Conformance } from './conformance.ts'

type AttributeType = 'S' | 'N' | 'B'
type Item = Record<string, Record<string, unknown>>

/** The member AttributeDefinitions of CreateTable. */
export function definitions(types: Readonly<Record<string, AttributeType>>): object[] {
  return Object.entries(types).map(([AttributeName, AttributeType]) => ({
    AttributeName,
    AttributeType,
  }))
}

/** A key schema: the first list are HASH attributes, the second RANGE attributes. */
export function schema(partition: readonly string[], sort: readonly string[] = []): object[] {
  return [
    ...partition.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' })),
    ...sort.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' })),
  ]
}

/** A table with the partition key `pk` alone. */
export const HASH_ONLY = {
  AttributeDefinitions: definitions({ pk: 'S' }),
  KeySchema: schema(['pk']),
}

/** A table whose sort key has the given type. */
export function sortedBy(type: AttributeType): Record<string, unknown> {
  return {
    AttributeDefinitions: definitions({ pk: 'S', sk: type }),
    KeySchema: schema(['pk'], ['sk']),
  }
}

const KEYS_ONLY = { ProjectionType: 'KEYS_ONLY' }
const SOME = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['shown'] }
const ALL = { ProjectionType: 'ALL' }

/**
 * A table with three global indexes on `g` and `h` (`global-keys`, `global-some`, `global-all`) and
 * three local ones on the number `l` (`local-keys`, `local-some`, `local-all`). The middle ones
 * project the attribute `shown` besides keys.
 */
export const INDEXED = {
  AttributeDefinitions: definitions({ pk: 'S', sk: 'S', g: 'S', h: 'S', l: 'N' }),
  GlobalSecondaryIndexes: [
    { IndexName: 'global-keys', KeySchema: schema(['g'], ['h']), Projection: KEYS_ONLY },
    { IndexName: 'global-some', KeySchema: schema(['g'], ['h']), Projection: SOME },
    { IndexName: 'global-all', KeySchema: schema(['g'], ['h']), Projection: ALL },
  ],
  LocalSecondaryIndexes: [
    { IndexName: 'local-keys', KeySchema: schema(['pk'], ['l']), Projection: KEYS_ONLY },
    { IndexName: 'local-some', KeySchema: schema(['pk'], ['l']), Projection: SOME },
    { IndexName: 'local-all', KeySchema: schema(['pk'], ['l']), Projection: ALL },
  ],
}

/** A table with the index `multi`: partition key `h1` (S) and `h2` (N), sort key `r1` (S), `r2` (N)
 * and `r3` (B). */
export const MULTI = {
  AttributeDefinitions: definitions({
    pk: 'S',
    sk: 'S',
    h1: 'S',
    h2: 'N',
    r1: 'S',
    r2: 'N',
    r3: 'B',
  }),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'multi',
      KeySchema: schema(['h1', 'h2'], ['r1', 'r2', 'r3']),
      Projection: ALL,
    },
  ],
}

const BATCH_WRITE_MAX = 25

/** Puts items in batches. */
export async function putAll(
  t: Conformance,
  TableName: string,
  items: readonly Item[],
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH_WRITE_MAX) {
    const requests = items
      .slice(start, start + BATCH_WRITE_MAX)
      .map((Item) => ({ PutRequest: { Item } }))
    await t.send('BatchWriteItem', { RequestItems: { [TableName]: requests } })
  }
}

/** The items of all pages, each page continuing from the last one's key. */
export async function allPages(
  t: Conformance,
  operation: 'Query' | 'Scan',
  request: Readonly<Record<string, unknown>>,
): Promise<{ readonly items: Item[]; readonly pages: number }> {
  const items: Item[] = []
  let ExclusiveStartKey: unknown
  let pages = 0
  do {
    const page = await t.send(operation, {
      ...request,
      ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
    })
    items.push(...page.Items)
    ExclusiveStartKey = page.LastEvaluatedKey
    if (++pages > 1000) throw new Error('The pages never end.')
  } while (ExclusiveStartKey !== undefined)
  return { items, pages }
}

/** The sort keys of items, for comparing order at a glance. */
export function sortKeys(items: readonly Item[]): unknown[] {
  return items.map((item) => Object.values(item.sk ?? {})[0])
}
