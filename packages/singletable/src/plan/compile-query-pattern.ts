import { addMembers, compileFilter } from '../schema/compile-filter.ts'
import { keyAttributes } from '../schema/index-keys.ts'
import { partsCanMeet, printParts } from '../schema/key-parts.ts'
import { componentsOf, keyVariables } from '../schema/key-variables.ts'
import type { Model, ModelIndex, Pattern, Schema } from '../schema/model.ts'
import type { AskedQuery } from '../schema/pattern-definition.ts'
import { type PatternProblems, quoteNames } from '../schema/pattern-problems.ts'
import { keyAnswer, keyAnswers, takenIn } from './key-answers.ts'
import { filterConditions, keyCondition, namedInput } from './pattern-question.ts'
import { isHeldBy, isProjected } from './projection.ts'
import { InputValue } from './read/input-value.ts'
import { referencesOf } from './references.ts'

/** A pattern while it is compiled. */
export type PatternDraft = { -readonly [TName in keyof Pattern]: Pattern[TName] }

/**
 * Resolves a query: the index, what its keys answer, the members of the input, and what follows it.
 */
export function compileQueryPattern(
  pattern: PatternDraft,
  definition: AskedQuery,
  schema: Schema,
  problems: PatternProblems,
): void {
  const { refuse, requireName, requireNames, requireSound } = problems
  const { models } = pattern
  const { index = 'primary', by, range, order, limit, consistent, then, select } = definition
  const listed = definition.in ?? []
  requireSound(`index ${index}`)
  requireName('index', index, schema.indexes.keys())
  if (new Set(models).size < models.length) {
    refuse('it names an entity twice', 'name each once')
  }
  requireName('order', order ?? 'asc', ['asc', 'desc'])
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0)) {
    refuse('its limit is not a positive whole number', 'give one, or leave it out')
  }
  if (consistent && schema.indexes.get(index)?.type === 'global') {
    refuse(
      `"${index}" is a global index, and no global index can be read consistently`,
      'leave consistent out, or read the primary index or a local one',
      'P09',
    )
  }
  const uses = models.map((model) => checkKeys(definition, model, problems))
  pattern.use = uses[0]
  const [model] = models as [Model]
  const input = new Map([...by, ...listed].map((name) => [name, true]))
  pattern.input = input
  if (models.length > 1) {
    // A Query reads one partition. Models whose partition keys can never be equal would be declared
    // together and never found together.
    const apart = uses.findIndex(
      ({ hash }) => !hash.every((part, at) => partsCanMeet(uses[0]!.hash[at]!, part)),
    )
    if (apart > 0) {
      refuse(
        `${model.name} and ${models[apart]!.name} are never in one partition: ${printParts(uses[0]!.hash)}, ${printParts(uses[apart]!.hash)}`,
        'give them partition keys that can be the same, or make a pattern for each entity',
      )
    }
    for (const option of ['gives', 'in', 'range', 'select', 'where', 'then'] as const) {
      if (definition[option] !== undefined) {
        refuse(
          `${definition.gives ?? option} is for one entity`,
          `leave it out, or make a pattern for each entity`,
        )
      }
    }
    return
  }

  const use = uses[0]!
  // Buckets of time can't be counted up without one, unless the schema says when they begin.
  const fixed = [...by, ...listed]
  if (range !== undefined) input.set(range, keyAnswer(model, use, { by: fixed }).missing.length > 0)
  pattern.filter = compileFilter(definition.where ?? {}, model, problems)
  for (const { operands } of pattern.filter) {
    for (const { input: name } of operands) {
      if (name !== undefined && name === range)
        refuse(`"${name}" is the range`, 'give the value of the condition another name')
    }
  }
  addMembers(input, pattern.filter)
  const references = referencesOf(model) as { readonly [name: string]: unknown }
  const named = namedInput(pattern, true)
  const filters = filterConditions(pattern.filter, references, named)
  const asked = fixed.map((name) =>
    keyCondition(references[name], name, new InputValue(name), definition.ignoreCase),
  )
  const { used, match } = takenIn(model, use, [...asked, ...filters])
  for (const [at, { attribute }] of pattern.filter.entries()) {
    // Its keys would answer it, or DynamoDB refuse it.
    const names = [...fixed, range, ...keyAttributes(use.index)]
    if (names.includes(attribute) || used.includes(filters[at]!)) {
      refuse(`its where has "${attribute}", which the key answers`, 'use by, in or range for it')
    }
  }

  if (then !== undefined) {
    requireName('op of then', then?.op, ['batchGet'])
    requireSound(`model ${then.entity}`)
    requireName('entity', then.entity, schema.models.keys())
    const target = schema.models.get(then.entity)!
    pattern.target = target
    const missing = target.primary.names.filter((name) => !model.attributes.has(name))
    if (missing.length > 0) {
      refuse(
        `the key of ${target.name} needs ${quoteNames(missing)}, which ${model.name} does not have`,
        `give ${model.name} such an attribute`,
        'P01',
      )
    }
  }
  if (select) requireNames(select, pattern.target ?? model, 'select')
  const read = pattern.target?.primary.names ?? select ?? [...model.attributes.keys()]
  const { index: held } = use
  const isHeld = isHeldBy(held, model)
  // The item's own keys, which every index has, are enough to fetch it whole.
  const lacking = (pattern.target === model ? [] : read).filter(
    (name) => !isHeld(model.attributes.get(name)!),
  )
  // A key in lower case only narrows what is read, and a filter decides.
  const compared = fixed.filter((name, at) => {
    const parts = match?.parts.filter((part) => part.used.includes(asked[at]!)) ?? []
    const { stored } = model.attributes.get(name)!
    return (
      parts.length > 0 &&
      !parts.some((part) => part.absorbed.includes(asked[at]!)) &&
      !isProjected(held, stored)
    )
  })
  if (compared.length > 0) {
    refuse(
      `index "${index}" does not hold ${quoteNames(compared)}, of which its key has only the lower case`,
      `project it in the index, or write ignoreCase: ['${compared[0]}'] if case does not count`,
      'P08',
    )
  }
  if (lacking.length > 0) {
    refuse(
      `index "${index}" does not hold ${quoteNames(lacking)}`,
      `name what it holds in select, fetch whole items with then: { op: 'batchGet', entity: '${model.name}' }, or project more in the index`,
      'P08',
    )
  }
}

/**
 * Whether the keys of the index answer what `by` and `range` ask of a model; the index as the model
 * uses it.
 */
function checkKeys(
  { index = 'primary', by: own, in: listed = [], ignoreCase = [], range }: AskedQuery,
  model: Model,
  { refuse, requireNames, requireSound }: PatternProblems,
): ModelIndex {
  requireSound(`${model.name} ${index}`)
  const use = model.indexes.find((each) => each.index.name === index)
  if (use === undefined) {
    const names = model.indexes.map((each) => each.index.name).join(', ')
    return refuse(
      `${model.name} is not in index "${index}"`,
      `give it templates for the keys of that index, or read ${names}`,
      'P01',
    )
  }
  const by = [...requireNames(own, model, 'by'), ...requireNames(listed, model, 'in')]
  const hash = keyVariables(use.hash)
  const wrong = listed.filter((name) => own.includes(name) || !hash.includes(name))
  if (wrong.length > 0) {
    refuse(
      `in has ${quoteNames(wrong)}, and lists are for other attributes of the partition key ${printParts(use.hash)} than those of by`,
      `name one of ${quoteNames(hash)}; other attributes can be compared with a list by where: { name: { in: '$names' } }`,
      'P01',
    )
  }
  if (range !== undefined) requireNames([range], model, 'range')
  const { missing, unserved, next, order } = keyAnswer(model, use, { by, range })
  if (missing.length > 0) {
    const others = keyAnswers(model, { by }).filter((answer) => answer.missing.length === 0)
    const instead = others.map((answer) => `, or read index: '${answer.use.index.name}'`).join('')
    const isTime = componentsOf(use.hash).some(({ name, unit }) => unit && missing.includes(name))
    refuse(
      `the partition key ${printParts(use.hash)} needs ${quoteNames(missing)}`,
      `add it to by${isTime ? ', or a time to range' : ''}${instead}`,
      'P01',
    )
  }
  if (unserved.length > 0) {
    refuse(
      `no key answers ${quoteNames(unserved)}: the sort key ${printParts(use.sort)} serves only a left prefix of [${keyVariables(use.sort).join(', ')}]`,
      'move it to where, or read an index with another sort key',
      'P01',
    )
  }
  const parts = [...use.hash, ...use.sort].flatMap(
    ({
      template,
      attribute,
    }): readonly { readonly name: string; readonly folds?: boolean | undefined }[] =>
      template?.components ?? [attribute!],
  )
  const exact = requireNames(ignoreCase, model, 'ignoreCase').filter(
    (name) => !own.includes(name) || parts.some((part) => part.name === name && !part.folds),
  )
  if (exact.length > 0) {
    refuse(
      `ignoreCase has ${quoteNames(exact)}, which by and the key do not have in lower case alone`,
      `leave it out, or write \${${exact[0]}:lower} in the key`,
      'P01',
    )
  }
  if (order !== 'served' && order !== 'bucket') {
    const fix = next === undefined || next === range ? 'leave range out' : `use range: '${next}'`
    refuse(
      `the sort key ${printParts(use.sort)} is not ordered by "${range}" after the part that is fixed`,
      fix,
      'P11',
    )
  }
  return use
}
