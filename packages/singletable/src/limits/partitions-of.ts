import { fixedValues } from '../expression/fixed-values.ts'
import { readExpressions } from '../expression/read-expressions.ts'
import type { Index, Schema } from '../schema/model.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { getOwn } from '../values/own.ts'
import type { QueryRequest } from '../wire/item-operations.ts'
import type { OperationName } from '../wire/operations.ts'
import { type SentItem, sentItems } from './sent-items.ts'

/** A partition key that a request reads or writes. */
export interface Partition {
  readonly table: string
  readonly index: string
  /** `pk=USER#alice`; of several attributes all of them. */
  readonly key: string
  readonly kind: 'read' | 'write'
}

/** The partition keys that a request reads or writes, as often as it does, in the order of its
 * items. Scans have none. */
export function partitionsOf(
  schema: Schema,
  operation: OperationName,
  request: object,
): readonly (readonly Partition[])[] {
  // Only a query has these members, and every query has a table.
  if (operation === 'Query') return [queriedPartition(schema, request as QueryRequest)]
  return sentItems(operation, request).map((sent) => itemPartitions(schema, sent))
}

/** Those of one item: a whole one is written to the indexes it is in as well. */
export function itemPartitions(
  { indexes, primary }: Schema,
  { table, item, isWhole, kind }: SentItem,
): readonly Partition[] {
  // A local index has the partitions of the table.
  const all = isWhole ? [...indexes.values()].filter(({ type }) => type !== 'local') : [primary]
  return all.flatMap((index) => {
    const key = keyText(index, (name) => getOwn(item, name))
    return key === undefined ? [] : [{ table, index: index.name, key, kind }]
  })
}

function queriedPartition(schema: Schema, request: QueryRequest): readonly Partition[] {
  const { TableName: table, IndexName = 'primary' } = request
  const index = schema.indexes.get(IndexName)
  const fixed = partitionOf(request)
  const key = index && fixed && keyText(index, (name) => getOwn(fixed, name))
  return key === undefined ? [] : [{ table, index: IndexName, key, kind: 'read' }]
}

function partitionOf(request: QueryRequest): Item | undefined {
  try {
    const { key } = readExpressions(request)
    return key && fixedValues(key)
  } catch {
    // What can't be read, DynamoDB refuses.
    return undefined
  }
}

function keyText(
  { hash }: Index,
  valueAt: (name: string) => AttributeValue | undefined,
): string | undefined {
  const parts = hash.map((name) => {
    const { S, N, B } = valueAt(name) ?? {}
    const text = S ?? N ?? B
    return text === undefined ? undefined : `${name}=${text}`
  })
  return parts.includes(undefined) ? undefined : parts.join(', ')
}
