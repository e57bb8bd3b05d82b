import type { SchemaDefinition } from 'singletable/tools'
import { billOf } from '../../../cost/monthly-bill.ts'
import { listNames } from '../../../text/list-names.ts'
import { type Design, readDesign } from '../../design/design.ts'
import { type IndexNeed, indexNeeds } from '../../design/index-needs.ts'
import type { Rule } from '../rule.ts'

export const projectionWaste: Rule = {
  code: 'I04',
  name: 'projection-waste',
  severity: 'warning',
  source: 'schema',
  title: 'An index copies whole items, but its patterns use only a few attributes.',
  explanation: `An index holds a copy of what it projects: it is stored again, and written again whenever it changes. Where all patterns that read the index ask for a few attributes by select, or only for what
"then" fetches, the rest is paid for and never read. With a list the entries are smaller, and a change of any other attribute costs nothing in the index.

  wrong   indexes: { gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } }                              // project: 'all'
          postTitles: { op: 'query', index: 'gsi1', …, select: ['title'] }
  right   indexes: { gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', select: ['title'] } }

The sizes are those of sampled items, or shared out of stats.itemBytes by the types of the attributes. What it saves is the difference of two monthly bills, as "singletable cost" computes them,
and are known where rates and counts are declared. The projection of an index can't be changed; make a new index, move the patterns, and drop the old one.`,
  *check(design) {
    const { schema } = design
    for (const index of schema?.indexes.values() ?? []) {
      if (index.type === 'primary' || index.project !== 'all') continue
      const needs = indexNeeds(design, index.name)
      if (needs.length === 0 || needs.some(({ attributes }) => attributes === undefined)) continue
      const whole = meanOf(needs, ({ wholeBytes }) => wholeBytes)
      const needed = meanOf(needs, ({ neededBytes }) => neededBytes)
      if (needed > whole / 2) continue
      const names = projectable(needs)
      const project = names.length === 0 ? 'keys' : names
      const saved = savedDollars(design, index.name, project)
      const kind = project === 'keys' ? 'KEYS_ONLY' : 'INCLUDE'
      const patterns = new Set(needs.flatMap((need) => need.patterns))
      yield {
        message: `${index.name} copies ${whole} B per item; ${listNames([...patterns])} ${patterns.size === 1 ? 'uses' : 'use'} ${needed} B. ${kind} saves ${saved === undefined ? 'the rest' : `≈$${saved}/month`}.`,
        fix: `make an index with project: ${project === 'keys' ? `'keys'` : `[${names.map((name) => `'${name}'`).join(', ')}]`} in its place`,
        place: { index: index.name },
      }
    }
  },
}

function meanOf(needs: readonly IndexNeed[], bytes: (need: IndexNeed) => number): number {
  return Math.round(needs.reduce((sum, need) => sum + bytes(need), 0) / needs.length)
}

/** What a projection would have to list: keys are always there. */
function projectable(needs: readonly IndexNeed[]): readonly string[] {
  const names = needs.flatMap(({ model, attributes }) => {
    const keys = new Set(model.indexes.flatMap(({ hash, sort }) => [...hash, ...sort]).map(nameOf))
    return [...(attributes ?? [])].filter((name) => !keys.has(model.attributes.get(name)?.stored))
  })
  return [...new Set(names)]
}

function nameOf({ name }: { readonly name: string }): string | undefined {
  return name
}

/** The difference of the bills with the one projection and the other, in whole cents; undefined if
 * it is not known or is less than one. */
function savedDollars(
  { definition, sample, ...design }: Design,
  name: string,
  project: 'keys' | readonly string[],
): string | undefined {
  const { [name]: index, ...others } = definition.indexes
  const indexes = { ...others, [name]: { ...index, project } } as SchemaDefinition['indexes']
  const cheaper = readDesign({ ...definition, indexes }, { sample })
  if (cheaper.issues.length > design.issues.length) return undefined
  const saved = billOf({ ...design, sample }).totals.all - billOf(cheaper).totals.all
  return saved >= 0.01 ? saved.toFixed(2) : undefined
}
