import { LIST_INDEX_MAX } from '../../expression/limits.ts'
import type { Expression, PathExpression, PathProblem } from './statement.ts'
import type { TokenCursor } from './token-cursor.ts'

/** The steps behind an attribute's name: `.name`, `."name"`, `[0]` and `['name']`. */
export function parsePath(
  cursor: TokenCursor,
  first: string,
  parseExpression: (cursor: TokenCursor) => Expression,
): Omit<PathExpression, 'at'> {
  const path: [string, ...(string | number)[]] = [first]
  let problem: PathProblem | undefined
  for (;;) {
    if (cursor.takeSymbol('.')) {
      if (cursor.takeSymbol('*')) problem ??= { kind: 'select-hierarchy' }
      else path.push(cursor.takeName())
    } else if (cursor.takeSymbol('[')) {
      const inner = cursor.nested(() => parseExpression(cursor))
      cursor.expectSymbol(']')
      const step = stepOf(inner)
      if (typeof step === 'object') problem ??= step
      else path.push(step)
    } else break
  }
  if (path.includes('')) problem ??= { kind: 'path-component-empty' }
  return problem === undefined ? { kind: 'path', path } : { kind: 'path', path, problem }
}

/** What is in brackets as a step, or why it can't be one. A bare name there is taken for the
 * name of a map's member. */
function stepOf(inner: Expression): string | number | PathProblem {
  const { at } = inner
  if (inner.kind === 'string') return inner.value
  if (inner.kind === 'path' && inner.path.length === 1 && inner.problem === undefined) {
    return inner.path[0]
  }
  if (inner.kind !== 'number' || !/^-?\d+$/.test(inner.text)) return { kind: 'path-component', at }
  const index = Number(inner.text)
  if (index < 0 || index > LIST_INDEX_MAX) return { kind: 'list-index', index: inner.text, at }
  return index
}
