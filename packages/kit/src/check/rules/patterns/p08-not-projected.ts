import { getOwn, type IndexDefinition } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import type { DeclaredPattern } from '../../design/declared-pattern.ts'
import { type Design, modelNamed, primaryNames } from '../../design/design.ts'
import type { DesignModel } from '../../design/design-model.ts'
import type { Rule } from '../rule.ts'

export const notProjected: Rule = {
  code: 'P08',
  name: 'not-projected',
  severity: 'error',
  source: 'schema',
  title: 'A pattern needs attributes that its index does not hold.',
  explanation: `An index holds its own keys, those of the table, and what "project" names; of anything else a query of the index sees nothing. The library refuses such a pattern, as its items would silently be
incomplete. One with a filter on such an attribute is refused when it is called.

  wrong   gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', select: ['title'] }
          postsByTag: { op: 'query', entity: 'Post', index: 'gsi1', by: ['tag'] }                  // Post has a body, too
  right   postsByTag: { …, select: ['title'] }                                                    // what is needed is there
          postsByTag: { …, then: { op: 'batchGet', entity: 'Post' } }                              // or the items are fetched
          gsi1: { …, project: ['title', 'body'] }                                                  // or the index holds more`,
  *check(design) {
    // The primary index is one with fewer options.
    const indexes: { readonly [name: string]: IndexDefinition } = design.definition.indexes
    for (const pattern of design.patterns) {
      if (pattern.definition.op !== 'query') continue
      const index = getOwn(indexes, pattern.index)
      if (index?.project === undefined || index.project === 'all') continue
      for (const entity of pattern.entities) {
        const model = modelNamed(design, entity)
        const lacking = model ? lackingIn(design, pattern, index, model) : []
        if (lacking.length === 0) continue
        const held = index.project === 'keys' ? 'only keys' : listNames(index.project)
        yield {
          message: `${pattern.name} needs ${listNames(lacking)}, ${pattern.index} projects ${held}.`,
          fix: `name what it holds in select of the pattern, fetch whole items with then: { op: 'batchGet', entity: '${entity}' }, or project more in ${pattern.index}`,
          place: { pattern: pattern.name, index: pattern.index, model: entity },
        }
      }
    }
  },
}

function lackingIn(
  design: Design,
  { definition }: DeclaredPattern,
  index: IndexDefinition,
  model: DesignModel,
): readonly string[] {
  if (definition.op !== 'query') return []
  const target =
    definition.then === undefined ? undefined : modelNamed(design, definition.then.entity)
  const { indexes } = design.definition
  const keys = [index, indexes.primary].flatMap(({ hash, sort }) => [hash, sort ?? []].flat())
  const held = [...keys, ...projectedNames(design, index)]
  const read =
    // The item's own keys, which every index has, are enough to fetch it whole.
    target?.name === model.name
      ? []
      : target
        ? primaryNames(design, target)
        : (definition.select ?? [...model.attributes.keys()])
  // A filter sees what the index holds, also where whole items are fetched afterwards.
  const needed = new Set([...read, ...Object.keys(definition.where ?? {})])
  return [...needed].filter((name) => {
    const attribute = model.attributes.get(name)
    // What is not an attribute is another fault.
    return attribute !== undefined && !held.includes(attribute.map ?? name)
  })
}

/** The names under which an index stores what it lists, in whichever model these are; the time to
 * live is listed with them. */
function projectedNames({ models }: Design, { project }: IndexDefinition): readonly string[] {
  if (typeof project !== 'object') return []
  return models.flatMap(({ attributes }) =>
    [...attributes].flatMap(([name, { map = name, ttl }]) =>
      project.includes(name) || ttl ? [map] : [],
    ),
  )
}
