import { printPath } from 'singletable/tools'
import { groupItems } from '../../design/group-items.ts'
import { countItems, quoteKey } from '../../design/quote-item.ts'
import { sampledItems } from '../../design/sampled-items.ts'
import type { Rule } from '../rule.ts'

export const invalidItem: Rule = {
  code: 'D02',
  name: 'invalid-item',
  severity: 'warning',
  source: 'data',
  title: 'Items of the table do not fit their model.',
  explanation: `Reading an item whose attributes are of another type than declared, or that lacks a required one, fails with DECODE_FAILED. One whose value is no longer allowed
(enum, validate, maxBytes) can be read, but not be written back as it is.

  wrong   age: { type: Number, required: true }   // and the table has { age: { S: '42' } }
  right   age: { type: Number, required: true }   // and the table has { age: { N: '42' } }

Items get into that state when the schema became stricter after they were written, or when they were written without the schema's entities. Correct the items,
or declare the attribute as it is stored. Attributes with a codec of their own, such as encrypted ones, are not checked.`,
  *check(design) {
    const { schema } = design
    if (schema === undefined) return
    const groups = groupItems(
      sampledItems(design).flatMap(({ item, model, problems }) =>
        problems.map((problem) => ({ item, about: [model?.name, problem.path[0]], problem })),
      ),
    )
    for (const [first, items] of groups) {
      const [model, attribute] = first.about
      const { path, message } = first.problem
      yield {
        message: `${countItems(design, items, `${model} item`, ['fails', 'fail'])}: "${printPath(path)}" ${message}, e.g. ${quoteKey(schema, first.item)}.`,
        fix: 'correct the items, or declare the attribute as it is stored',
        place: { model: String(model), attribute: String(attribute) },
      }
    }
  },
}
