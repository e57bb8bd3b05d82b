import type { KeyAnswer, KeyPart, KeyQuestion } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import { candidateIndex } from '../../design/candidate-index.ts'
import type { DeclaredPattern } from '../../design/declared-pattern.ts'
import { type Design, indexAnswers, modelNamed, primaryNames } from '../../design/design.ts'
import type { DesignModel } from '../../design/design-model.ts'
import type { Notice, Rule } from '../rule.ts'

export const unserved: Rule = {
  code: 'P01',
  name: 'unserved',
  severity: 'error',
  source: 'schema',
  title: 'No key can serve a pattern.',
  explanation: `DynamoDB answers a question by a key: the whole partition key, and of the sort key a beginning. A question that no key starts with would need a scan of
the whole table. The library never scans unasked, so it refuses such a pattern.

  wrong   recentOrders: { op: 'query', entity: 'Order', by: [], range: 'createdAt' }     // Order: PK = ORDER#\${orderId}
  right   index: { gsi1pk: 'ORDERS#\${createdAt:day}', gsi1sk: '\${createdAt}#\${orderId}' }
          recentOrders: { op: 'query', entity: 'Order', index: 'gsi1', by: [], range: 'createdAt' }

The same holds for "then": what was found has to have everything that the key of the fetched entity is made of.

Fix it with an index whose partition key is made of what is given; with an existing index; with a filter, if few items are read; or declare with
op: 'external' that another service answers the question.`,
  *check(design) {
    for (const pattern of design.patterns) {
      const models = pattern.entities.map((name) => modelNamed(design, name))
      // What names no model, no attribute or no index is another fault.
      if (models.some((model) => model === undefined)) continue
      for (const model of models as DesignModel[]) {
        if (!pattern.by.every((name) => model.attributes.has(name))) continue
        const notice = unservedNotice(design, pattern, model)
        if (notice) yield notice
      }
    }
  },
}

function unservedNotice(
  design: Design,
  pattern: DeclaredPattern,
  model: DesignModel,
): Notice | undefined {
  const { definition } = pattern
  switch (definition.op) {
    case 'query':
      return queryNotice(design, pattern, model) ?? thenNotice(design, pattern, model)
    case 'get':
      return definition.unique ? undefined : keyNotice(design, pattern, model)
    case 'batchGet':
    case 'transactGet':
    case 'update':
    case 'delete':
    case 'check':
      return keyNotice(design, pattern, model)
    default:
      return undefined
  }
}

function queryNotice(
  design: Design,
  pattern: DeclaredPattern,
  model: DesignModel,
): Notice | undefined {
  const { by, index } = pattern
  const range = rangeOf(pattern)
  if (!design.schema?.indexes.has(index)) return undefined
  if (range !== undefined && !model.attributes.has(range)) return undefined
  const question = { by, range }
  const answers = indexAnswers(design, model, question)
  const asked = answers.find((answer) => answer.use.index.name === index)
  const reason = asked ? reasonOf(asked, range) : `${model.name} is not in index ${index}`
  if (reason === undefined) return undefined
  return notice(design, pattern, model, reason, question, answers)
}

/** Patterns that name an item by its primary key need all of it, and nothing else. */
function keyNotice(
  design: Design,
  pattern: DeclaredPattern,
  model: DesignModel,
): Notice | undefined {
  const keys = primaryNames(design, model)
  const { by } = pattern
  const missing = keys.filter((name) => !by.includes(name))
  const extra = by.filter((name) => !keys.includes(name))
  const isKeyed = design.keys.some((key) => key.model === model.name && key.index === 'primary')
  if (!isKeyed || missing.length + extra.length === 0) return undefined
  const given = by.length === 0 ? 'nothing is given' : `${listNames(by)} is given`
  const made = keys.length === 0 ? 'always the same' : `made of ${listNames(keys)}`
  const reason = `the key of ${model.name} is ${made}, and ${given}`
  const isRead = /get$/i.test(pattern.definition.op)
  if (!isRead || extra.length + by.length === 0) {
    return {
      message: `${pattern.name} cannot be served: ${reason}.`,
      fix: `write by: [${keys.map((name) => `'${name}'`).join(', ')}]`,
      place: { pattern: pattern.transaction ?? pattern.name, model: model.name },
    }
  }
  const answers = indexAnswers(design, model, { by })
  return notice(design, pattern, model, reason, { by }, answers)
}

/** What a follow-up read needs of what was found. */
function thenNotice(
  design: Design,
  pattern: DeclaredPattern,
  model: DesignModel,
): Notice | undefined {
  const { definition } = pattern
  const entity = definition.op === 'query' ? definition.then?.entity : undefined
  const target = entity === undefined ? undefined : modelNamed(design, entity)
  if (target === undefined) return undefined
  const missing = primaryNames(design, target).filter((name) => !model.attributes.has(name))
  if (missing.length === 0) return undefined
  const names = listNames(missing)
  return {
    message: `${pattern.name} cannot be served: the key of ${target.name} needs ${names}, which ${model.name} does not have.`,
    fix: `give ${model.source} the ${missing.length === 1 ? 'attribute' : 'attributes'} ${names}, or copy what you need of ${target.name} into ${model.source}`,
    place: { pattern: pattern.transaction ?? pattern.name, model: model.name },
  }
}

function notice(
  design: Design,
  pattern: DeclaredPattern,
  model: DesignModel,
  reason: string,
  question: KeyQuestion,
  answers: readonly KeyAnswer[],
): Notice {
  const serving = answers.find((answer) => reasonOf(answer, question.range) === undefined)
  const others = answers.filter(
    ({ use: { index } }) => index.name !== pattern.index || index.name === 'primary',
  )
  const closest = serving ? undefined : closestOf(others, reason)
  return {
    message: `${pattern.name} cannot be served: ${reason}.${closest ? ` Closest: ${closest.use.index.name} needs ${listNames(closest.missing)}.` : ''}`,
    fix: serving
      ? `write op: 'query', index: '${serving.use.index.name}', whose keys answer it`
      : `${candidateIndex(design, model, question)}, and write index: in the pattern; or op: 'external' if another service answers it`,
    place: {
      pattern: pattern.transaction ?? pattern.name,
      model: model.name,
      index: pattern.index,
    },
  }
}

/** The index that lacks least; not one whose need the reason already names. */
function closestOf(answers: readonly KeyAnswer[], reason: string): KeyAnswer | undefined {
  return answers
    .filter((answer) => answer.missing.length > 0 && reasonOf(answer, undefined) !== reason)
    .toSorted(
      (a, b) => a.missing.length + a.unserved.length - (b.missing.length + b.unserved.length),
    )[0]
}

/** Why an index doesn't answer; undefined if it does. An order by another attribute is a finding of
 * its own. */
function reasonOf(answer: KeyAnswer, range: string | undefined): string | undefined {
  const { missing, unserved: rest, order } = answer
  const { hash, sort } = answer.use
  if (missing.length > 0) return `the partition key ${sources(hash)} needs ${listNames(missing)}`
  if (rest.length > 0) {
    return sort.length === 0
      ? `no key answers ${listNames(rest)}`
      : `no key answers ${listNames(rest)}, as the sort key is ${sources(sort)}`
  }
  return order === 'absent' ? `no key is in the order of ${range}` : undefined
}

function sources(parts: readonly KeyPart[]): string {
  return parts.map(({ name, template }) => `"${template?.source ?? name}"`).join(' and ')
}

function rangeOf({ definition }: DeclaredPattern): string | undefined {
  return definition.op === 'query' && typeof definition.range === 'string'
    ? definition.range
    : undefined
}
