import type { IndexDefinition } from 'singletable/tools'
import type { Rule } from '../rule.ts'

export const lsiPresent: Rule = {
  code: 'I07',
  name: 'lsi-present',
  severity: 'warning',
  source: 'schema',
  title: 'The table has a local index.',
  explanation: `A local index has the partition key of the table and another sort key. It has two permanent consequences: all items with one partition key, with their entries in local indexes,
can take at most 10 GB, and no local index can be removed or added while the table exists. A global index has neither limit.

  wrong   indexes: { byDate: { type: 'local', hash: 'pk', sort: 'date' } }
  right   indexes: { byDate: { hash: 'gsi1pk', sort: 'gsi1sk' } }
          Order: { index: { gsi1pk: 'USER#\${userId}', gsi1sk: '\${createdAt}' } }

What only a local index can do is a consistent read. Where a pattern reads it with consistent: true, this is only information.`,
  *check({ definition, patterns }) {
    for (const [name, { type }] of Object.entries<IndexDefinition>(definition.indexes ?? {})) {
      if (type !== 'local') continue
      const reader = patterns.find(
        ({ index, definition: each }) =>
          index === name && 'consistent' in each && each.consistent === true,
      )
      yield {
        message: `LSI ${name} caps every item collection at 10 GB and can never be added or removed later.${reader ? ` ${reader.name} reads it consistently, which a GSI could not do.` : ''}`,
        fix: reader
          ? `keep it if ${reader.name} has to read consistently, and bound what a partition collects`
          : 'make it a global index with templates of its own, unless it has to be read consistently',
        place: { index: name },
        severity: reader ? 'info' : 'warning',
      }
    }
  },
}
