import type { Rule } from '../rule.ts'

export const incompleteIndex: Rule = {
  code: 'P18',
  name: 'incomplete-index',
  severity: 'info',
  source: 'schema',
  title: 'A pattern reads an index that may not hold all items of its entity.',
  explanation: `An item that lacks an attribute of an index's keys, or does not meet the index's when, is not in that index. A query that names no index never takes such an index by itself. A pattern names its
index, so it answers from what is in there, and items that match what the pattern asks for can be missing. That may be the purpose, as for open orders. It is a mistake if the pattern should
return all of them.

  wrong   index: { gsi1pk: 'ORG#\${org}', gsi1sk: '\${due}' }, attributes: { due: { type: String } }
          tasksOf: { op: 'query', entity: 'Task', index: 'gsi1', by: ['org'] }
  right   attributes: { due: { type: String, required: true } }, or another index for all tasks

The pattern is complete if the attribute is required, or if what the pattern asks for implies it: in by, in a range that must be given, or in filter.`,
  *check({ patterns, plans }) {
    for (const { name, entities, index } of patterns) {
      const plan = plans.get(name)
      if (plan?.incomplete === undefined) continue
      yield {
        message: `${name} reads index ${plan.index}, and ${plan.incomplete} are not in it.`,
        fix: 'if the pattern should return those too, make the attribute required or read an index that has all items; if not, suppress this finding with the reason',
        place: { pattern: name, model: entities[0], index },
      }
    }
  },
}
