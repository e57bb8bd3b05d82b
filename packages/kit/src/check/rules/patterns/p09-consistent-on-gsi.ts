import type { Rule } from '../rule.ts'

export const consistentOnGsi: Rule = {
  code: 'P09',
  name: 'consistent-on-gsi',
  severity: 'error',
  source: 'schema',
  title: 'A pattern asks for a consistent read of a global index.',
  explanation: `DynamoDB brings a global index up to date after a write, not with it, and refuses ConsistentRead on one. So does the library, when the schema is made.

  wrong   ordersByStatus: { op: 'query', entity: 'Order', index: 'gsi1', by: ['status'], consistent: true }
  right   ordersByStatus: { op: 'query', entity: 'Order', index: 'gsi1', by: ['status'] }

If a read has to see the write before it, read by the primary key, or fetch what the index found with then: { op: 'batchGet', … }.`,
  *check({ patterns, schema }) {
    for (const { name, definition: pattern, index } of patterns) {
      const isStrong = pattern.op === 'query' && pattern.consistent
      if (!isStrong || schema?.indexes.get(index)?.type !== 'global') continue
      yield {
        message: `GSI reads are eventually consistent; ${name} asks for consistent reads of ${index}.`,
        fix: 'leave consistent out, or read the primary index or a local one',
        place: { pattern: name, index },
        edits: [{ path: ['patterns', name, 'consistent'] }],
      }
    }
  },
}
