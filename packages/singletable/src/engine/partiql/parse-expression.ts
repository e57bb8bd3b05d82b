import type { Comparator } from '../../expression/tree.ts'
import { parsePath } from './parse-path.ts'
import { CALLABLE_WORDS, RESERVED_WORDS, TYPE_WORDS } from './reserved-words.ts'
import type { Expression, Position, StructExpression } from './statement.ts'
import type { TokenCursor } from './token-cursor.ts'

/**
 * PartiQL's expressions by falling precedence of what they are made of: OR, AND, NOT, comparisons,
 * `||`, sums, products, signs, paths. Chains of one operator are read in a loop, nesting is counted
 * by the cursor, so no statement can exhaust the stack.
 */
export function parseExpression(cursor: TokenCursor): Expression {
  let left = parseConjunction(cursor)
  while (cursor.isWord('OR')) {
    const { at } = cursor.advance()
    left = { kind: 'or', left, right: parseConjunction(cursor), at }
  }
  return left
}

function parseConjunction(cursor: TokenCursor): Expression {
  let left = parseNegation(cursor)
  while (cursor.isWord('AND')) {
    const { at } = cursor.advance()
    left = { kind: 'and', left, right: parseNegation(cursor), at }
  }
  return left
}

function parseNegation(cursor: TokenCursor): Expression {
  const places: Position[] = []
  while (cursor.isWord('NOT')) places.push(cursor.advance().at)
  let operand = parsePredicate(cursor)
  for (let at = places.pop(); at !== undefined; at = places.pop()) {
    operand = { kind: 'not', operand, at }
  }
  return operand
}

const COMPARATORS: ReadonlyMap<string, Comparator> = new Map([
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
])

function parsePredicate(cursor: TokenCursor): Expression {
  let left = parseConcatenation(cursor)
  for (;;) {
    const { token } = cursor
    const { at } = token
    const comparator = token.kind === 'symbol' ? COMPARATORS.get(token.text) : undefined
    if (comparator !== undefined) {
      cursor.advance()
      left = { kind: 'compare', operator: comparator, left, right: parseConcatenation(cursor), at }
      continue
    }
    if (cursor.takeWord('IS')) {
      left = parseIs(cursor, left, at)
      continue
    }
    const negated = token.word === 'NOT'
    if (negated && !['IN', 'BETWEEN', 'LIKE'].includes(cursor.next.word)) return left
    if (negated) cursor.advance()
    const predicate = parseWordPredicate(cursor, left, at)
    if (predicate === undefined) return left
    left = negated ? { kind: 'not', operand: predicate, at } : predicate
  }
}

function parseWordPredicate(
  cursor: TokenCursor,
  operand: Expression,
  at: Position,
): Expression | undefined {
  if (cursor.takeWord('IN')) {
    return { kind: 'in', operand, list: parseInList(cursor), at }
  }
  if (cursor.takeWord('BETWEEN')) {
    const low = parseConcatenation(cursor)
    cursor.expectWord('AND')
    return { kind: 'between', operand, low, high: parseConcatenation(cursor), at }
  }
  if (cursor.takeWord('LIKE')) {
    const operands = [operand, parseConcatenation(cursor)]
    if (cursor.takeWord('ESCAPE')) operands.push(parseConcatenation(cursor))
    return { kind: 'operator', operator: 'like', operands, at }
  }
  return undefined
}

/** After IN even a single value in parentheses is a list. */
function parseInList(cursor: TokenCursor): Expression {
  const { at } = cursor
  if (!cursor.isSymbol('(')) return parseConcatenation(cursor)
  cursor.advance()
  const elements = cursor.nested(() => parseElements(cursor, ')'))
  if (elements.length === 0) throw cursor.malformed()
  return { kind: 'list', elements, at }
}

function parseIs(cursor: TokenCursor, operand: Expression, at: Position): Expression {
  const negated = cursor.takeWord('NOT')
  const type = TYPE_WORDS.get(cursor.token.word)
  if (type === undefined) throw cursor.malformed()
  cursor.advance()
  const is: Expression = { kind: 'is', operand, type, at }
  return negated ? { kind: 'not', operand: is, at } : is
}

function parseConcatenation(cursor: TokenCursor): Expression {
  return parseChain(cursor, ['||'], () =>
    parseChain(cursor, ['+', '-'], () =>
      parseChain(cursor, ['*', '/', '%'], () => parseSigned(cursor)),
    ),
  )
}

function parseChain(
  cursor: TokenCursor,
  operators: readonly string[],
  parseOperand: () => Expression,
): Expression {
  let left = parseOperand()
  while (cursor.token.kind === 'symbol' && operators.includes(cursor.token.text)) {
    const { text: operator, at } = cursor.advance()
    left = { kind: 'operator', operator, operands: [left, parseOperand()], at }
  }
  return left
}

/** A sign before a number becomes part of it, so that its digits stay as they were written. */
function parseSigned(cursor: TokenCursor): Expression {
  if (!cursor.isSymbol('-') && !cursor.isSymbol('+')) return parsePostfix(cursor)
  const { text: operator, at } = cursor.advance()
  const operand = cursor.nested(() => parseSigned(cursor))
  if (operand.kind !== 'number') return { kind: 'operator', operator, operands: [operand], at }
  if (operator === '+') return operand
  const text = operand.text.startsWith('-') ? operand.text.slice(1) : `-${operand.text}`
  return { kind: 'number', text, at: operand.at }
}

/** A literal, an attribute, a function or something in brackets, without operators around it. */
export function parseOperand(cursor: TokenCursor): Expression {
  return parsePostfix(cursor)
}

function parsePostfix(cursor: TokenCursor): Expression {
  const primary = parsePrimary(cursor)
  if (primary.kind === 'path' || (!cursor.isSymbol('.') && !cursor.isSymbol('['))) return primary
  // Only an attribute can be reached into; the steps are read to see that the statement is well
  // formed.
  const { path } = parsePath(cursor, '', parseExpression)
  return {
    kind: 'path',
    path,
    problem: { kind: 'path-component', at: primary.at },
    at: primary.at,
  }
}

function parsePrimary(cursor: TokenCursor): Expression {
  const { token } = cursor
  const { at } = token
  switch (token.kind) {
    case 'string':
      cursor.advance()
      return { kind: 'string', value: token.text, at }
    case 'number':
      cursor.advance()
      return { kind: 'number', text: token.text, at }
    case 'parameter':
      return { kind: 'parameter', index: cursor.takeParameter(), at }
    case 'name':
      cursor.advance()
      return { ...parsePath(cursor, token.text, parseExpression), at }
    case 'word':
      return parseWord(cursor)
    case 'symbol':
      return parseBracketed(cursor)
    case 'end':
      throw cursor.malformed()
  }
}

function parseWord(cursor: TokenCursor): Expression {
  const { text, word, at } = cursor.token
  switch (word) {
    case 'TRUE':
    case 'FALSE':
      cursor.advance()
      return { kind: 'boolean', value: word === 'TRUE', at }
    case 'NULL':
      cursor.advance()
      return { kind: 'null', at }
    case 'MISSING':
      cursor.advance()
      return { kind: 'missing', at }
    case 'CASE':
      cursor.refuseLater({ kind: 'unsupported-token', token: 'CASE', at })
      skipToClosing(cursor)
      return { kind: 'unsupported', token: 'CASE', at }
  }
  const reserved = RESERVED_WORDS.has(word)
  if (cursor.next.kind === 'symbol' && cursor.next.text === '(') {
    if (reserved && !CALLABLE_WORDS.has(word)) throw cursor.malformed()
    cursor.advance()
    return { kind: 'call', name: text, operands: parseArguments(cursor), at }
  }
  if (reserved) throw cursor.malformed()
  cursor.advance()
  return { ...parsePath(cursor, text, parseExpression), at }
}

function parseArguments(cursor: TokenCursor): Expression[] {
  cursor.expectSymbol('(')
  // COUNT(*) is read so that it can be refused for what it is.
  if (cursor.isSymbol('*')) {
    const { at } = cursor.advance()
    cursor.expectSymbol(')')
    return [{ kind: 'unsupported', token: '*', at }]
  }
  return cursor.nested(() => parseInParentheses(cursor))
}

function parseBracketed(cursor: TokenCursor): Expression {
  const { text, at } = cursor.token
  switch (text) {
    case '(': {
      cursor.advance()
      const elements = cursor.nested(() => parseInParentheses(cursor))
      const [single] = elements
      if (single === undefined) throw cursor.malformed()
      return elements.length === 1 ? single : { kind: 'list', elements, at }
    }
    case '[':
      cursor.advance()
      return { kind: 'list', elements: cursor.nested(() => parseElements(cursor, ']')), at }
    case '<<':
      cursor.advance()
      return { kind: 'bag', elements: cursor.nested(() => parseElements(cursor, '>>')), at }
    case '{':
      cursor.advance()
      return cursor.nested(() => parseStruct(cursor, at))
    default:
      throw cursor.malformed()
  }
}

/** A query may be in parentheses in PartiQL; what it says is not worth reading. */
function parseInParentheses(cursor: TokenCursor): Expression[] {
  if (!cursor.isWord('SELECT')) return parseElements(cursor, ')')
  const { at } = cursor
  cursor.refuseLater({ kind: 'unsupported-token', token: 'SELECT', at })
  skipToClosing(cursor)
  cursor.expectSymbol(')')
  return [{ kind: 'unsupported', token: 'SELECT', at }]
}

function parseElements(cursor: TokenCursor, closing: string): Expression[] {
  if (cursor.takeSymbol(closing)) return []
  const elements = [parseExpression(cursor)]
  while (cursor.takeSymbol(',')) elements.push(parseExpression(cursor))
  cursor.expectSymbol(closing)
  return elements
}

function parseStruct(cursor: TokenCursor, at: Position): StructExpression {
  const members: { key: Expression; value: Expression }[] = []
  if (cursor.takeSymbol('}')) return { kind: 'struct', members, at }
  do {
    const key = parseExpression(cursor)
    cursor.expectSymbol(':')
    members.push({ key, value: parseExpression(cursor) })
  } while (cursor.takeSymbol(','))
  cursor.expectSymbol('}')
  return { kind: 'struct', members, at }
}

/** Up to the parenthesis that closes the one around, or to the end. */
function skipToClosing(cursor: TokenCursor): void {
  for (let open = 0; cursor.token.kind !== 'end'; ) {
    if (cursor.isSymbol('(')) open++
    if (cursor.isSymbol(')') && open-- === 0) return
    if (cursor.token.kind === 'parameter') cursor.takeParameter()
    else cursor.advance()
  }
}
