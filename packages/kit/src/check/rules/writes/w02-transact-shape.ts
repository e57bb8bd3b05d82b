import type { Pattern } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import type { Design } from '../../design/design.ts'
import type { Notice, Rule } from '../rule.ts'

/** TransactWriteItems takes that many actions. */
const ACTIONS_MAX = 100

export const transactShape: Rule = {
  code: 'W02',
  name: 'transact-shape',
  severity: 'error',
  source: 'schema',
  title: 'A transaction has more than 100 actions, or touches one item twice.',
  explanation: `DynamoDB takes up to 100 actions in one transaction, and each item in one of them only. It refuses others as a whole.

  wrong   await table.transactWrite()
            .addPut(PostTag.put({ postId: '123', tag: 'typescript' }))
            .addPut(PostTag.put({ postId: '123', tag: 'typescript', gsi1pk: 'TAG#typescript' })).execute()       // one key, twice
  right   one put: the keys of all indexes are written with it

Counted are the steps of a pattern with the items that the library writes along with them (copies and guards of unique attributes), and in code what is written out. Two steps of one
pattern on the same entity are not reported, as their keys come with the input and the library refuses equal ones by name; unless the key is made of literals alone, so that there is one item.`,
  *check(design) {
    for (const { name, definition } of design.patterns) {
      if (definition.op !== 'transact') continue
      const written = Object.keys(definition.steps ?? {}).length
      const pattern = design.schema?.patterns.get(name)
      const actions = pattern ? leastActions(pattern) : written
      yield* repeatedItems(design, name)
      if (actions <= ACTIONS_MAX) continue
      const along = actions - written
      yield {
        message: `${name}: transaction has ${actions} actions (max ${ACTIONS_MAX})${along > 0 ? `, ${along} of them copies and guards of its ${written} steps` : ''}.`,
        fix: 'split it into several; what has to hold between them needs a state of its own',
        place: { pattern: name },
      }
    }
    for (const { kind, file, line, members, repeatedKey } of design.code?.calls ?? []) {
      if (kind !== 'transact') continue
      if (members !== undefined && members > ACTIONS_MAX) {
        yield {
          message: `${file}:${line}: transaction has ${members} actions (max ${ACTIONS_MAX}).`,
          fix: 'split it into several',
          place: { file, line },
        }
      }
      if (repeatedKey !== undefined) {
        yield {
          message: `${file}:${line}: transaction touches ${repeatedKey} twice.`,
          fix: 'merge the two actions into one: a put writes the keys of all indexes, and an update takes several changes and a condition',
          place: { file, line },
        }
      }
    }
  },
}

/** Steps on a model that has one item only. */
function* repeatedItems(design: Design, transaction: string): Iterable<Notice> {
  const steps = design.patterns.filter((pattern) => pattern.transaction === transaction)
  for (const model of new Set(steps.flatMap(({ entities }) => entities))) {
    const keys = design.keys.filter((key) => key.model === model && key.index === 'primary')
    const own = steps.filter(({ entities }) => entities.includes(model))
    if (own.length < 2 || keys.length === 0) continue
    if (!keys.every(({ template }) => template?.names.length === 0)) continue
    yield {
      message: `${transaction}: transaction touches ${keys.map(({ template }) => `"${template?.source}"`).join(' / ')} ${own.length === 2 ? 'twice' : `${own.length} times`}: there is one ${model}, and ${listNames(own.map(({ name }) => name))} are about it.`,
      fix: 'merge the steps into one: an update takes several changes',
      place: { pattern: transaction, model },
    }
  }
}

/** How many actions it has in any case: what depends on values is not counted. */
function leastActions({ steps }: Pattern): number {
  let actions = 0
  for (const { models, definition } of steps.values()) {
    actions++
    const companions = models[0]?.companions
    if (companions === undefined || !['create', 'put', 'delete'].includes(definition.op)) continue
    actions += companions.copies.filter(({ when }) => when === undefined).length
    actions += companions.unique.filter(({ attributes }) =>
      attributes.every((attribute) => attribute.definition.required),
    ).length
  }
  return actions
}
