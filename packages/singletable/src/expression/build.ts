import type { AttributeValue } from '../values/attribute-value.ts'
import type { Comparator, Condition } from './tree.ts'

/** All of them, as one condition; `undefined` if there is none. */
export function allOf(conditions: readonly Condition[]): Condition | undefined {
  return joined('and', conditions)
}

/** One of them at least; `undefined` if there is none. */
export function anyOf(conditions: readonly Condition[]): Condition | undefined {
  return joined('or', conditions)
}

/** From left to right, as expressions without parentheses are read. */
function joined(kind: 'and' | 'or', conditions: readonly Condition[]): Condition | undefined {
  let whole: Condition | undefined
  const add = (right: Condition): void => {
    whole = whole ? { kind, left: whole, right } : right
  }
  for (const condition of conditions) {
    if (condition.kind === kind) partsOf(kind, condition).forEach(add)
    else add(condition)
  }
  return whole
}

/** What a condition combines by `and`, or by `or`, from left to right; iterative, since the tree
 * may be as deep as the expression is long. */
export function partsOf(kind: 'and' | 'or', condition: Condition | undefined): Condition[] {
  const parts: Condition[] = []
  const open = condition === undefined ? [] : [condition]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === kind) open.push(next.right, next.left)
    else parts.push(next)
  }
  return parts
}

/** A comparison of an attribute with a value. */
export function compare(name: string, operator: Comparator, value: AttributeValue): Condition {
  return {
    kind: 'compare',
    operator,
    left: { kind: 'path', path: [name] },
    right: { kind: 'value', value },
  }
}

/** That there is such an attribute, or none. */
export function exists(name: string, negated = false): Condition {
  return { kind: 'exists', path: [name], negated }
}
