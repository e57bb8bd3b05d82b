import { IN_OPERANDS_MAX, PATH_DEPTH_MAX } from '../expression/limits.ts'
import type { Comparator } from '../expression/tree.ts'
import type { Reference, SizeReference } from './reference.ts'
import { handOut, toOperand } from './references.ts'
import { refuseInput } from './refuse-input.ts'
import type { Where } from './where.ts'

const TYPE_TAGS: ReadonlySet<unknown> = new Set([
  'S',
  'N',
  'B',
  'BOOL',
  'NULL',
  'SS',
  'NS',
  'BS',
  'L',
  'M',
])

type Operator = (...operands: readonly unknown[]) => Where

type ComparisonName = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'between' | 'in'

export type Operators = {
  readonly [TName in
    | ComparisonName
    | 'beginsWith'
    | 'contains'
    | 'exists'
    | 'notExists'
    | 'attributeType'
    | 'and'
    | 'or'
    | 'not']: Operator
} & {
  readonly size: (
    reference: unknown,
  ) => SizeReference & { readonly [TName in ComparisonName]: Operator }
}

function comparison(name: ComparisonName, operator: Comparator): Operator {
  return (first, second) => {
    const left = operandOf(name, first)
    const right = operandValue(name, left, second)
    return Object.freeze({ kind: 'compare', operator, left, right })
  }
}

/** Comparisons of `op`, which are also methods of `op.size(…)`. */
const comparisons: { readonly [TName in ComparisonName]: Operator } = {
  eq: comparison('eq', '='),
  ne: comparison('ne', '<>'),
  lt: comparison('lt', '<'),
  lte: comparison('lte', '<='),
  gt: comparison('gt', '>'),
  gte: comparison('gte', '>='),
  between(first, low, high) {
    const left = operandOf('between', first)
    return Object.freeze({
      kind: 'between',
      left,
      low: operandValue('between', left, low),
      high: operandValue('between', left, high),
    })
  },
  in(first, list) {
    const left = operandOf('in', first)
    if (!Array.isArray(list) || list.length === 0 || list.length > IN_OPERANDS_MAX) {
      refuse('in', left, `needs a list of 1 to ${IN_OPERANDS_MAX} values`)
    }
    // A sparse list has holes, which `from` gives as the undefined they are.
    const values = Array.from(list, (value) => operandValue('in', left, value))
    return Object.freeze({ kind: 'in', left, values: Object.freeze(values) })
  },
}

/** What `op.size(…)` has besides being an operand: `op.size(attr.tags).gt(3)`. */
const sizeMethods: object = Object.freeze(
  Object.fromEntries(
    Object.entries(comparisons).map(([name, operator]) => [
      name,
      function (this: unknown, ...operands: unknown[]): Where {
        return operator(this, ...operands)
      },
    ]),
  ),
)

/** The `op` of callbacks: makes conditions of references and values, and refuses what can't be one on the spot. */
export const operators: Operators = Object.freeze<Operators>({
  ...comparisons,
  beginsWith(first: unknown, prefix: unknown) {
    const reference = referenceOf('beginsWith', first)
    operandValue('beginsWith', reference, prefix)
    return Object.freeze({ kind: 'begins', reference, prefix })
  },
  contains(first: unknown, value: unknown) {
    const reference = referenceOf('contains', first)
    operandValue('contains', reference, value)
    return Object.freeze({ kind: 'contains', reference, value })
  },
  exists: (first: unknown) => existence('exists', first, false),
  notExists: (first: unknown) => existence('notExists', first, true),
  attributeType(first: unknown, type: unknown) {
    const reference = referenceOf('attributeType', first)
    if (typeof type !== 'string' || !TYPE_TAGS.has(type)) {
      refuse('attributeType', reference, `needs one of ${[...TYPE_TAGS].join(' ')}`)
    }
    return Object.freeze({ kind: 'type', reference, type })
  },
  size(first: unknown) {
    const size = { kind: 'size', of: referenceOf('size', first) } as const
    return handOut(Object.freeze(Object.setPrototypeOf(size, sizeMethods)))
  },
  and: (...conditions: readonly unknown[]) => combine('and', conditions),
  or: (...conditions: readonly unknown[]) => combine('or', conditions),
  not: (condition: unknown) =>
    Object.freeze({ kind: 'not', condition: conditionOf('not', condition) }),
})

function combine(kind: 'and' | 'or', list: readonly unknown[]): Where {
  const conditions = list.map((condition) => conditionOf(kind, condition))
  const [first] = conditions
  if (first === undefined) return refuse(kind, undefined, 'needs a condition')
  if (conditions.length === 1) return first
  return Object.freeze({ kind, conditions: Object.freeze(conditions) })
}

function existence(name: string, first: unknown, negated: boolean): Where {
  return Object.freeze({ kind: 'exists', reference: referenceOf(name, first), negated })
}

function conditionOf(name: string, value: unknown): Where {
  // Conditions are made by the functions above; one that was put together elsewhere is looked at again when it is compiled.
  if (typeof value === 'object' && value !== null && 'kind' in value) return value as Where
  return refuse(name, undefined, 'needs conditions, as op.eq(attr.name, value) gives them')
}

function operandOf(name: string, value: unknown): Reference | SizeReference {
  const operand = toOperand(value, `op.${name}()`)
  if (operand === undefined) {
    return refuse(name, undefined, 'needs an attribute first, as in attr.name')
  }
  if (operand.kind === 'reference' && operand.path.length > PATH_DEPTH_MAX) {
    refuse(name, operand, `is more than ${PATH_DEPTH_MAX} levels deep`)
  }
  return operand
}

function referenceOf(name: string, value: unknown): Reference {
  const operand = operandOf(name, value)
  return operand.kind === 'reference' ? operand : refuse(name, operand, 'is a size, no attribute')
}

/** A value to compare with; another attribute is unwrapped. */
function operandValue(name: string, left: Reference | SizeReference, value: unknown): unknown {
  if (value === undefined) refuse(name, left, 'is compared with undefined')
  return toOperand(value, `op.${name}()`) ?? value
}

function refuse(
  name: string,
  operand: Reference | SizeReference | undefined,
  message: string,
): never {
  const reference = operand?.kind === 'size' ? operand.of : operand
  const path = reference === undefined ? [] : [reference.name]
  const place = `op.${name}()`
  refuseInput(
    [{ path, message: reference === undefined ? `${place} ${message}` : message }],
    place,
    'give the operator what it needs, or leave the condition out',
  )
}
