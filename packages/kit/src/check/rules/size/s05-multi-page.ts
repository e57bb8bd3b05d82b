import { PAGE_SIZE_MAX_BYTES } from 'singletable/tools'
import { printNumber } from '../../../cost/figure.ts'
import { readUnits } from '../../../cost/read-units.ts'
import { printBytes } from '../print-bytes.ts'
import type { Rule } from '../rule.ts'

export const multiPage: Rule = {
  code: 'S05',
  name: 'multi-page',
  severity: 'info',
  source: 'schema',
  title: 'A query reads more than one page.',
  explanation: `DynamoDB ends a page of a query when it has read 1 MB, before any filter. What is larger takes one request after another, each of which has to wait for the one before, so that the time
grows with the size. The library reads all pages where it is asked for all; callers who show a list rarely want that.

  wrong   postsByUser: { op: 'query', entity: 'Post', by: ['username'] }                    // 2000 posts of 2 KB: 4 pages
  right   postsByUser: { op: 'query', entity: 'Post', by: ['username'], order: 'desc', limit: 20 }
  right   indexes: { gsi1: { …, select: ['title'] } }                                      // smaller entries, fewer pages

The figures are those of expect.itemsRead and stats.perPartition, and of stats.itemBytes or a sample.`,
  *check(design) {
    for (const pattern of design.schema?.patterns.values() ?? []) {
      const { definition, models, name, target } = pattern
      if (definition.op !== 'query') continue
      const reads = readUnits(design, pattern)
      if (reads === undefined || reads.itemsRead.basis === 'default') continue
      // Of what is fetched afterwards each item was found once before.
      const items = reads.itemsRead.value / (target ? 2 : 1)
      const bytes = items * reads.itemBytes.value
      const pages = Math.ceil(bytes / PAGE_SIZE_MAX_BYTES)
      if (pages < 2) continue
      yield {
        message: `${name} needs ≈${pages} pages: ${printNumber(items)} items of ${printNumber(reads.itemBytes.value)} B are ${printBytes(bytes)}.`,
        fix: `give it a limit, or read an index that projects less of ${models.map((model) => model.name).join(' and ')}`,
        place: { pattern: name, model: models[0]?.name },
      }
    }
  },
}
