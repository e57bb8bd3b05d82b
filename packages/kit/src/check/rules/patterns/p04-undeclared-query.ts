import { patternSnippet } from '../../evidence/pattern-snippet.ts'
import type { Rule } from '../rule.ts'

export const undeclaredQuery: Rule = {
  code: 'P04',
  name: 'undeclared-query',
  severity: 'warning',
  source: 'recording',
  title: 'A recorded query is not declared as a pattern.',
  explanation: `The list of access patterns is only useful if it is complete: the document, the cost and the runs know nothing of a query that is not on it.

  wrong   await table.entities.Post.query({ username })                        // nobody declared it
  right   patterns: { postsByUser: { op: 'query', entity: 'Post', by: ['username'] } }
          await table.patterns.postsByUser({ username })

Queries and scans count, of which a recording of your tests has the shapes. A query through an entity is matched with the patterns by its plan, so it need not be called by name.`,
  *check(design) {
    for (const shape of design.recording?.shapes ?? []) {
      const { operation, index, key, pattern, count } = shape
      if (pattern !== null || (operation !== 'Query' && operation !== 'Scan')) continue
      const on = index ?? 'primary'
      const snippet = design.schema && patternSnippet(design.schema, shape)
      const by = key === null ? '' : ` by ${key}`
      yield {
        message: `${operation} on ${on}${by} (${count}× in tests) has no pattern.`,
        fix: `declare it under patterns${snippet === undefined ? '' : `: ${snippet}`}`,
        place: { index: on },
      }
    }
  },
}
