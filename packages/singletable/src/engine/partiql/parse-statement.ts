import { parseExpression, parseOperand } from './parse-expression.ts'
import { parseSource } from './parse-source.ts'
import type {
  Expression,
  OrderBy,
  PathExpression,
  Returning,
  SelectStatement,
  Statement,
  UpdateClause,
} from './statement.ts'
import { StatementError } from './statement-error.ts'
import { TokenCursor } from './token-cursor.ts'

/**
 * Reads a PartiQL statement. Throws a `StatementError` for text that is not a statement, and for
 * what PartiQL allows but DynamoDB doesn't. Parameters stay in the tree as positions; binding puts
 * values in their place.
 */
export function parseStatement(statement: string): Statement {
  const cursor = new TokenCursor(statement)
  const body = parseBody(cursor)
  cursor.finish()
  if (body === undefined) throw new StatementError({ kind: 'not-data-manipulation' })
  return body
}

function parseBody(cursor: TokenCursor): Statement | undefined {
  switch (cursor.token.word) {
    case 'SELECT':
      return parseSelect(cursor)
    case 'INSERT':
      return parseInsert(cursor)
    case 'UPDATE':
      return parseUpdate(cursor)
    case 'DELETE':
      return parseDelete(cursor)
    case 'CREATE':
    case 'DROP':
    case 'EXEC':
      while (cursor.token.kind !== 'end') cursor.advance()
      return undefined
  }
  if (cursor.isWord('EXISTS') && cursor.next.text === '(') {
    cursor.advance()
    cursor.expectSymbol('(')
    const select = parseSelect(cursor)
    cursor.expectSymbol(')')
    return { kind: 'exists', select }
  }
  // A lone expression is legal PartiQL too.
  parseExpression(cursor)
  return undefined
}

function parseSelect(cursor: TokenCursor): SelectStatement {
  cursor.expectWord('SELECT')
  const list = parseSelectList(cursor)
  cursor.expectWord('FROM')
  const source = parseSource(cursor)
  if (cursor.takeSymbol(',')) {
    cursor.refuseLater({ kind: 'several-tables' })
    parseSource(cursor)
  }
  const where = parseWhere(cursor)
  if (cursor.takeWord('GROUP')) {
    cursor.expectWord('BY')
    cursor.refuseLater({ kind: 'unsupported-clause', clause: 'GROUP BY' })
    parseList(cursor)
  }
  refuseClause(cursor, 'HAVING')
  const orderBy = parseOrderBy(cursor)
  refuseClause(cursor, 'LIMIT')
  return { kind: 'select', list, source, orderBy, ...(where === undefined ? {} : { where }) }
}

function parseSelectList(cursor: TokenCursor): readonly Expression[] | 'all' {
  if (cursor.isWord('DISTINCT')) {
    cursor.refuseLater({ kind: 'unsupported-token', token: 'DISTINCT' })
    cursor.advance()
  } else cursor.takeWord('ALL')
  if (cursor.takeWord('VALUE', 'PIVOT')) cursor.refuseLater({ kind: 'select-value' })
  if (cursor.takeSymbol('*')) return 'all'
  const list: Expression[] = []
  do {
    list.push(parseExpression(cursor))
    cursor.takeAlias('AS')
  } while (cursor.takeSymbol(','))
  return list
}

function parseWhere(cursor: TokenCursor): Expression | undefined {
  return cursor.takeWord('WHERE') ? parseExpression(cursor) : undefined
}

function parseList(cursor: TokenCursor): Expression[] {
  const list = [parseExpression(cursor)]
  while (cursor.takeSymbol(',')) list.push(parseExpression(cursor))
  return list
}

function refuseClause(cursor: TokenCursor, clause: string): void {
  if (!cursor.takeWord(clause)) return
  const { at } = parseExpression(cursor)
  cursor.refuseLater({ kind: 'unsupported-clause', clause, at })
}

function parseOrderBy(cursor: TokenCursor): OrderBy[] {
  const orderBy: OrderBy[] = []
  if (!cursor.takeWord('ORDER')) return orderBy
  cursor.expectWord('BY')
  do {
    const argument = parseExpression(cursor)
    const descending = cursor.takeWord('DESC')
    if (!descending) cursor.takeWord('ASC')
    orderBy.push({ argument, descending })
  } while (cursor.takeSymbol(','))
  return orderBy
}

function parseInsert(cursor: TokenCursor): Statement {
  cursor.expectWord('INSERT')
  cursor.expectWord('INTO')
  const source = parseSource(cursor)
  if (cursor.takeWord('VALUE')) {
    const value = parseExpression(cursor)
    if (parseReturning(cursor) !== undefined) cursor.refuseLater({ kind: 'returning-in-insert' })
    return { kind: 'insert', source, value }
  }
  // Other forms of INSERT are legal PartiQL: `VALUES (…)`, or a bag of items.
  cursor.refuseLater({ kind: 'unsupported-insert' })
  if (cursor.takeWord('VALUES') && !cursor.isSymbol('(')) throw cursor.malformed()
  return { kind: 'insert', source, value: parseExpression(cursor) }
}

function parseUpdate(cursor: TokenCursor): Statement {
  cursor.expectWord('UPDATE')
  const source = parseSource(cursor)
  const clauses: UpdateClause[] = []
  for (;;) {
    if (cursor.takeWord('SET')) {
      do {
        const target = parseTarget(cursor)
        cursor.expectSymbol('=')
        clauses.push({ kind: 'set', target, value: parseExpression(cursor) })
      } while (cursor.takeSymbol(','))
    } else if (cursor.takeWord('REMOVE')) {
      clauses.push({ kind: 'remove', target: parseTarget(cursor) })
    } else break
  }
  if (clauses.length === 0) throw cursor.malformed()
  return { kind: 'update', source, clauses, ...parseWriteTail(cursor) }
}

function parseTarget(cursor: TokenCursor): PathExpression {
  const { token } = cursor
  if (token.kind !== 'name' && token.kind !== 'word') throw cursor.malformed()
  if (cursor.next.text === '(') throw cursor.malformed()
  // Read as an operand of `=` would be: the path ends before the sign.
  const target = parseOperand(cursor)
  if (target.kind !== 'path') throw cursor.malformed()
  return target
}

function parseDelete(cursor: TokenCursor): Statement {
  cursor.expectWord('DELETE')
  cursor.expectWord('FROM')
  const source = parseSource(cursor)
  const tail = parseWriteTail(cursor)
  const { returning } = tail
  if (returning !== undefined && (returning.scope !== 'ALL' || returning.version !== 'OLD')) {
    const clause = `RETURNING ${returning.scope} ${returning.version} *`
    cursor.refuseLater({ kind: 'returning-in-delete', clause })
  }
  return { kind: 'delete', source, ...tail }
}

function parseWriteTail(cursor: TokenCursor): { where?: Expression; returning?: Returning } {
  const where = parseWhere(cursor)
  const returning = parseReturning(cursor)
  return {
    ...(where === undefined ? {} : { where }),
    ...(returning === undefined ? {} : { returning }),
  }
}

function parseReturning(cursor: TokenCursor): Returning | undefined {
  if (!cursor.takeWord('RETURNING')) return undefined
  const returning = parseReturningElement(cursor)
  while (cursor.takeSymbol(',')) {
    cursor.refuseLater({ kind: 'returning-several' })
    parseReturningElement(cursor)
  }
  return returning
}

function parseReturningElement(cursor: TokenCursor): Returning {
  const scope = cursor.isWord('ALL') ? 'ALL' : 'MODIFIED'
  cursor.expectWord(scope)
  const version = cursor.isWord('OLD') ? 'OLD' : 'NEW'
  cursor.expectWord(version)
  if (!cursor.takeSymbol('*')) {
    parseExpression(cursor)
    cursor.refuseLater({ kind: 'returning-not-star' })
  }
  return { scope, version }
}
