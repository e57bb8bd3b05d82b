import { type KeyPlan, type Pattern, planPattern, type Schema } from 'singletable/tools'
import type { KeyTest, RequestShape } from './request-shape.ts'

/**
 * The declared pattern that a request was sent for: the one that was called, or one whose plan asks
 * the same of the same keys. Undefined if there is none.
 */
export function matchPattern(schema: Schema, shape: RequestShape): string | undefined {
  const { pattern } = shape
  if (pattern !== null) return schema.patterns.has(pattern) ? pattern : undefined
  return matchingPatterns(schema, shape)[0]
}

/** The declared patterns whose plan asks the same of the same keys. */
export function matchingPatterns(schema: Schema, shape: RequestShape): readonly string[] {
  return [...schema.patterns.values()].flatMap((each) => (isMatch(each, shape) ? [each.name] : []))
}

function isMatch(pattern: Pattern, shape: RequestShape): boolean {
  const { definition, models } = pattern
  const { operation, verb, entity } = shape
  const isEntity = models.some(({ name }) => name === entity)
  switch (definition.op) {
    case 'query':
      return operation === 'Query' && (entity === null || isEntity) && isQuery(pattern, shape)
    case 'scan':
      return operation === 'Scan' && (models.length === 0 || isEntity)
    case 'get':
      return verb === (definition.unique ? 'getByUnique' : 'get') && isEntity
    case 'batchGet':
    case 'create':
    case 'put':
    case 'delete':
      return verb === definition.op && isEntity
    case 'update':
      return (
        verb === (definition.creates ? 'upsert' : 'update') && isEntity && isUpdate(pattern, shape)
      )
    default:
      return false
  }
}

function isQuery(pattern: Pattern, { index, key, filtered }: RequestShape): boolean {
  const { index: planned, key: plan } = planPattern(pattern)
  if ((index ?? 'primary') !== planned) return false
  const names = Object.keys(plan ?? {})
  if (names.length !== key.length) return false
  const isSameKey = Object.entries(plan ?? {}).every(([name, condition]) => {
    const test = key.find((each) => each.name === name)
    return test !== undefined && isPlanned(condition, test, pattern)
  })
  return isSameKey && isSameFilter(pattern, filtered)
}

/** Whether a condition is one that the plan makes of some input. */
function isPlanned(plan: KeyPlan, { operator, values }: KeyTest, pattern: Pattern): boolean {
  const [text = '', other = ''] = values.map(skeleton)
  if ('eq' in plan) return operator === '=' && text === skeleton(plan.eq)
  const hasRange = 'range' in pattern.definition && pattern.definition.range !== undefined
  const head =
    'beginsWith' in plan
      ? skeleton(plan.beginsWith)
      : skeleton(plan.else?.beginsWith ?? headOf(plan.between))
  if (operator === 'begins_with') {
    return text === head || (hasRange && text === `${head}${VALUE}`)
  }
  if ('beginsWith' in plan) return false
  // Of a range one bound can be left out; of several entities it goes from the first of their heads
  // to the last.
  const bounds = plan.between.map((each) => skeleton(each.replace(/\u{10FFFF}$/u, '')))
  const isBound = (each: string): boolean => bounds.includes(each) || (hasRange && each === head)
  return operator === 'BETWEEN' ? isBound(text) && isBound(other) : hasRange && isBound(text)
}

/** What the bounds of a range begin with. */
function headOf([low]: readonly [string, string]): string {
  return low.replace(/\$\{[^}]*\.(?:from|to|gt|lt|beginsWith)(?::[^}]*)?\}.*$/s, '')
}

const VALUE = '\0'

/** A key text with a mark in place of each value. */
function skeleton(text: string): string {
  return text.replace(/\$\{[^}]*\}/g, VALUE)
}

/** The same attributes are looked at. */
function isSameFilter(
  { definition, filter, models }: Pattern,
  filtered: readonly string[],
): boolean {
  const [model] = models
  if (model === undefined) return false
  const storedOf = (tests: typeof filter): readonly (string | undefined)[] =>
    tests.map(({ attribute }) => model.attributes.get(attribute)?.stored)
  const isAsked = (test: (typeof filter)[number]): boolean =>
    !test.operands.some(({ optional }) => optional)
  // Where keys answer a range only in part, a filter decides the rest.
  const { range = '' } = definition as { readonly range?: string }
  const others = filtered.filter((name) => name !== model.attributes.get(range)?.stored)
  return (
    storedOf(filter.filter(isAsked)).every((name) => name && others.includes(name)) &&
    others.every((name) => storedOf(filter).includes(name))
  )
}

/** Nothing is changed but what the pattern changes, keys that follow from it, and what every update
 * changes. */
function isUpdate({ definition, models }: Pattern, { changed, operation }: RequestShape): boolean {
  const [model] = models
  if (definition.op !== 'update' || model === undefined) return false
  if (operation === 'TransactWriteItems') return true
  const { set = [], add = [], remove = [] } = definition
  const own = new Set([...set, ...add, ...remove].map((name) => model.attributes.get(name)?.stored))
  const kept = [
    ...model.derived.map(({ name }) => name),
    ...[model.updatedAt, model.version].flatMap((each) => (each ? [each.stored] : [])),
  ]
  return (
    changed.some((name) => own.has(name)) &&
    changed.every((name) => own.has(name) || kept.includes(name))
  )
}
