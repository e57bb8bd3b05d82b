import type { AskedUpdate, Model, Pattern } from 'singletable/tools'
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

A step that checks or updates an item which another step counts on, by attributes of the same names, is reported: with equal values it always fails.

  wrong   steps: { user: { op: 'check', entity: 'User', by: ['userId'] }, order: { op: 'create', entity: 'Order' } }   // and User.orderCount counts Order
  right   steps: { order: { op: 'create', entity: 'Order' } }                                                           // the counter already requires that the user exists`,
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

/** An item that a step writes or looks at, named by the attributes that its key is made of. */
interface Touch {
  readonly step: string
  readonly model: Model
  /** The attributes of the step's own input that have the values of the key. */
  readonly names: readonly string[]
  readonly as: 'itself' | 'count' | 'copy'
  /** The entity that the step is about. */
  readonly entity: string
  readonly op: string
  /** For messages: `the count User.orderCount`. */
  readonly what: string
}

/** Steps that touch the same item whenever what has the same name has the same value. */
function* meetingSteps(pattern: Pattern): Iterable<Notice> {
  const touches = [...pattern.steps].flatMap(([step, each]) => touchesOf(step, each))
  for (const [at, one] of touches.entries()) {
    for (const other of touches.slice(at + 1)) {
      // Two steps on one entity are distinguished by their input.
      if (one.entity === other.entity || one.model !== other.model) continue
      if (one.names.join() !== other.names.join() || canMeet(one, other)) continue
      const [derived, own] = one.as === 'itself' ? [other, one] : [one, other]
      yield {
        message: `${pattern.name}: steps "${one.step}" and "${other.step}" touch the same ${one.model.name} when ${listNames(one.names)} ${one.names.length === 1 ? 'is' : 'are'} equal in both: "${own.step}" is about ${own.what}, and "${derived.step}" writes ${derived.what}.`,
        fix:
          derived.as === 'count' && own.op === 'check'
            ? `leave out the step "${own.step}": the counter already requires that the ${one.model.name} exists`
            : `write the ${one.model.name} in a call of its own`,
        place: { pattern: pattern.name },
      }
    }
  }
}

/** Counts of one parent become one, and a parent that is put or deleted takes them in. */
function canMeet(one: Touch, other: Touch): boolean {
  if (one.as === other.as) return one.as === 'count'
  const count = [one, other].find(({ as }) => as === 'count')
  const own = [one, other].find(({ as }) => as === 'itself')
  return count !== undefined && own !== undefined && ['create', 'put', 'delete'].includes(own.op)
}

function touchesOf(step: string, { definition, models: [model] }: Pattern): readonly Touch[] {
  if (model === undefined) return []
  const { op } = definition
  const common = { step, op, entity: model.name }
  const own: Touch = {
    ...common,
    model,
    names: model.primary.names,
    as: 'itself',
    what: `the ${model.name} itself`,
  }
  const { derivedItems } = model
  if (derivedItems === undefined || op === 'check') return [own]
  const { set = [], add = [], remove = [] } = definition as AskedUpdate
  const changed = new Set([...set, ...add, ...remove])
  const isWhole = op !== 'update'
  const counts = derivedItems.counters
    .filter(({ determinedBy }) => isWhole || determinedBy.some((name) => changed.has(name)))
    .map(
      ({ parent, links, attribute }): Touch => ({
        ...common,
        model: parent,
        names: parent.primary.names.map((name) => links.get(name) ?? name),
        as: 'count',
        what: `the count ${parent.name}.${attribute.name}`,
      }),
    )
  const copies = derivedItems.copies.map(
    (copy): Touch => ({
      ...common,
      model: copy.model,
      names: copy.model.primary.names,
      as: 'copy',
      what: `the copy ${copy.model.name}`,
    }),
  )
  return [own, ...counts, ...copies]
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
