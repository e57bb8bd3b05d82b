import { RESERVED_WORDS } from './reserved-words.ts'
import type { Source } from './statement.ts'
import { StatementError } from './statement-error.ts'
import type { TokenCursor } from './token-cursor.ts'

/** `"table"` or `"table"."index"`. What else may stand there in PartiQL is refused by name. */
export function parseSource(cursor: TokenCursor): Source {
  const { kind, text, word } = cursor.token
  if (kind === 'string' || kind === 'number' || cursor.isSymbol('(')) {
    throw new StatementError({ kind: 'from-source' })
  }
  if (kind !== 'name' && (kind !== 'word' || RESERVED_WORDS.has(word))) throw cursor.malformed()
  cursor.advance()
  const steps: string[] = []
  for (;;) {
    if (cursor.takeSymbol('.')) {
      const { token } = cursor
      if (token.kind !== 'name' && (token.kind !== 'word' || RESERVED_WORDS.has(token.word))) {
        throw cursor.malformed()
      }
      steps.push(token.text)
      cursor.advance()
    } else if (cursor.takeSymbol('[')) {
      const { token } = cursor
      if (token.kind === 'number') cursor.refuseLater({ kind: 'from-list-index' })
      else if (token.kind !== 'string') throw cursor.malformed()
      steps.push(token.text)
      cursor.advance()
      cursor.expectSymbol(']')
    } else break
  }
  parseTableAlias(cursor)
  if (steps.length > 1) cursor.refuseLater({ kind: 'from-path-too-long' })
  const [index] = steps
  return index === undefined ? { table: text } : { table: text, index }
}

function parseTableAlias(cursor: TokenCursor): void {
  const { kind, word } = cursor.token
  if (!cursor.takeWord('AS', 'AT', 'BY')) {
    if (kind !== 'name' && (kind !== 'word' || RESERVED_WORDS.has(word))) return
  } else if (cursor.token.kind !== 'name' && cursor.token.kind !== 'word') throw cursor.malformed()
  cursor.advance()
  cursor.refuseLater({ kind: 'aliasing' })
}
