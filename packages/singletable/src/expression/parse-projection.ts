import type { PathSyntax, ProjectionSyntax } from './syntax.ts'
import { TokenCursor } from './token-cursor.ts'

/**
 * Reads a ProjectionExpression.
 *
 * @throws ExpressionError for everything that is wrong in the text itself
 */
export function parseProjection(text: string): ProjectionSyntax {
  const cursor = new TokenCursor(text, { reportsSize: false })
  const paths: PathSyntax[] = [cursor.takePath()]
  while (cursor.kind === ',') {
    cursor.skip()
    paths.push(cursor.takePath())
  }
  if (cursor.kind !== 'end') cursor.fail()
  cursor.throwNoted()
  return { paths }
}
