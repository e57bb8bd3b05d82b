import { isPlain } from '../schema/compile-filter.ts'
import { ownValue } from '../schema/index-keys.ts'
import type { ModelIndex, Pattern } from '../schema/model.ts'
import { RANGE_BOUNDS } from '../schema/pattern-definition.ts'
import { combine, operators } from './operators.ts'
import { type Gap, gapsOf, INPUT } from './read/completeness.ts'
import { referencesOf } from './references.ts'
import type { Scope } from './scope.ts'
import type { Where } from './where.ts'

/** The operators that the bounds of a range stand for. */
const RANGE_OPERATORS = {
  from: 'gte',
  to: 'lte',
  gt: 'gt',
  lt: 'lt',
  beginsWith: 'beginsWith',
} as const

/** What a query of one entity asks: the key of `by`, unless its scope asks for it already, the range, the filter. */
export function conditionsOf(
  { definition, models: [model], use, filter }: Pattern,
  input: object,
  scope: Scope | undefined,
): Where[] {
  // The attributes' names were checked with the schema.
  const references = referencesOf(model!) as { readonly [name: string]: unknown }
  const { by, range } = definition as { readonly by: readonly string[]; readonly range?: string }
  const conditions = by
    .filter((name) => !scope?.values.has(name))
    .map((name) => keyCondition(use!, references[name], name, ownValue(input, name)))
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
  for (const { attribute, operator, operands, whole } of filter) {
    const values = operands.map((each) =>
      each.input === undefined ? each.value : ownValue(input, each.input),
    )
    const reference = references[attribute]
    const list = whole ? values[0] : values
    conditions.push(
      operator === 'exists'
        ? operators[values[0] ? 'exists' : 'notExists'](reference)
        : operator === 'in'
          ? operators.in(reference, list)
          : operators[operator](reference, ...values),
    )
  }
  return conditions
}

/**
 * The condition that a value makes of a key: as `get()` does, it asks for the items under the key, so that case is ignored where all of the key is in
 * lower case.
 */
export function keyCondition(
  { hash, sort }: ModelIndex,
  reference: unknown,
  name: string,
  value: unknown,
): Where {
  const parts = [...hash, ...sort].flatMap(
    ({
      template,
      attribute,
    }): readonly { readonly name: string; readonly folds?: boolean | undefined }[] =>
      template?.parts.filter((part) => typeof part !== 'string') ?? [attribute!],
  )
  const own = parts.filter((part) => part.name === name)
  const isFolded = own.length > 0 && own.every(({ folds }) => folds)
  return isFolded && typeof value === 'string'
    ? operators.ignoreCase(reference, value)
    : operators.eq(reference, value)
}

/** Items that a pattern asks for, whatever its input, and that are not in its index. */
export function patternGaps(pattern: Pattern): readonly Gap[] {
  const { definition, models, use, filter } = pattern
  if (definition.op !== 'query' || use === undefined) return []
  const { by, range } = definition
  const input: { [member: string]: unknown } = {}
  for (const [name, isNeeded] of pattern.input ?? []) if (isNeeded) input[name] = INPUT
  for (const { operands, whole } of filter) if (whole) input[operands[0]!.input!] = [INPUT]
  if (range !== undefined && input[range]) input[range] = { from: INPUT }
  if (models.length === 1) {
    return gapsOf(models[0]!, use, combine('AND', conditionsOf(pattern, input, undefined)))
  }
  return models.flatMap((model) => {
    const references = referencesOf(model) as { readonly [name: string]: unknown }
    const conditions = by
      .filter((name) => Object.hasOwn(references, name))
      .map((name) => operators.eq(references[name], INPUT))
    const theirs = model.indexes.find(({ index }) => index === use.index)!
    return gapsOf(
      model,
      theirs,
      conditions.length > 0 ? combine('AND', conditions) : undefined,
    ).map((gap) => ({ ...gap, model: model.name }))
  })
}
