import type { Index } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import { type IndexNeed, indexNeeds } from '../../design/index-needs.ts'
import type { Notice, Rule } from '../rule.ts'

export const projectionConflict: Rule = {
  code: 'I05',
  name: 'projection-conflict',
  severity: 'info',
  source: 'schema',
  title: 'Models that share an index need different parts of their items.',
  explanation: `An index has one projection for all models in it. Where one of them is read whole and the others for few attributes, the others are copied whole as well: they are stored and written
only because of that one.

  now     gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' }                                  // Post is read whole, Comment for its postId
  split   gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } for Post
          gsi2: { hash: 'gsi2pk', sort: 'gsi2sk', project: ['postId'] } for Comment

Whether it is worth an index depends on how large the others are and how often they are written; I04 reports the costs once they have an index of their own.`,
  *check(design) {
    for (const index of design.schema?.indexes.values() ?? []) {
      if (index.type === 'primary' || index.project === 'keys') continue
      const needs = indexNeeds(design, index.name)
      yield* index.project === 'all' ? wholeConflict(index, needs) : listConflicts(index, needs)
    }
  },
}

function* wholeConflict({ name }: Index, needs: readonly IndexNeed[]): Iterable<Notice> {
  const whole = needs.filter(({ attributes }) => attributes === undefined)
  const others = needs.filter(({ neededBytes, wholeBytes }) => neededBytes <= wholeBytes / 2)
  if (whole.length === 0 || others.length === 0) return
  const models = listNames(whole.map(({ model }) => model.name))
  const payers = others.map(({ model }) => model.name)
  yield {
    message: `${models} ${whole.length === 1 ? 'needs all of its' : 'need all of their'} attributes in ${name}; ${payersText(payers)} it.`,
    fix: `give ${listNames(payers)} an index of ${payers.length === 1 ? 'its' : 'their'} own that projects less, if ${payers.length === 1 ? 'its items are' : 'their items are'} large or often written`,
    place: { index: name, model: whole[0]!.model.name },
  }
}

/** An attribute that one model needs and others have under the same name. */
function* listConflicts({ name, project }: Index, needs: readonly IndexNeed[]): Iterable<Notice> {
  const listed = new Set<string>(project)
  for (const { model, attributes } of needs) {
    const rest = needs.filter((need) => need.model !== model)
    const own = [...model.attributes.values()].filter(
      (attribute) =>
        listed.has(attribute.stored) &&
        !attribute.definition.ttl &&
        (attributes === undefined || attributes.has(attribute.name)) &&
        rest.some((other) => pays(other, attribute.stored)) &&
        rest.every((other) => !uses(other, attribute.stored)),
    )
    if (own.length === 0) continue
    const payers = rest.filter((other) => own.some(({ stored }) => pays(other, stored)))
    yield {
      message: `${model.name} needs ${listNames(own.map((attribute) => attribute.name))} in ${name}; ${payersText(payers.map((other) => other.model.name))} it.`,
      fix: `store ${listNames(own.map((attribute) => attribute.name))} of ${model.name} under another name with map, or give it an index of its own`,
      place: { index: name, model: model.name },
    }
  }
}

/** The model has the attribute and its patterns don't look at it. */
function pays(need: IndexNeed, stored: string): boolean {
  return (
    [...need.model.attributes.values()].some((each) => each.stored === stored) &&
    !uses(need, stored)
  )
}

function uses({ model, attributes }: IndexNeed, stored: string): boolean {
  const found = [...model.attributes.values()].find((each) => each.stored === stored)
  return found !== undefined && (attributes === undefined || attributes.has(found.name))
}

function payersText(names: readonly string[]): string {
  return names.length === 1
    ? `${names[0]} pays for`
    : `the other ${names.length} entities, ${listNames(names)}, pay for`
}
