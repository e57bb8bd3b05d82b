import { modelNamed } from '../../design/design.ts'
import type { Rule } from '../rule.ts'

/** BatchGetItem takes that many keys. */
const KEYS_MAX = 100

export const nPlusOne: Rule = {
  code: 'P12',
  name: 'n-plus-one',
  severity: 'warning',
  source: 'schema',
  title: 'A follow-up read can have more than a hundred items.',
  explanation: `With "then", every item that a query finds is followed by a read of another. Up to a hundred keys go in one request; each item is charged for itself, so a thousand small ones cost a
thousand half units where a query would cost a few.

  wrong   postsWithTag: { op: 'query', entity: 'PostTag', index: 'gsi1', by: ['tag'], then: { op: 'batchGet', entity: 'Post' } }
  right   postsWithTag: { …, then: { op: 'batchGet', entity: 'Post' }, limit: 20 }         // a page at a time
          PostTag with the post's title and author, and no then at all                     // what is shown is there

How many are read comes from limit, from expect.itemsRead, or from the model's stats.perPartition; without any of them nothing bounds it.`,
  *check(design) {
    for (const { name, definition: pattern, entities } of design.patterns) {
      if (pattern.op !== 'query' || pattern.then === undefined) continue
      const [entity = ''] = entities
      const { perPartition } = modelNamed(design, entity)?.definition.stats ?? {}
      const count =
        pattern.limit ?? pattern.expect?.itemsRead ?? perPartition?.max ?? perPartition?.average
      if (count !== undefined && count <= KEYS_MAX) continue
      yield {
        message:
          count === undefined
            ? `${name} gets a ${pattern.then.entity} for each ${entity} it finds, and nothing bounds how many.`
            : `${name} fans out to ~${count} gets.`,
        fix: `give it a limit, keep what is shown of ${pattern.then.entity} in ${entity}, or declare stats.perPartition if there are few`,
        place: { pattern: name, model: entity },
      }
    }
  },
}
