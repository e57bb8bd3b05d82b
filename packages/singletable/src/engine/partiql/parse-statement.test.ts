import { describe, expect, it } from 'vitest'
import { statementMessage } from '../messages/partiql-messages.ts'
import { parseStatement } from './parse-statement.ts'
import type { Expression, SelectStatement } from './statement.ts'
import { StatementError } from './statement-error.ts'

/** The tree without positions, which would drown what a test is about. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member: unknown) => (name === 'at' ? undefined : member)),
  )
}

function where(condition: string): unknown {
  const statement = parseStatement(`SELECT * FROM t WHERE ${condition}`)
  return plain((statement as SelectStatement).where)
}

function value(text: string): unknown {
  return (where(`a = ${text}`) as { right: unknown }).right
}

function problem(statement: string): string {
  try {
    parseStatement(statement)
  } catch (error) {
    if (error instanceof StatementError) return statementMessage(error.problem)
    throw error
  }
  throw new Error(`was read: ${statement}`)
}

const a = { kind: 'path', path: ['a'] }
const one = { kind: 'number', text: '1' }

describe('statements', () => {
  it('reads a SELECT with everything it can have', () => {
    const statement = `SELECT pk, "m"."x y"[0] FROM "t"."i" WHERE pk = ? AND n > 1 ORDER BY pk, sk DESC;`
    expect(plain(parseStatement(statement))).toEqual({
      kind: 'select',
      list: [
        { kind: 'path', path: ['pk'] },
        { kind: 'path', path: ['m', 'x y', 0] },
      ],
      source: { table: 't', index: 'i' },
      where: {
        kind: 'and',
        left: {
          kind: 'compare',
          operator: '=',
          left: { kind: 'path', path: ['pk'] },
          right: { kind: 'parameter', index: 0 },
        },
        right: { kind: 'compare', operator: '>', left: { kind: 'path', path: ['n'] }, right: one },
      },
      orderBy: [
        { argument: { kind: 'path', path: ['pk'] }, descending: false },
        { argument: { kind: 'path', path: ['sk'] }, descending: true },
      ],
    })
  })

  it('reads an INSERT', () => {
    expect(plain(parseStatement(`insert into t value {'a': ?}`))).toEqual({
      kind: 'insert',
      source: { table: 't' },
      value: {
        kind: 'struct',
        members: [{ key: { kind: 'string', value: 'a' }, value: { kind: 'parameter', index: 0 } }],
      },
    })
  })

  it('reads the clauses of an UPDATE in their order, separated by commas or by SET', () => {
    const statement = `UPDATE t SET a = 1, b.c[2] = a SET d = 1 REMOVE e REMOVE f WHERE a = 1 RETURNING MODIFIED NEW *`
    expect(plain(parseStatement(statement))).toEqual({
      kind: 'update',
      source: { table: 't' },
      clauses: [
        { kind: 'set', target: a, value: one },
        { kind: 'set', target: { kind: 'path', path: ['b', 'c', 2] }, value: a },
        { kind: 'set', target: { kind: 'path', path: ['d'] }, value: one },
        { kind: 'remove', target: { kind: 'path', path: ['e'] } },
        { kind: 'remove', target: { kind: 'path', path: ['f'] } },
      ],
      where: { kind: 'compare', operator: '=', left: a, right: one },
      returning: { scope: 'MODIFIED', version: 'NEW' },
    })
  })

  it('reads a DELETE', () => {
    expect(plain(parseStatement('DELETE FROM t WHERE a = 1 RETURNING ALL OLD *'))).toEqual({
      kind: 'delete',
      source: { table: 't' },
      where: { kind: 'compare', operator: '=', left: a, right: one },
      returning: { scope: 'ALL', version: 'OLD' },
    })
  })

  it('reads EXISTS around a SELECT', () => {
    expect(plain(parseStatement('EXISTS(SELECT * FROM t WHERE a = 1)'))).toEqual({
      kind: 'exists',
      select: {
        kind: 'select',
        list: 'all',
        source: { table: 't' },
        where: { kind: 'compare', operator: '=', left: a, right: one },
        orderBy: [],
      },
    })
  })
})

describe('literals', () => {
  it('keeps numbers as they were written', () => {
    const digits = '123456789012345678901234567890.12345678'
    expect(value(digits)).toEqual({ kind: 'number', text: digits })
    expect(value('.5')).toEqual({ kind: 'number', text: '.5' })
    expect(value('5.')).toEqual({ kind: 'number', text: '5.' })
    expect(value('1.50e-3')).toEqual({ kind: 'number', text: '1.50e-3' })
  })

  it('takes a sign into the number', () => {
    expect(value('-1')).toEqual({ kind: 'number', text: '-1' })
    expect(value('- (-1)')).toEqual({ kind: 'number', text: '1' })
    expect(value('+1')).toEqual({ kind: 'number', text: '1' })
  })

  it('resolves doubled quotes', () => {
    expect(value(`'it''s'`)).toEqual({ kind: 'string', value: "it's" })
    expect(where(`"a""b" = 1`)).toMatchObject({ left: { path: ['a"b'] } })
  })

  it('reads true, false, NULL and MISSING in any case', () => {
    expect(value('TRUE')).toEqual({ kind: 'boolean', value: true })
    expect(value('false')).toEqual({ kind: 'boolean', value: false })
    expect(value('null')).toEqual({ kind: 'null' })
    expect(value('Missing')).toEqual({ kind: 'missing' })
  })

  it('reads lists, bags and structs', () => {
    expect(value('[1, [a], {}]')).toEqual({
      kind: 'list',
      elements: [one, { kind: 'list', elements: [a] }, { kind: 'struct', members: [] }],
    })
    expect(value('<<1>>')).toEqual({ kind: 'bag', elements: [one] })
    expect(value('(1, a)')).toEqual({ kind: 'list', elements: [one, a] })
  })

  it('numbers parameters from left to right', () => {
    expect(where('a IN [?, ?]')).toMatchObject({
      list: { elements: [{ index: 0 }, { index: 1 }] },
    })
  })
})

describe('conditions', () => {
  it('binds AND before OR and NOT before AND', () => {
    expect(where('a = 1 OR NOT a = 1 AND a = 1')).toMatchObject({
      kind: 'or',
      left: { kind: 'compare' },
      right: { kind: 'and', left: { kind: 'not' }, right: { kind: 'compare' } },
    })
  })

  it('joins long chains to the left', () => {
    let depth = 0
    let node = where(`${'a=1 AND '.repeat(900)}a=1`) as Expression | undefined
    while (node?.kind === 'and') {
      depth++
      expect(node.right.kind).toBe('compare')
      node = node.left
    }
    expect(depth).toBe(900)
  })

  it('reads as many negations as there are', () => {
    let depth = 0
    let node = where(`${'NOT '.repeat(1500)}a = 1`) as Expression | undefined
    for (; node?.kind === 'not'; depth++) node = node.operand
    expect(depth).toBe(1500)
  })

  it('reads both signs for unequal', () => {
    expect(where('a <> 1')).toEqual(where('a != 1'))
  })

  it('reads negated predicates as negations', () => {
    const negated = (operand: object) => ({ kind: 'not', operand })
    expect(where('a NOT IN [1]')).toEqual(negated(where('a IN [1]') as object))
    expect(where('a NOT BETWEEN 1 AND 1')).toEqual(negated(where('a BETWEEN 1 AND 1') as object))
    expect(where('a IS NOT MISSING')).toEqual(negated(where('a IS MISSING') as object))
  })

  it('takes one value in parentheses after IN for a list', () => {
    expect(where('a IN (1)')).toEqual({
      kind: 'in',
      operand: a,
      list: { kind: 'list', elements: [one] },
    })
  })

  it('reads the other spelling of a path', () => {
    expect(where(`a['b'][0] = 1`)).toEqual(where('a."b"[0] = 1'))
  })

  it('keeps the case of attributes and ignores that of keywords', () => {
    expect(where('aB = 1 and Ab = 1')).toMatchObject({
      left: { left: { path: ['aB'] } },
      right: { left: { path: ['Ab'] } },
    })
  })

  it('reads calls of any name', () => {
    expect(where('size(a) > 1')).toMatchObject({ left: { kind: 'call', name: 'size' } })
    expect(where('foo() = 1')).toMatchObject({ left: { kind: 'call', operands: [] } })
  })
})

describe('refusals', () => {
  const malformed = (statement: string) =>
    `Statement wasn't well formed, can't be processed: ${statement}`

  it.each([
    '   ',
    ';',
    'SELECT',
    'SELECT * FROM',
    'SELECT * FROM t WHERE',
    'SELECT * FROM t WHERE a =',
    'SELECT * FROM t WHERE a = 1 AND',
    'SELECT *, a FROM t',
    `SELECT * FROM t WHERE a = 'open`,
    'SELECT * FROM "open',
    'SELECT * FROM t; SELECT * FROM t',
    'SELECT * FROM t;DROP TABLE t',
    'SELECT * FROM t -- comment',
    'SELECT * FROM t /* comment */',
    'SELECT * FROM t WHERE a == 1',
    'SELECT * FROM t WHERE a = #n',
    'SELECT * FROM t WHERE a = :v',
    'SELECT * FROM t WHERE a = 1a',
    'SELECT * FROM t WHERE é = 1',
    'SELECT * FROM t WHERE select = 1',
    'SELECT * FROM t WHERE user = 1',
    'SELECT * FROM t WHERE a IN ()',
    'SELECT * FROM t WHERE a = [1,]',
    'SELECT * FROM t WHERE a IS FOO',
    'SELECT a[*] FROM t',
    'INSERT t VALUE {}',
    'INSERT INTO t VALUES {}',
    `INSERT INTO t VALUE {'a': 1} IF NOT EXISTS`,
    'UPDATE t WHERE a = 1',
    'UPDATE t SET WHERE a = 1',
    'UPDATE t REMOVE a, b WHERE a = 1',
    'UPDATE t ADD a 1 WHERE a = 1',
    'UPDATE t SET a = 1 WHERE a = 1 RETURNING *',
    'DELETE t WHERE a = 1',
    'EXISTS(DELETE FROM t)',
  ])('%s', (statement) => {
    expect(problem(statement)).toBe(malformed(statement))
  })

  it.each(['(', '[', '{', '<<', 'size(', '- '])('250 times %s', (opening) => {
    const statement = `SELECT * FROM t WHERE ${opening.repeat(250)}a`
    expect(problem(statement)).toBe(malformed(statement))
  })

  it('250 closed parentheses are refused, 90 are not', () => {
    const nested = (depth: number) =>
      `SELECT * FROM t WHERE ${'('.repeat(depth)}a = 1${')'.repeat(depth)}`
    expect(problem(nested(250))).toBe(malformed(nested(250)))
    expect(parseStatement(nested(90))).toBeDefined()
  })

  it.each([
    [
      'DROP TABLE t',
      "Statement wasn't well formed, can't be processed: Expected data manipulation",
    ],
    ['hello', "Statement wasn't well formed, can't be processed: Expected data manipulation"],
    ['SELECT a AS b FROM t', 'Aliasing is not supported'],
    ['SELECT * FROM t AS u', 'Aliasing is not supported'],
    ['SELECT * FROM t, u', 'Only select from a single table or index is supported.'],
    ['SELECT * FROM t.i.j', 'A path may contain at most 2 components in the FROM clause'],
    ['SELECT * FROM t[0]', 'Invalid list expression in source.'],
    [`SELECT * FROM 't'`, 'Unexpected from source'],
    ['SELECT DISTINCT a FROM t', 'Unsupported token in expression: DISTINCT'],
    ['SELECT VALUE a FROM t', "Select projection doesn't support value or pivot keywords"],
    ['SELECT a FROM t GROUP BY a', 'Unsupported clause: GROUP BY'],
    ['SELECT a FROM t LIMIT 1', 'Unsupported clause: LIMIT at 1:23:1'],
    ['SELECT a FROM t\nLIMIT 10', 'Unsupported clause: LIMIT at 2:7:2'],
    [
      'SELECT a FROM t WHERE a = (SELECT * FROM t)',
      'Unsupported token in expression: SELECT at 1:28:6',
    ],
    [`INSERT INTO t VALUES ('a')`, 'Unsupported operation: InsertOp'],
    ['INSERT INTO t VALUE {} RETURNING ALL OLD *', 'RETURNING is not supported in INSERT'],
    [
      'DELETE FROM t RETURNING ALL NEW *',
      'Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
    ],
  ])('%s', (statement, message) => {
    expect(problem(statement)).toBe(message)
  })

  it('a statement that is both malformed and unsupported is called malformed', () => {
    const statement = 'SELECT a AS b FROM t WHERE'
    expect(problem(statement)).toBe(malformed(statement))
  })
})
