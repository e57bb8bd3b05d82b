import { getOwn, type IndexDefinition } from 'singletable/tools'
import { noticesOf } from '../issue-findings.ts'
import type { Rule } from '../rule.ts'

export const multiAttributeMisuse: Rule = {
  code: 'I10',
  name: 'multi-attr-misuse',
  severity: 'error',
  source: 'schema',
  title:
    "A key of several attributes is used where DynamoDB does not allow it, or queried in a way that it can't answer.",
  explanation: `The keys of a global index can be up to four attributes each, as they are, without a template. Those of the table and of local indexes are one attribute each.

  wrong   indexes: { primary: { hash: ['tenantId', 'userId'], sort: 'sk' } }
  right   indexes: { primary: { hash: 'pk', sort: 'sk' } }                      key: { pk: 'TENANT#\${tenantId}#USER#\${userId}', … }
  right   indexes: { byUser: { hash: ['tenantId', 'userId'], sort: ['createdAt'] } }

In a query all attributes of the partition key are given. Of the sort key, the first ones can be given: equality from the left, and a range only for the last one.

  wrong   sort: ['region', 'createdAt'] with by: ['createdAt'], range: 'region'
  right   sort: ['region', 'createdAt'] with by: ['region'], range: 'createdAt'`,
  *check(design) {
    const { definition, patterns } = design
    yield* noticesOf(design, 'I10')
    for (const { name, index, by, entities, definition: pattern } of patterns) {
      const sort = getOwn<IndexDefinition>(definition.indexes ?? {}, index)?.sort
      const range = pattern.op === 'query' ? pattern.range : undefined
      if (!Array.isArray(sort) || range === undefined) continue
      const behind = sort.slice(sort.indexOf(range) + 1).filter((part) => by.includes(part))
      if (!sort.includes(range) || behind.length === 0) continue
      yield {
        message: `${name} asks for a range of ${range} and equality of ${behind.join(', ')}, which comes after it in the sort key of ${index} (${sort.join(', ')}).`,
        fix: `move ${behind.join(', ')} to filter, or make an index that has ${behind.join(', ')} before ${range}`,
        place: { pattern: name, index, model: entities[0] },
      }
    }
  },
}
