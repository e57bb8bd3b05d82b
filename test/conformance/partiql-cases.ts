import { expect } from 'vitest'
import type { Conformance, ConformanceTest } from './conformance.ts'

/** The items that most tests on PartiQL read: three of one item collection and one of another. */
const ITEMS = [
  {
    pk: { S: 'a' },
    sk: { S: '1' },
    g: { S: 'x' },
    n: { N: '1' },
    s: { S: 'hello' },
    m: { M: { b: { S: 'deep' }, c: { L: [{ N: '1' }, { N: '2' }] } } },
    things: { L: [{ S: 'p' }, { S: 'q' }] },
    ss: { SS: ['u', 'v'] },
    nul: { NULL: true },
    yes: { BOOL: true },
  },
  { pk: { S: 'a' }, sk: { S: '2' }, g: { S: 'x' }, n: { N: '2' }, s: { S: 'help' } },
  { pk: { S: 'a' }, sk: { S: '3' }, n: { N: '3' } },
  { pk: { S: 'b' }, sk: { S: '1' }, g: { S: 'y' }, n: { N: '10' } },
]

/** A table with an index `byG` over `g` and `n`, one with keys only, `keysOnly`, and the items
 * above. */
export async function partiqlTable(t: Conformance): Promise<string> {
  const name = await t.table({
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
      { AttributeName: 'g', AttributeType: 'S' },
      { AttributeName: 'n', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byG',
        KeySchema: [
          { AttributeName: 'g', KeyType: 'HASH' },
          { AttributeName: 'n', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
      {
        IndexName: 'keysOnly',
        KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  })
  await t.send('BatchWriteItem', {
    RequestItems: { [name]: ITEMS.map((Item) => ({ PutRequest: { Item } })) },
  })
  return name
}

/** Puts the table's name, quoted, in the place of `TABLE`. */
export function on(table: string, statement: string): string {
  return statement.replaceAll('TABLE', `"${table}"`)
}

/** Keys of items as short text, `a1` for partition `a` and sort key `1`. */
export function keysOf(items: readonly { pk?: { S: string }; sk?: { S: string } }[]): string[] {
  return items.map((item) => `${item.pk?.S ?? ''}${item.sk?.S ?? ''}`)
}

/** Name of the test, statement, and the text of the ValidationException. */
export type RefusedStatement = readonly [name: string, statement: string, message: string | RegExp]

/** Defines one test per statement that ExecuteStatement must refuse. */
export function refusesStatements(
  test: ConformanceTest,
  statements: readonly RefusedStatement[],
): void {
  for (const [name, statement, message] of statements) {
    test(name, async (t) => {
      const Statement = on(await partiqlTable(t), statement)
      const text = typeof message === 'string' ? message.replace('STATEMENT', Statement) : message
      await t.fails('ExecuteStatement', { Statement }, 'ValidationException', text)
    })
  }
}

/** Name of the test, WHERE clause, and the keys that are found, in any order. */
export type FoundCase = readonly [name: string, where: string, keys: string]

/** Defines one test per WHERE clause. */
export function finds(test: ConformanceTest, cases: readonly FoundCase[]): void {
  for (const [name, where, keys] of cases) {
    test(name, async (t) => {
      const Statement = on(await partiqlTable(t), `SELECT pk, sk FROM TABLE WHERE ${where}`)
      const { Items } = await t.send('ExecuteStatement', { Statement })
      expect(keysOf(Items).sort().join(' ')).toBe(keys)
    })
  }
}

/** The item under this key, or undefined. */
export async function itemAt(t: Conformance, TableName: string, pk: string, sk: string) {
  const Key = { pk: { S: pk }, sk: { S: sk } }
  const { Item } = await t.send('GetItem', { TableName, Key, ConsistentRead: true })
  return Item
}
