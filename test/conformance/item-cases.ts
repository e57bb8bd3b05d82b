import { expect } from 'vitest'
import type { Conformance, ConformanceTest } from './conformance.ts'

/** The key of the one item that most tests need, in a table made by `t.table()`. */
export const KEY = { pk: { S: 'a' }, sk: { S: '1' } }

/** A request that must be refused. */
export interface RefusedCase {
  /** The name of the test: a sentence. */
  readonly name: string
  /** The request without TableName; it may bring its own. */
  readonly request: object
  readonly message: string
  /** ValidationException, if not given. */
  readonly error?: string
}

/** Defines one test per case, each on a fresh table (with the given members of CreateTable). */
export function refuses(
  test: ConformanceTest,
  operation: string,
  cases: readonly RefusedCase[],
  table: Readonly<Record<string, unknown>> = {},
): void {
  for (const { name, request, message, error } of cases) {
    test(name, async (t) => {
      const TableName = await t.table(table)
      await t.fails(operation, { TableName, ...request }, error ?? 'ValidationException', message)
    })
  }
}

/** The one item of a table, or undefined. */
export async function itemOf(t: Conformance, TableName: string, Key: object = KEY) {
  const { Item } = await t.send('GetItem', { TableName, Key, ConsistentRead: true })
  return Item
}

/** A table with one item: the key and these attributes. */
export async function tableWith(t: Conformance, attributes: object = {}): Promise<string> {
  const TableName = await t.table()
  await t.send('PutItem', { TableName, Item: { ...KEY, ...attributes } })
  return TableName
}

/** An item or value with its sets sorted, because DynamoDB promises no order of their elements. */
export function withSortedSets<TValue>(value: TValue): TValue {
  return JSON.parse(JSON.stringify(value), (name, content) =>
    (name === 'SS' || name === 'NS' || name === 'BS') && Array.isArray(content)
      ? content.toSorted()
      : content,
  )
}

export function expectItem(actual: unknown, expected: unknown): void {
  expect(withSortedSets(actual)).toEqual(withSortedSets(expected))
}
