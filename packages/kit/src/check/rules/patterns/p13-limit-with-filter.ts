import type { Rule } from '../rule.ts'

export const limitWithFilter: Rule = {
  code: 'P13',
  name: 'limit-with-filter',
  severity: 'warning',
  source: 'schema',
  title: 'A pattern has both a limit and a filter.',
  explanation: `DynamoDB counts its Limit before the filter: a page of 20 has whatever is left of 20 items, often nothing. The library's limit counts results, so it asks for page after page until it has
them. What you get is right, but where the filter lets one item in a thousand pass, 20 results take 20 000 reads, and a result that is not there takes the whole partition.

  wrong   openOrders: { op: 'query', entity: 'Order', by: ['userId'], where: { status: 'open' }, limit: 20 }
  right   index: { gsi1pk: 'USER#\${userId}', gsi1sk: 'OPEN#\${createdAt}' }, when: { gsi1: { status: 'open' } }
          openOrders: { op: 'query', entity: 'Order', index: 'gsi1', by: ['userId'], limit: 20 }`,
  *check({ patterns }) {
    for (const { name, definition: pattern, entities, index } of patterns) {
      if (pattern.op !== 'query' || pattern.limit === undefined || pattern.gives) continue
      const names = Object.keys(pattern.where ?? {})
      if (names.length === 0) continue
      yield {
        message: `${name}: DynamoDB applies limit ${pattern.limit} before the filter on ${names.join(', ')}; one call reads on until enough is left, or the partition ends.`,
        fix: `let a key answer ${names.join(', ')}: put it before the range in a sort key, or in the condition (when) of an index`,
        place: { pattern: name, model: entities[0], index },
      }
    }
  },
}
