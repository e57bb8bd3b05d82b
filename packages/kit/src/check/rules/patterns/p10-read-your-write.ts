import type { Rule } from '../rule.ts'

export const readYourWrite: Rule = {
  code: 'P10',
  name: 'read-your-write',
  severity: 'warning',
  source: 'schema',
  title:
    'A pattern that reads right after a write may not see it: it reads a global index, or is eventually consistent.',
  explanation: `A pattern marked afterWrite: true is called right after a write and has to see it. A global index shows a write some time later, mostly within a second; a read that is not
consistent can be answered by a replica that doesn't have it yet.

  wrong   myOrders: { op: 'query', entity: 'Order', index: 'gsi1', by: ['userId'], afterWrite: true }
  right   myOrders: { op: 'query', entity: 'OrderSummary', by: ['userId'], consistent: true, afterWrite: true }

Read by the primary key with consistent: true, or show what the write itself returned.`,
  *check({ patterns, schema }) {
    for (const { name, definition: pattern, index } of patterns) {
      if (!pattern.afterWrite || (pattern.op !== 'query' && pattern.op !== 'get')) continue
      const isBehind = schema?.indexes.get(index)?.type === 'global'
      if (!isBehind && pattern.consistent) continue
      yield {
        message: `${name} may not see the write it follows: ${isBehind ? `${index} is a global index` : 'it is not a consistent read'}.`,
        fix: isBehind
          ? 'read by the primary key with consistent: true, or show what the write returned'
          : 'write consistent: true',
        place: { pattern: name, index },
        ...(!isBehind && {
          edits: [{ path: ['patterns', name, 'consistent'], code: 'true' }],
        }),
      }
    }
  },
}
