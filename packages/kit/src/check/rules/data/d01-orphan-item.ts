import { getOwn } from 'singletable/tools'
import { countItems, quote, quoteKey } from '../../design/quote-item.ts'
import { type SampledItem, sampledItems } from '../../design/sampled-items.ts'
import type { Rule } from '../rule.ts'

/** Of more types than these, the rest is reported together. */
const TYPES_SHOWN = 5
const MATCH = ['matches', 'match'] as const

export const orphanItem: Rule = {
  code: 'D01',
  name: 'orphan-item',
  severity: 'warning',
  source: 'data',
  title: 'Items of the table belong to no model.',
  explanation: `An item belongs to the model that its type attribute names, or, if it has none, to the model whose key templates its keys match. An item of no model is read by
no entity: queries over its partition pay for it and leave it out, exports keep it, and nobody updates it when the design changes.

  wrong   models: { Post: … }                     // and the table has { pk: 'USER#alice', sk: 'DRAFT#1', _type: 'Draft' }
  right   models: { Post: …, Draft: … }           // or the drafts are turned into posts, or deleted

Such items are left behind by a model that was removed or renamed, or written by code that does not use the schema. Items that the library keeps for itself, such as
the guards of unique attributes, are not reported.`,
  *check(design) {
    const { schema } = design
    if (schema === undefined) return
    const groups = new Map<string | undefined, SampledItem[]>()
    for (const sampled of sampledItems(design)) {
      if (sampled.model) continue
      const type = getOwn(sampled.item, schema.params.typeField)?.S
      const group = groups.get(type)
      if (group) group.push(sampled)
      else groups.set(type, [sampled])
    }
    const sorted = [...groups].sort(([, a], [, b]) => b.length - a.length)
    const fix = 'declare a model for them, or delete them'
    for (const [type, items] of sorted.slice(0, TYPES_SHOWN)) {
      const [first] = items
      if (first === undefined) continue
      const reason = type === undefined ? '' : `: ${quote(type)} is not a model`
      yield {
        message: `${countItems(design, items.length, 'item', MATCH)} no entity${reason}, e.g. ${quoteKey(schema, first.item)}.`,
        fix,
        place: {},
      }
    }
    const rest = sorted.slice(TYPES_SHOWN)
    if (rest.length === 0) return
    const count = rest.reduce((sum, [, items]) => sum + items.length, 0)
    yield {
      message: `${countItems(design, count, 'item', MATCH)} no entity: ${rest.length} further types are not models.`,
      fix,
      place: {},
    }
  },
}
