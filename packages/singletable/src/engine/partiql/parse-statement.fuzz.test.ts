import { expect, it } from 'vitest'
import { seededRandom } from '../../values/seeded-random.ts'
import { ServiceError } from '../../wire/service-error.ts'
import { createEngine } from '../engine.ts'
import { parseStatement } from './parse-statement.ts'
import { StatementError } from './statement-error.ts'

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 20_000)
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const LENGTH_MAX = 8192
const INPUT_MS_MAX = 50
/** A collection of garbage may make one try slow; an input that is slow itself is slow each time.
 * So the best try counts. */
const TRIES = 10

const random = seededRandom(SEED)
const integer = (below: number): number => Math.floor(random() * below)
const pick = <T>(choices: readonly T[]): T => choices[integer(choices.length)]!

const CORPUS = [
  `SELECT a, m.b[0], "x y" FROM "tab"."index" WHERE pk = 'a' AND sk BETWEEN ? AND '9' ORDER BY sk DESC`,
  `SELECT * FROM tab WHERE NOT (a IN [1, 2] OR begins_with(b, 'x')) AND c IS NOT MISSING AND size(d) >= 2`,
  `INSERT INTO tab VALUE {'pk': 'a', 'n': -1.5e3, 'l': [1, 'x', NULL, true], 's': <<'a', 'b'>>, 'm': {'x': {}}}`,
  `UPDATE tab SET a = a + 1, l = list_append(l, [1]) SET s = set_add(s, <<1>>) REMOVE m.x WHERE pk = ? RETURNING ALL NEW *`,
  `DELETE FROM tab WHERE pk = 'it''s' AND a <> 1 RETURNING ALL OLD *`,
  `EXISTS(SELECT * FROM tab WHERE pk = 'a' AND b = ?)`,
]

const TOKENS = [
  ...`SELECT FROM WHERE INSERT INTO VALUE UPDATE SET REMOVE DELETE RETURNING ALL MODIFIED OLD NEW EXISTS ORDER BY DESC`.split(
    ' ',
  ),
  ...`AND OR NOT IN BETWEEN IS MISSING NULL TRUE FALSE LIKE CASE AS LIMIT size count cast`.split(
    ' ',
  ),
  ...`( ) [ ] { } << >> , . : ; ? * + - / % || = <> != < <= > >= ' " a b1 _c $d 0 1.5 .5 1e9 'x' "q" -- /* @ # é`.split(
    ' ',
  ),
  '\n',
  ' ',
]

it('any text gives a tree or a StatementError, and soon', () => {
  let trees = 0
  for (let count = 0; count < INPUTS; count++) {
    const text = generate().slice(0, LENGTH_MAX)
    const where = `input ${count} of seed ${SEED}: ${JSON.stringify(text)}`
    let elapsedMs = Number.POSITIVE_INFINITY
    let read = false
    for (let attempt = 0; attempt < TRIES && elapsedMs > 2; attempt++) {
      const before = process.cpuUsage()
      read = isRead(text, where)
      elapsedMs = Math.min(elapsedMs, cpuMs(before))
    }
    if (elapsedMs > INPUT_MS_MAX) expect.fail(`${elapsedMs} ms for ${where}`)
    if (read) trees++
  }
  // Were every input refused, or none, the generator would have stopped testing half of the parser.
  expect(trees).toBeGreaterThan(INPUTS / 100)
  expect(trees).toBeLessThan(INPUTS)
})

it('the engine answers any statement or refuses it as the service would', async () => {
  const engine = createEngine({ transitionMs: 0 })
  await engine.send('CreateTable', {
    TableName: 'tab',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await engine.send('PutItem', { TableName: 'tab', Item: { pk: { S: 'a' }, a: { N: '1' } } })
  const Parameters = [{ S: 'a' }, { N: '1' }, { L: [{ S: 'x' }] }, { SS: ['x'] }]
  let answers = 0
  for (let count = 0; count < INPUTS / 4; count++) {
    const Statement = generate().slice(0, LENGTH_MAX)
    try {
      await engine.send('ExecuteStatement', { Statement, Parameters })
      answers++
    } catch (error) {
      if (error instanceof ServiceError && error.statusCode === 400) continue
      expect.fail(`${error} for input ${count} of seed ${SEED}: ${JSON.stringify(Statement)}`)
    }
  }
  await engine.close()
  expect(answers).toBeGreaterThan(INPUTS / 1000)
})

function isRead(text: string, where: string): boolean {
  try {
    return parseStatement(text) !== undefined
  } catch (error) {
    if (!(error instanceof StatementError)) expect.fail(`${error} for ${where}`)
    return false
  }
}

function generate(): string {
  switch (integer(4)) {
    case 0:
      return mutate(pick(CORPUS))
    case 1:
      return `SELECT * FROM tab WHERE ${condition(integer(8))}`
    case 2:
      return Array.from({ length: integer(40) }, () => pick(TOKENS)).join(pick(['', ' ']))
    default: {
      // One thing repeated until the statement is full: deep nesting and long chains.
      const unit = pick(TOKENS) + pick([' ', '', 'a ', '1,'])
      return (
        pick(['', 'SELECT * FROM tab WHERE ', 'UPDATE tab SET a = ']) + unit.repeat(integer(3000))
      )
    }
  }
}

function mutate(text: string): string {
  let mutated = text
  for (let edits = integer(4); edits >= 0; edits--) {
    const at = integer(mutated.length + 1)
    const end = at + integer(6)
    const inserted = pick([pick(TOKENS), String.fromCharCode(integer(0x250)), ''])
    mutated = mutated.slice(0, at) + inserted + mutated.slice(end)
  }
  return mutated
}

function condition(depth: number): string {
  if (depth <= 0) return `${operand(2)} ${pick(['=', '<>', '<', '>='])} ${operand(2)}`
  switch (integer(7)) {
    case 0:
      return `${condition(depth - 1)} ${pick(['AND', 'OR'])} ${condition(depth - 2)}`
    case 1:
      return `NOT ${condition(depth - 1)}`
    case 2:
      return `(${condition(depth - 1)})`
    case 3:
      return `${operand(1)} ${pick(['IN', 'NOT IN'])} [${operand(1)}, ${operand(1)}]`
    case 4:
      return `${operand(1)} BETWEEN ${operand(1)} AND ${operand(1)}`
    case 5:
      return `a ${pick(['IS', 'IS NOT'])} ${pick(['NULL', 'MISSING', 'STRING', 'BAG', 'FOO'])}`
    default:
      return `${pick(['contains', 'begins_with', 'attribute_type', 'size', 'foo'])}(${operand(1)}, ${operand(1)})`
  }
}

function operand(depth: number): string {
  const leaf = pick(['a', 'a.b', 'a[0]', '"q"', '?', `'x'`, '1', '-2.5', 'NULL', 'MISSING', 'true'])
  if (depth <= 0) return leaf
  return pick([
    leaf,
    `[${operand(depth - 1)}]`,
    `{'k': ${operand(depth - 1)}}`,
    `<<${operand(depth - 1)}>>`,
    `size(${operand(depth - 1)})`,
    `${operand(depth - 1)} + ${operand(depth - 1)}`,
  ])
}

/** CPU milliseconds of the process, so that it doesn't count what else the machine does. */
function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
