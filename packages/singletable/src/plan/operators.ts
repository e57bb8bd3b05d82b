import { kindOfValue } from '../errors/show-value.ts'
import { IN_OPERANDS_MAX, OPERATORS_MAX, PATH_DEPTH_MAX } from '../expression/limits.ts'
import { addIssue, refuseInput } from '../schema/input-issues.ts'
import type { Codec } from '../schema/model.ts'
import { isInput } from './read/input-value.ts'
import type { Reference } from './reference.ts'
import { elementCodec, registerOperand, toOperand } from './references.ts'
import type { Operator, Where } from './where.ts'

const OPERATORS = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  between: 'BETWEEN',
  in: 'IN',
  beginsWith: 'begins_with',
  ignoreCase: 'ignore_case',
  contains: 'contains',
  exists: 'attribute_exists',
  notExists: 'attribute_not_exists',
  attributeType: 'attribute_type',
  and: 'AND',
  or: 'OR',
  not: 'NOT',
} as const

type Operate = (...operands: readonly unknown[]) => Where

type Methods = { readonly [TName in keyof typeof OPERATORS]: Operate }

export type Operators = Methods & { readonly size: (reference: unknown) => Reference & Methods }

/**
 * What can be asked of values that are stored in another form: their order and their parts are
 * lost.
 */
const TRANSFORMED: readonly Operator[] = [
  '=',
  '<>',
  'IN',
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
]

const TYPE_TAGS = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M']

/** Conditions are only what was made here: data from outside never has the private member. */
class Condition implements Where {
  readonly operator: Operator
  readonly operands: readonly unknown[]
  readonly count: number
  readonly #made = true

  constructor(operator: Operator, operands: readonly unknown[], count: number) {
    this.operator = operator
    this.operands = Object.freeze(operands)
    this.count = count
    Object.freeze(this)
  }

  static is(value: unknown): value is Condition {
    return typeof value === 'object' && value !== null && #made in value
  }
}

export function isWhere(value: unknown): value is Where {
  return Condition.is(value)
}

/** Functions have names in small letters, which come after all other signs. */
export function isFunction(operator: Operator): boolean {
  return operator > 'a'
}

export function isLogical(operator: Operator): operator is 'AND' | 'OR' {
  return operator === 'AND' || operator === 'OR'
}

export function createWhere(operator: Operator, operands: readonly unknown[]): Where {
  // Kept in each condition: counting the whole tree again for every and() would take quadratic
  // time.
  let count = isFunction(operator) ? 0 : isLogical(operator) ? operands.length - 1 : 1
  for (const operand of operands) if (isWhere(operand)) count += operand.count
  return new Condition(operator, operands, count)
}

/** Both must hold. */
export function combine(operator: 'AND' | 'OR', conditions: readonly Where[]): Where {
  const [first] = conditions
  if (first && conditions.length === 1) return first
  const operands: unknown[] = []
  for (const each of conditions) {
    if (each.operator === operator) operands.push(...each.operands)
    else operands.push(each)
  }
  return createWhere(operator, operands)
}

export function refuseLong(place: string): never {
  return refuseInput(
    `the condition has more than ${OPERATORS_MAX} operators`,
    place,
    'split the call, or use in() for many values',
  )
}

function refuse(name: string, message: string, reference?: Reference): never {
  const place = `op.${name}()`
  return refuseInput(
    [
      reference
        ? { path: [reference.name], message }
        : { path: [], message: `${place} ${message}` },
    ],
    place,
    'give the operator what it needs, or leave the condition out',
  )
}

function referenceOf(name: string, value: unknown, sizes: boolean): Reference {
  const reference =
    toOperand(value, `op.${name}()`) ??
    refuse(name, `needs an attribute first, as in attr.name, not ${kindOfValue(value)}`)
  if (!sizes && reference.kind === 'size') refuse(name, 'is a size, not an attribute', reference)
  if (reference.path.length > PATH_DEPTH_MAX) {
    refuse(name, `is more than ${PATH_DEPTH_MAX} levels deep`, reference)
  }
  return reference
}

/**
 * Of conditions. What is negated twice is the condition itself, and a negated test for existence is
 * the opposite test.
 */
function logical(name: string, operator: 'AND' | 'OR' | 'NOT'): Operate {
  return (...given) => {
    const conditions = given.map((value) =>
      isWhere(value) ? value : refuse(name, 'needs conditions, such as op.eq(attr.name, value)'),
    )
    const first = conditions[0] ?? refuse(name, 'needs a condition')
    if (operator !== 'NOT') {
      const where = combine(operator, conditions)
      // More than a filter can have even if keys answer some of it; so no condition is too large to
      // look through.
      return where.count > 2 * OPERATORS_MAX ? refuseLong(`op.${name}()`) : where
    }
    if (first.operator === 'NOT') return first.operands[0] as Where
    if (first.operator === 'attribute_exists') {
      return createWhere('attribute_not_exists', first.operands)
    }
    return first.operator === 'attribute_not_exists'
      ? createWhere('attribute_exists', first.operands)
      : createWhere('NOT', [first])
  }
}

/** Of a reference and what it is compared with; another attribute is unwrapped. */
function comparison(name: string, operator: Operator): Operate {
  const arity = operator === 'BETWEEN' ? 2 : operator.endsWith('exists') ? 0 : 1
  return (first, ...given) => {
    const reference = referenceOf(name, first, !isFunction(operator))
    if (reference.codec.transformed && !TRANSFORMED.includes(operator)) {
      refuse(
        name,
        'is stored as its set() returns it, so only eq, ne, in and exists can compare it',
        reference,
      )
    }
    let values: readonly unknown[] = given
    if (given.length !== arity) values = Array.from({ length: arity }, (_, index) => given[index])
    if (operator === 'IN') {
      const [list] = given
      if (!Array.isArray(list) || list.length > IN_OPERANDS_MAX) {
        return refuse(name, `needs a list of up to ${IN_OPERANDS_MAX} values`, reference)
      }
      // A sparse list has holes, which `from` gives as the undefined they are.
      values = Array.from(list)
    }
    if (operator === 'begins_with' && reference.codec.tag === 'L') {
      // A pattern knows only the name of all elements.
      const elements = isInput(given[0]) ? [given[0]] : given[0]
      if (Array.isArray(elements)) return firstElements(name, reference, elements)
    }
    if (operator === 'ignore_case' && typeof given[0] !== 'string' && !isInput(given[0])) {
      refuse(name, 'needs a string', reference)
    }
    if (operator === 'attribute_type' && !TYPE_TAGS.includes(String(given[0]))) {
      refuse(name, `needs one of ${TYPE_TAGS.join(' ')}`, reference)
    }
    const operands = values.map((value) =>
      value === undefined
        ? refuse(name, 'is compared with undefined', reference)
        : (toOperand(value, `op.${name}()`) ?? value),
    )
    if (operands.length < IN_OPERANDS_MAX) return createWhere(operator, [reference, ...operands])
    // DynamoDB counts the operand before IN, too, so the hundredth value needs its own comparison.
    return createWhere('OR', [
      createWhere(operator, [reference, ...operands.slice(1)]),
      createWhere('=', [reference, operands[0]]),
    ])
  }
}

/** DynamoDB compares no beginnings of lists, so each element is compared. */
function firstElements(operator: string, list: Reference, elements: readonly unknown[]): Where {
  const { name, path, codec } = list
  if (elements.length === 0) refuse(operator, 'needs a first element', list)
  const conditions = Array.from(elements, (element, position) =>
    methods.eq!(
      registerOperand({
        kind: 'reference',
        name: `${name}[${position}]`,
        path: [...path, position],
        codec: elementCodec(codec),
      }),
      element,
    ),
  )
  const where = combine('AND', conditions)
  return where.count > 2 * OPERATORS_MAX ? refuseLong(`op.${operator}()`) : where
}

const SIZE: Codec = {
  tag: 'N',
  encode(value, issues) {
    return Number.isSafeInteger(value)
      ? { N: String(value) }
      : addIssue(issues, 'has a size, which is compared with a whole number')
  },
  decode: (value) => Number(value.N),
}

const methods: { [name: string]: Operate } = {}
/** What `op.size(…)` has besides being an operand: `op.size(attr.tags).gt(3)`. */
const sizeMethods: { [name: string]: Operate } = {}
for (const [name, operator] of Object.entries(OPERATORS)) {
  const operate =
    isLogical(operator) || operator === 'NOT' ? logical(name, operator) : comparison(name, operator)
  methods[name] = operate
  sizeMethods[name] = function (this: unknown, ...operands) {
    return operate(this, ...operands)
  }
}

/**
 * The `op` of callbacks: makes conditions of references and values, and refuses what can't be one
 * on the spot.
 */
export const operators: Operators = Object.freeze({
  // The loop above makes one of each name.
  ...(methods as Methods),
  size(first: unknown) {
    const reference = referenceOf('size', first, false)
    const { name, path, codec } = reference
    if (codec.unstored) refuse('size', 'is not stored', reference)
    if (codec.transformed)
      refuse('size', 'is stored in another form, which has another size', reference)
    const size = { kind: 'size', name, path, codec: SIZE }
    return registerOperand(Object.setPrototypeOf(size, sizeMethods))
  },
})
