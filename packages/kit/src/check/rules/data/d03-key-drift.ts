import { getOwn } from 'singletable/tools'
import { groupItems } from '../../design/group-items.ts'
import { countItems, quote, quoteKey } from '../../design/quote-item.ts'
import { sampledItems } from '../../design/sampled-items.ts'
import type { Rule } from '../rule.ts'

export const keyDrift: Rule = {
  code: 'D03',
  name: 'key-drift',
  severity: 'error',
  source: 'data',
  title: 'Keys of stored items differ from what the templates make.',
  explanation: `A key attribute repeats other attributes of its item, so each item shows whether they still agree. Where they don't, queries by the new value miss the item
and queries by the old one still find it; with another primary key, reads by key find nothing.

  wrong   { status: { S: 'done' }, gsi1pk: { S: 'STATUS#open' } }       // with the template 'STATUS#\${status}'
  right   { status: { S: 'done' }, gsi1pk: { S: 'STATUS#done' } }

The entities of the library write the keys of all indexes together with the attributes they are made of. Keys drift when something else writes the table, such as a
raw UpdateItem that sets status but not gsi1pk, or when a template was changed and the items were not.

Read such items through their entity and put them again, which writes the keys of indexes again. Another primary key is another item: put it, and delete the old one.`,
  *check(design) {
    const { schema } = design
    if (schema === undefined) return
    const drifts = sampledItems(design).flatMap(({ item, model, keys }) =>
      keys.flatMap((key) => {
        const stored = getOwn(item, key.name)?.S
        if (stored === undefined || stored === key.text) return []
        return [{ item, about: [model?.name, key.name], key, stored }]
      }),
    )
    for (const [{ item, about, key, stored }, items] of groupItems(drifts)) {
      const [model] = about
      const computed = key.text === undefined ? 'none' : quote(key.text)
      yield {
        message: `${model} ${quoteKey(schema, item)}: ${key.name} is stored as ${quote(stored)}, computed ${computed}; ${countItems(design, items, 'item', ['differs', 'differ'])} in this way.`,
        fix: key.isPrimary
          ? 'put these items under the key they should have, and delete them under the other'
          : `read these items through ${model} and put them again, which writes ${key.name} again`,
        place: { model: String(model), attribute: key.name },
      }
    }
  },
}
