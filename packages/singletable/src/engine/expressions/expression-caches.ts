import { createParseCache } from '../../expression/parse-cache.ts'
import { parseCondition } from '../../expression/parse-condition.ts'
import { parseProjection } from '../../expression/parse-projection.ts'
import { parseUpdate } from '../../expression/parse-update.ts'
import { parseStatement } from '../partiql/parse-statement.ts'

/** How many expressions of each kind are remembered; at 4 KB each this bounds the memory to a few
 * megabytes. */
const CAPACITY = 1000

/** Parsers that parse each distinct text once. */
export interface ExpressionCaches {
  readonly condition: typeof parseCondition
  readonly update: typeof parseUpdate
  readonly projection: typeof parseProjection
  readonly statement: typeof parseStatement
}

export function createExpressionCaches(): ExpressionCaches {
  return {
    condition: createParseCache(parseCondition, CAPACITY),
    update: createParseCache(parseUpdate, CAPACITY),
    projection: createParseCache(parseProjection, CAPACITY),
    statement: createParseCache(parseStatement, CAPACITY),
  }
}
