import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evaluateCondition } from '../../expression/evaluate/evaluate-condition.ts'
import type { Item } from '../../values/attribute-value.ts'
import { createEngine } from '../engine.ts'
import { parseStatement } from '../partiql/parse-statement.ts'
import type { SelectStatement } from '../partiql/statement.ts'
import { simulatedEnvironment } from '../simulated-environment.ts'
import { bindWhere } from './bind-where.ts'

const PARTITIONS = ['a', 'b', 'c', 'ab']
const SORTS = [-2, -1, 0, 1, 2, 10]
const GROUPS = ['x', 'y']

/** Every partition and sort key once; every second item in the index. */
const ITEMS: Item[] = PARTITIONS.flatMap((pk) =>
  SORTS.map((sk, position): Item => {
    const item = { pk: { S: pk }, sk: { N: String(sk) }, n: { N: String(position % 3) } }
    return position % 2 === 0 ? item : { ...item, g: { S: GROUPS[position % 3 === 0 ? 0 : 1]! } }
  }),
)

const engine = createEngine({ environment: simulatedEnvironment(), transitionMs: 0 })

beforeAll(async () => {
  await engine.send('CreateTable', {
    TableName: 'table',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'N' },
      { AttributeName: 'g', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'index',
        KeySchema: [
          { AttributeName: 'g', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (const item of ITEMS) await engine.send('PutItem', { TableName: 'table', Item: item })
})
afterAll(() => engine.close())

const comparator = fc.constantFrom('=', '<>', '<', '<=', '>', '>=')
const sort = fc.integer({ min: -3, max: 11 })
const text = fc.constantFrom(...PARTITIONS.map((pk) => `'${pk}'`), "'none'")
const group = fc.constantFrom("'x'", "'y'", "'z'")

/** Parts of WHERE clauses, most of them on keys. */
const part = fc.oneof(
  fc.tuple(text).map(([value]) => `pk = ${value}`),
  fc.array(text, { minLength: 1, maxLength: 4 }).map((values) => `pk IN [${values}]`),
  fc.tuple(comparator, text).map(([operator, value]) => `${value} ${operator} pk`),
  fc.tuple(group).map(([value]) => `g = ${value}`),
  fc.array(group, { minLength: 1, maxLength: 3 }).map((values) => `g IN (${values})`),
  fc.tuple(comparator, sort).map(([operator, value]) => `sk ${operator} ${value}`),
  fc.tuple(comparator, sort).map(([operator, value]) => `${value} ${operator} sk`),
  fc
    .tuple(sort, sort)
    .map(([one, other]) => `sk BETWEEN ${Math.min(one, other)} AND ${Math.max(one, other)}`),
  fc.array(sort, { minLength: 1, maxLength: 3 }).map((values) => `sk IN [${values}]`),
  fc.tuple(comparator, sort).map(([operator, value]) => `n ${operator} ${value}`),
  fc.tuple(text, sort).map(([pk, sk]) => `(pk = ${pk} OR sk = ${sk})`),
  fc.constantFrom('g IS MISSING', 'NOT n = 1', "begins_with(pk, 'a')"),
)
const where = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(' AND '))

async function selectAll(
  Statement: string,
  Limit: number,
): Promise<{ items: Item[]; pages: number }> {
  const items: Item[] = []
  let token: string | undefined
  let pages = 0
  do {
    const answer = await engine.send('ExecuteStatement', {
      Statement,
      Limit,
      ...(token === undefined ? {} : { NextToken: token }),
    })
    items.push(...(answer.Items ?? []))
    token = answer.NextToken
    pages++
  } while (token !== undefined)
  return { items, pages }
}

function key(item: Item): string {
  return `${item.pk?.S} ${item.sk?.N}`
}

it('a SELECT finds just the items for which its WHERE clause holds, whatever it reads and in however many pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      where,
      fc.boolean(),
      fc.integer({ min: 1, max: 30 }),
      async (clause, onIndex, limit) => {
        const statement = `SELECT * FROM "table"${onIndex ? '."index"' : ''} WHERE ${clause}`
        const parsed = parseStatement(statement) as SelectStatement
        const condition = bindWhere(parsed.where!, [])
        const expected = ITEMS.filter(
          (item) => (!onIndex || item.g !== undefined) && evaluateCondition(condition, item),
        )
        const { items, pages } = await selectAll(statement, limit)
        expect(items.map(key).sort()).toEqual(expected.map(key).sort())
        expect(pages).toBeLessThanOrEqual(Math.floor(ITEMS.length / limit) + 1)
      },
    ),
    { numRuns: 400 },
  )
})

it('ORDER BY the sort key orders each item collection, in pages too', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PARTITIONS),
      fc.boolean(),
      fc.integer({ min: 1, max: 8 }),
      async (pk, descending, limit) => {
        const order = `ORDER BY sk ${descending ? 'DESC' : 'ASC'}`
        const { items } = await selectAll(
          `SELECT * FROM "table" WHERE pk = '${pk}' ${order}`,
          limit,
        )
        const sorts = descending ? [...SORTS].reverse() : SORTS
        expect(items.map((item) => Number(item.sk?.N))).toEqual(sorts)
      },
    ),
    { numRuns: 50 },
  )
})
