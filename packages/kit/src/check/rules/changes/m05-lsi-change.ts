import { indexDifferences } from '../../design/design-changes.ts'
import type { Rule } from '../rule.ts'

const WORDS = { create: 'is new', delete: 'is gone', replace: 'has other keys or projections' }

export const lsiChange: Rule = {
  code: 'M05',
  name: 'lsi-change',
  severity: 'error',
  source: 'before',
  title: 'A local index is added, changed or removed.',
  explanation: `Local indexes share the partitions of the table and are created together with it. DynamoDB has no call that adds, changes or removes one later, and CloudFormation
replaces the whole table: with deletion protection it fails, without it the items are gone.

  wrong   byScore: { type: 'local', hash: 'pk', sort: 'score' }           // added to the schema of an existing table
  right   byScore: { hash: 'pk', sort: 'score' }                          // a global index with the same keys

A global index is enough unless reads have to be strongly consistent. In that case create a second table and move the items there, with singletable export and load.`,
  *check(design) {
    for (const { name, type, kind } of indexDifferences(design)) {
      if (type !== 'local') continue
      yield {
        message: `The local index ${name} ${WORDS[kind]}. LSIs are fixed at creation; a new table is needed.`,
        fix:
          kind === 'delete'
            ? 'keep it, or create a new table and move the items there'
            : 'use a global index, or create a new table and move the items there',
        place: { index: name },
      }
    }
  },
}
