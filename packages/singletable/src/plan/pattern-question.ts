import { isPlain } from '../schema/compile-filter.ts'
import { ownValue } from '../schema/index-keys.ts'
import type { FilterTest, Model, Pattern } from '../schema/model.ts'
import { type AskedQuery, RANGE_BOUNDS } from '../schema/pattern-definition.ts'
import type { TypeTag } from '../values/attribute-value.ts'
import { combine, operators } from './operators.ts'
import type { Asked } from './read/choose-index.ts'
import { splitConjuncts } from './read/conjuncts.ts'
import { InputValue } from './read/input-value.ts'
import { referencesOf, toReference } from './references.ts'
import type { Scope } from './scope.ts'
import { NEW_QUERY } from './state.ts'
import type { Where } from './where.ts'

/** The operators that the bounds of a range stand for. */
const RANGE_OPERATORS = {
  from: 'gte',
  to: 'lte',
  gt: 'gt',
  lt: 'lt',
  beginsWith: 'beginsWith',
} as const

/**
 * What a query of one entity asks: the key of `by`, unless its scope asks for it already, the
 * range, the filter.
 */
export function conditionsOf(
  { definition, models: [model], filter }: Pattern,
  input: object,
  scope: Scope | undefined,
): Where[] {
  // The attributes' names were checked with the schema.
  const references = referencesOf(model!) as { readonly [name: string]: unknown }
  const { by, in: listed = [], ignoreCase, range } = definition as AskedQuery
  const conditions = [...by, ...listed]
    .filter((name) => !scope?.values.has(name))
    .map((name) => {
      const value = ownValue(input, name)
      // Of a pattern that is not called yet, one value stands for the list.
      return listed.includes(name) && Array.isArray(value)
        ? operators.in(references[name], value)
        : keyCondition(references[name], name, value, ignoreCase)
    })
  const value = range === undefined ? undefined : ownValue(input, range)
  if (isPlain(value)) {
    for (const bound of RANGE_BOUNDS) {
      if (Object.hasOwn(value, bound)) {
        conditions.push(
          operators[RANGE_OPERATORS[bound]](references[range!], ownValue(value, bound)),
        )
      }
    }
  } else if (value !== undefined) conditions.push(operators.eq(references[range!], value))
  return [...conditions, ...filterConditions(filter, references, input)]
}

/** What a filter asks: all of it, but for what is optional and not given. */
export function filterConditions(
  filter: readonly FilterTest[],
  references: { readonly [name: string]: unknown },
  input: object,
): Where[] {
  const isGiven = ({ operands }: FilterTest): boolean =>
    operands.every((each) => !each.optional || ownValue(input, each.input) !== undefined)
  return filter.filter(isGiven).map(({ attribute, operator, operands, whole }) => {
    const values = operands.map((each) =>
      each.input === undefined ? each.value : ownValue(input, each.input),
    )
    const reference = references[attribute]
    if (operator === 'exists') return operators[values[0] ? 'exists' : 'notExists'](reference)
    if (operator === 'in') return operators.in(reference, whole ? values[0] : values)
    return operators[operator](reference, ...values)
  })
}

/** All that a range can ask of an attribute, with names of its bounds in place of values. */
export function rangeConditions(reference: unknown, range: string): readonly Where[] {
  const { tag } = toReference(reference)!.codec
  const bounds = boundsOf(tag)
  if (tag === 'S') bounds.push('beginsWith')
  return bounds.map((bound) =>
    operators[RANGE_OPERATORS[bound]](reference, new InputValue(`${range}.${bound}`)),
  )
}

/** The bounds of a range that say most. Of lists, a key shows only how they begin. */
function boundsOf(tag: TypeTag | undefined): (keyof typeof RANGE_OPERATORS)[] {
  return tag === 'L' ? ['beginsWith'] : ['from', 'to']
}

/**
 * The members of a pattern's input that every call gives, or all of them, by their names in place
 * of values.
 */
export function namedInput(
  { input: members, filter }: Pick<Pattern, 'input' | 'filter'>,
  isWhole = false,
): { [member: string]: unknown } {
  const optional = new Set(
    filter.flatMap(({ operands }) => operands.map((each) => each.optional && each.input)),
  )
  const input: { [member: string]: unknown } = {}
  for (const [name, isNeeded] of members ?? []) {
    if (isNeeded || isWhole || !optional.has(name)) input[name] = new InputValue(name)
  }
  for (const { operands, whole } of filter) {
    const { input: name = '' } = operands[0] ?? {}
    if (whole && input[name] !== undefined) input[name] = [input[name]]
  }
  return input
}

/**
 * The condition that a member of `by` makes: equality, as in every query, unless case is ignored.
 */
export function keyCondition(
  reference: unknown,
  name: string,
  value: unknown,
  ignoreCase: readonly string[] = [],
): Where {
  return operators[ignoreCase.includes(name) ? 'ignoreCase' : 'eq'](reference, value)
}

/** What is known of a call of a pattern. */
export interface PatternCall {
  readonly input?: object | undefined
  /** The range is asked for by its values. */
  readonly isReal?: boolean
  readonly withRange?: boolean
  readonly now?: number | undefined
}

/**
 * What a query pattern asks, with names of its input's members in place of values. With an input,
 * its range is that of this call; without one, it is asked for whole where `withRange` is set, and
 * else only where the pattern needs it.
 */
export function askedByPattern(pattern: Pattern, options: PatternCall): Asked {
  const { models } = pattern
  const { by, range, ignoreCase, index = 'primary' } = pattern.definition as AskedQuery
  const { withRange, now } = options
  const input = namedInput(pattern)
  const { in: listed = [] } = pattern.definition as AskedQuery
  for (const name of options.isReal ? listed : []) {
    input[name] = ownValue(options.input!, name) ?? input[name]
  }
  if (range !== undefined) {
    const given = options.input && ownValue(options.input, range)
    const isAsked = withRange || pattern.input?.get(range)
    const { tag } = models[0]!.attributes.get(range)!.codec
    const bounds = isPlain(given) ? Object.keys(given) : isAsked ? boundsOf(tag) : []
    if (options.isReal && given !== undefined) input[range] = given
    else if (given === undefined || isPlain(given)) {
      input[range] = Object.fromEntries(
        bounds.map((bound) => [bound, new InputValue(`${range}.${bound}`)]),
      )
    }
  }
  const whereOf = (model: Model): Where | undefined => {
    if (models.length === 1) return allOf(conditionsOf(pattern, input, undefined))
    const references = referencesOf(model) as { readonly [name: string]: unknown }
    return allOf(
      by
        .filter((name) => Object.hasOwn(references, name))
        .map((name) => keyCondition(references[name], name, input[name], ignoreCase)),
    )
  }
  const members = models.map((model) => ({ model, conjuncts: splitConjuncts(whereOf(model)) }))
  const [{ model, conjuncts }] = members as unknown as Asked['members']
  return {
    state: { ...NEW_QUERY, model, where: conjuncts.where, index },
    members: members as unknown as Asked['members'],
    isPattern: true,
    place: {
      text: `pattern "${pattern.name}"`,
      warn: undefined,
      ...(models.length === 1 && { now: () => now }),
    },
  }
}

function allOf(conditions: readonly Where[]): Where | undefined {
  return conditions.length > 0 ? combine('AND', conditions) : undefined
}
