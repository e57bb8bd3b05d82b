import { OPERATORS_MAX } from '../expression/limits.ts'
import type { Comparator } from '../expression/tree.ts'
import type { Reference } from './reference.ts'
import { toOperand } from './references.ts'
import type { Where } from './where.ts'

/** One of the conditions that must all hold. Those that compare a whole attribute with values can go into a key condition. */
export interface Conjunct {
  readonly where: Where
  /** The attribute, if it is one that keys can answer. */
  readonly reference: Reference | undefined
  readonly operator: Comparator | 'between' | 'begins' | undefined
  /** What it is compared with; the lower bound of `between`. */
  readonly value: unknown
  /** The upper bound of `between`. */
  readonly high: unknown
}

export interface Conjuncts {
  readonly all: readonly Conjunct[]
  /** The first equality for each name. */
  readonly equal: ReadonlyMap<string, Conjunct>
  /** What keys can answer by a range, for each name. */
  readonly ranges: ReadonlyMap<string, readonly Conjunct[]>
}

/** Takes a condition apart where it is an `and`, however deep. */
export function splitConjuncts(where: Where | undefined): Conjuncts {
  const all: Conjunct[] = []
  const equal = new Map<string, Conjunct>()
  const ranges = new Map<string, Conjunct[]>()
  // A stack instead of recursion, because nesting has no limit here.
  const rest = where === undefined ? [] : [where]
  let ands = 0
  while (rest.length > 0) {
    const next = rest.pop()!
    if (next?.kind === 'and' && next.conditions?.length > 0 && ands++ < OPERATORS_MAX) {
      for (let index = next.conditions.length - 1; index >= 0; index--) {
        rest.push(next.conditions[index]!)
      }
      continue
    }
    // What the operators did not make is kept as it is, an `and` of nothing as well, and refused when it is compiled.
    const conjunct = createConjunct(next)
    all.push(conjunct)
    const { operator, reference } = conjunct
    if (reference === undefined || operator === '<>') continue
    const { name } = reference
    if (operator === '=') {
      if (!equal.has(name)) equal.set(name, conjunct)
      continue
    }
    const list = ranges.get(name)
    if (list === undefined) ranges.set(name, [conjunct])
    else list.push(conjunct)
  }
  return { all, equal, ranges }
}

function createConjunct(where: Where): Conjunct {
  switch (where?.kind) {
    case 'compare':
      return about(where, where.left, where.operator, where.right, undefined)
    case 'between':
      return about(where, where.left, 'between', where.low, where.high)
    case 'begins':
      return about(where, where.reference, 'begins', where.prefix, undefined)
    default:
      return about(where, undefined, undefined, undefined, undefined)
  }
}

function about(
  where: Where,
  left: unknown,
  operator: Conjunct['operator'],
  value: unknown,
  high: unknown,
): Conjunct {
  const operand = toOperand(left, 'where()')
  const usable =
    operand?.kind === 'reference' &&
    operand.path.length === 1 &&
    toOperand(value, 'where()') === undefined &&
    toOperand(high, 'where()') === undefined
  return { where, reference: usable ? operand : undefined, operator, value, high }
}
