import { printNumber } from '../../../cost/figure.ts'
import { writeAmplification } from '../../../cost/index-writes.ts'
import { listNames } from '../../../text/list-names.ts'
import type { Rule } from '../rule.ts'

/** A write with two indexes of whole items costs three times what it would without; that is
 * usual. */
const FACTOR_MAX = 3
const GLOBAL_INDEXES_MAX = 5

export const overIndexing: Rule = {
  code: 'I02',
  name: 'over-indexing',
  severity: 'warning',
  source: 'schema',
  title: 'The indexes make writes cost many times more.',
  explanation: `A new item is written once into the table and once into each index that it is in, and each of these writes is paid for by what it holds. With three indexes of whole items it costs
four times as much.

Ways out: let two questions share an index by what is in its sort key; let only those items be in it that are looked for (\`when\`); project the keys, or the few attributes that its
patterns use.

  wrong   indexes: { gsi1: {…}, gsi2: {…}, gsi3: {…} } with Order in all of them
  right   gsi3: { hash: 'gsi3pk', sort: 'gsi3sk', project: 'keys' }
          Order: { when: { gsi3: { status: 'open' } } }

It reports models whose writes cost more than 3 times, and tables with more than 5 global indexes.`,
  *check(design) {
    for (const model of design.schema?.models.values() ?? []) {
      const { factor, indexes } = writeAmplification(design, model)
      if (factor <= FACTOR_MAX) continue
      yield {
        message: `Each ${model.name} write costs ${printNumber(Number(factor.toFixed(1)))}× because of ${listNames(indexes.map(({ index }) => index))}.`,
        fix: `let questions share an index, keep items out with when, or project less`,
        place: { model: model.name },
      }
    }
    const global = [...(design.schema?.indexes.values() ?? [])].filter(
      ({ type }) => type === 'global',
    )
    if (global.length > GLOBAL_INDEXES_MAX) {
      yield {
        message: `The table has ${global.length} global indexes: ${listNames(global.map(({ name }) => name))}. More than ${GLOBAL_INDEXES_MAX} are rarely needed, as models can share them.`,
        fix: 'let models share indexes: each fills the same key attributes with templates of its own',
        place: {},
      }
    }
  },
}
