import { keyAttributes, type Model, READ_STEP_BYTES } from 'singletable/tools'
import { printNumber } from '../../../cost/figure.ts'
import { attributeBytes } from '../../../cost/item-bytes.ts'
import { readUnits } from '../../../cost/read-units.ts'
import type { Design } from '../../design/design.ts'
import type { Rule } from '../rule.ts'

const USED_PART_MAX = 1 / 4

export const fatHotRead: Rule = {
  code: 'S04',
  name: 'fat-hot-read',
  severity: 'warning',
  source: 'schema',
  title: 'A pattern reads large items for a few of their attributes.',
  explanation: `DynamoDB charges a read by what it reads, in steps of 4 KB, and not by what a projection lets through: select saves transfer, but no cost. If a frequent question
needs a small part of a large item, store that part separately.

  wrong   Document: { attributes: { title, owner, body } }, body of 40 KB
          titleOf: { op: 'get', entity: 'Document', by: ['documentId'], select: ['title'] }
  right   Document: { key: { pk: 'DOCUMENT#\${documentId}', sk: 'META' }, attributes: { title, owner } }
          Body:     { key: { pk: 'DOCUMENT#\${documentId}', sk: 'BODY' }, attributes: { body } }

For a query an index does the same whose projection lists what is needed. The rule looks at patterns with select whose items are over 4 KB, by stats.itemBytes or a sample, and of which
a quarter or less is used.`,
  *check(design) {
    for (const pattern of design.schema?.patterns.values() ?? []) {
      const { definition, models, name, target } = pattern
      const [model] = models
      const select = 'select' in definition ? definition.select : undefined
      const reads = readUnits(design, pattern)
      // What is fetched afterwards is whole items in any case.
      if (model === undefined || !select?.length || reads === undefined || target) continue
      const { value: size, basis } = reads.itemBytes
      if (basis === 'default' || size <= READ_STEP_BYTES) continue
      const used = usedBytes(design, model, select)
      if (used > size * USED_PART_MAX) continue
      const index = definition.op === 'query' ? definition.index : undefined
      yield {
        message: `${name} pays ${printNumber(reads.units.value)} RRU for ${used} of ${printNumber(size)} B${reads.itemsRead.value > 1 ? ` of each of ${printNumber(reads.itemsRead.value)} items` : ''}.`,
        fix:
          index === undefined
            ? `keep ${select.join(', ')} in an item apart from what is large in ${model.name}${definition.op === 'query' ? ', or query an index that projects just that' : ''}`
            : `let ${index} project ${select.join(', ')} and no more`,
        place: { pattern: name, model: model.name, index },
      }
    }
  },
}

/** What the pattern gets of each item, with its keys. */
function usedBytes(design: Design, model: Model, project: readonly string[]): number {
  const stored = new Set([
    ...keyAttributes(model.primary.index),
    ...project.map((name) => model.attributes.get(name)?.stored ?? name),
  ])
  const { bytes } = attributeBytes(design, model)
  return Math.round(
    [...bytes].filter(([name]) => stored.has(name)).reduce((sum, [, size]) => sum + size, 0),
  )
}
