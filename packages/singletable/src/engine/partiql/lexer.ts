import type { Position } from './statement.ts'

export interface Token {
  /** `word` is a bare identifier or keyword, `name` a quoted identifier, `symbol` an operator or a
   * bracket. */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'parameter' | 'symbol' | 'end'
  /** Without quotes, escapes resolved. */
  readonly text: string
  /** The text of a word in capitals; empty for all else, so that a quoted name is never taken for a
   * keyword. */
  readonly word: string
  readonly at: Position
}

/** Two characters first: `<` also starts four longer symbols. */
const SYMBOLS_LONG: ReadonlySet<string> = new Set(['<<', '>>', '<=', '>=', '<>', '!=', '||'])
const SYMBOLS = '=<>()[]{},.:;*+-/%'

/** The tokens of a statement, the last of kind `end`; undefined if some character can't begin one
 * or a quote isn't closed. */
export function tokenise(statement: string): Token[] | undefined {
  const tokens: Token[] = []
  const { length } = statement
  let line = 1
  let lineStart = 0
  let index = 0

  const push = (kind: Token['kind'], text: string, end: number): void => {
    tokens.push({
      kind,
      text,
      word: kind === 'word' ? text.toUpperCase() : '',
      at: { line, column: index - lineStart + 1, length: end - index },
    })
    index = end
  }

  while (index < length) {
    const character = statement.charAt(index)
    const code = statement.charCodeAt(index)
    if (character === '\n') {
      line++
      lineStart = ++index
    } else if (character === ' ' || character === '\t' || character === '\r') {
      index++
    } else if (isWordStart(code)) {
      let end = index + 1
      while (end < length && isWordPart(statement.charCodeAt(end))) end++
      push('word', statement.slice(index, end), end)
    } else if (character === "'" || character === '"') {
      const end = quoteEnd(statement, index, character)
      if (end === undefined) return undefined
      const inner = statement.slice(index + 1, end - 1).replaceAll(character + character, character)
      const start = index
      push(character === "'" ? 'string' : 'name', inner, end)
      // A quoted text may span lines; what follows is on a later one.
      for (let at = start; at < end; at++) {
        if (statement.charAt(at) !== '\n') continue
        line++
        lineStart = at + 1
      }
    } else if (isDigit(code) || (character === '.' && isDigit(statement.charCodeAt(index + 1)))) {
      const end = numberEnd(statement, index)
      // A number and a word need something between them.
      if (end < length && isWordPart(statement.charCodeAt(end))) return undefined
      push('number', statement.slice(index, end), end)
    } else if (character === '?') {
      push('parameter', character, index + 1)
    } else {
      const pair = statement.slice(index, index + 2)
      // Comments are refused: a statement that carries one was most likely put together from
      // somebody's text.
      if (pair === '--' || pair === '/*') return undefined
      if (SYMBOLS_LONG.has(pair)) push('symbol', pair, index + 2)
      else if (SYMBOLS.includes(character)) push('symbol', character, index + 1)
      else return undefined
    }
  }
  push('end', '', length)
  return tokens
}

/** The index behind the closing quote; a doubled quote stands for itself. */
function quoteEnd(statement: string, start: number, quote: string): number | undefined {
  let index = start + 1
  for (;;) {
    const found = statement.indexOf(quote, index)
    if (found < 0) return undefined
    if (statement.charAt(found + 1) !== quote) return found + 1
    index = found + 2
  }
}

function numberEnd(statement: string, start: number): number {
  let end = digitsEnd(statement, start)
  if (statement.charAt(end) === '.') end = digitsEnd(statement, end + 1)
  const letter = statement.charAt(end)
  if (letter !== 'e' && letter !== 'E') return end
  const sign = statement.charAt(end + 1)
  const exponent = sign === '+' || sign === '-' ? end + 2 : end + 1
  return isDigit(statement.charCodeAt(exponent)) ? digitsEnd(statement, exponent) : end
}

function digitsEnd(statement: string, start: number): number {
  let end = start
  while (isDigit(statement.charCodeAt(end))) end++
  return end
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isWordStart(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x5f ||
    code === 0x24
  )
}

function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code)
}
