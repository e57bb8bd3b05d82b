import type { Source } from './statement.ts'
import { StatementError } from './statement-error.ts'
import type { TokenCursor } from './token-cursor.ts'

/** `"table"` or `"table"."index"`. What else PartiQL allows there is refused by name. */
export function parseSource(cursor: TokenCursor): Source {
  const { kind } = cursor.token
  if (kind === 'string' || kind === 'number' || cursor.isSymbol('(')) {
    throw new StatementError({ kind: 'from-source' })
  }
  const table = cursor.takeName()
  const steps: string[] = []
  for (;;) {
    if (cursor.takeSymbol('.')) {
      steps.push(cursor.takeName())
    } else if (cursor.takeSymbol('[')) {
      const { token } = cursor
      if (token.kind === 'number') cursor.refuseLater({ kind: 'from-list-index' })
      else if (token.kind !== 'string') throw cursor.malformed()
      steps.push(token.text)
      cursor.advance()
      cursor.expectSymbol(']')
    } else break
  }
  cursor.takeAlias('AS', 'AT', 'BY')
  if (steps.length > 1) cursor.refuseLater({ kind: 'from-path-too-long' })
  const [index] = steps
  return index === undefined ? { table } : { table, index }
}
