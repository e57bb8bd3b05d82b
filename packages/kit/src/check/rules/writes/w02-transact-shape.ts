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
  title: 'A transaction has more than 100 actions, or writes one item twice.',
  explanation: `DynamoDB takes up to 100 actions in one transaction, and each item in one of them only. It refuses any other transaction as a whole.

  wrong   await table.transactWrite()
            .addPut(PostTag.put({ postId: '123', tag: 'typescript' }))
            .addPut(PostTag.put({ postId: '123', tag: 'typescript', gsi1pk: 'TAG#typescript' }))       // one key, twice
  right   one put: the keys of all indexes are written with it

The rule counts the steps of a pattern with the items that the library writes along with them (copies, counters and guards of unique attributes), and in code what is written out. Two steps of one
pattern on the same entity are not reported, as their keys come with the input and the library refuses equal ones by name; unless the key is made of literals alone, so that there is one item.

A copy for each element of a list or set is an action for each: with --sample, items that have more elements than a transaction takes are reported, because no write of them is possible.

A step with each is carried out for each element of a list, and counts once here; the library counts them when it is called.

The library merges the counters of a parent with a step that writes or checks that parent, so the two are one action. A step that deletes a parent, and one that makes an item which it counts, are
reported if they name the parent by attributes of the same names: with equal values they always fail.`,
  *check(design) {
    for (const { name, definition } of design.patterns) {
      if (definition.op !== 'transact') continue
      const written = Object.keys(definition.steps ?? {}).length
      const pattern = design.schema?.patterns.get(name)
      const actions = pattern ? leastActions(pattern) : written
      yield* repeatedItems(design, name)
      if (pattern) yield* meetingSteps(pattern)
      if (actions <= ACTIONS_MAX) continue
      const along = actions - written
      yield {
        message: `${name}: transaction has ${actions} actions (max ${ACTIONS_MAX})${along > 0 ? `, ${along} of them copies, counters and guards of its ${written} steps` : ''}.`,
        fix: 'split it into several; keep a state of its own for what has to hold between them',
        place: { pattern: name },
      }
    }
    yield* longLists(design)
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

/** Sampled items with more elements than a transaction can write copies of. */
function* longLists({ schema, sample }: Design): Iterable<Notice> {
  for (const model of schema?.models.values() ?? []) {
    for (const { each, model: copy } of model.derivedItems?.copies ?? []) {
      if (!each) continue
      const lengths = (sample?.items ?? []).map((item) => {
        const isOwn = item[model.schema.params.typeField]?.S === model.type
        const { L, SS, NS } = (isOwn && item[each.list.stored]) || {}
        return new Set(L?.map((element) => JSON.stringify(element)) ?? SS ?? NS).size
      })
      // The item itself is an action as well.
      const long = lengths.filter((length) => length >= ACTIONS_MAX)
      if (long.length === 0) continue
      yield {
        message: `${model.name}.${each.list.name} has up to ${Math.max(...long)} elements in ${long.length} of the sampled items, and each has a copy ${copy.name}: no transaction can write them (max ${ACTIONS_MAX} actions).`,
        fix: `keep fewer elements in ${each.list.name}, or make them items of their own with a key for each`,
        place: { model: model.name, attribute: each.list.name },
      }
    }
  }
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

/** Steps that delete a parent and make an item that it counts, if both name it by equal values. */
function* meetingSteps({ name, steps }: Pattern): Iterable<Notice> {
  for (const [deletion, { definition, models }] of steps) {
    if (definition.op !== 'delete') continue
    for (const [step, { definition: made, models: items }] of steps) {
      const counter = items[0]?.derivedItems?.counters.find(
        ({ parent, links }) =>
          parent === models[0] && [...links].every(([own, link]) => own === link),
      )
      if (!counter || !/^(create|put)$/.test(made.op)) continue
      const { parent, attribute, links } = counter
      const names = [...links.keys()]
      yield {
        message: `${name}: steps "${deletion}" and "${step}" touch the same ${parent.name} when ${listNames(names)} ${names.length === 1 ? 'is' : 'are'} equal in both: "${deletion}" deletes it, and "${step}" writes its ${attribute.name}.`,
        fix: `delete the ${parent.name} in a call of its own`,
        place: { pattern: name },
      }
    }
  }
}

/** How many actions it has in any case: what depends on values is not counted. */
function leastActions({ steps }: Pattern): number {
  let actions = 0
  const parents = new Set<string>()
  for (const { models, definition } of steps.values()) {
    actions++
    const derivedItems = models[0]?.derivedItems
    if (derivedItems === undefined || !['create', 'put', 'delete'].includes(definition.op)) continue
    actions += derivedItems.copies.filter(({ when, each }) => !when && !each).length
    actions += derivedItems.unique.filter(({ attributes }) =>
      attributes.every((attribute) => attribute.definition.required),
    ).length
    for (const { parent, links, when, sums } of derivedItems.counters) {
      const isNamed = [...links.values(), ...(sums ? [sums.name] : [])].every(
        (name) => models[0]?.attributes.get(name)?.definition.required,
      )
      // Those of one parent become one action.
      if (isNamed && when === undefined) parents.add(`${parent.name} ${[...links.values()].join()}`)
    }
  }
  return actions + parents.size
}
