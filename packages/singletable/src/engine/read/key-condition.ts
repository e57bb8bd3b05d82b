import { partsOf } from '../../expression/build.ts'
import type { Comparator, Condition, Operand } from '../../expression/tree.ts'
import type { AttributeValue } from '../../values/attribute-value.ts'
import {
  keyMustBeFirstOperand,
  MANY_NAMES_IN_CONDITION,
  NESTED_ATTRIBUTES,
  NESTED_OPERATIONS,
  NO_KEY_IN_CONDITION,
  ONE_CONDITION_PER_KEY,
  operatorNotForKeys,
} from '../messages/query-messages.ts'
import { validationError } from '../messages/request-messages.ts'

/** What is asked of one key attribute. */
export type KeyTest =
  | { readonly kind: 'compare'; readonly operator: Comparator; readonly value: AttributeValue }
  | { readonly kind: 'between'; readonly low: AttributeValue; readonly high: AttributeValue }
  | { readonly kind: 'begins_with'; readonly prefix: AttributeValue }

/** The tests of a key condition by attribute name. */
export type KeyTests = ReadonlyMap<string, KeyTest>

/** Takes a condition apart into one test per attribute; what key conditions can't say is refused.
 * Doesn't know the key schema yet. */
export function keyTests(condition: Condition): KeyTests {
  const tests = new Map<string, KeyTest>()
  for (const part of partsOf('and', condition)) {
    const found = keyTest(part)
    if (typeof found === 'string') throw validationError(found)
    if (tests.has(found.name)) throw validationError(ONE_CONDITION_PER_KEY)
    tests.set(found.name, found.test)
  }
  return tests
}

/** The values that a test compares with. */
export function testValues(test: KeyTest): AttributeValue[] {
  switch (test.kind) {
    case 'compare':
      return [test.value]
    case 'between':
      return [test.low, test.high]
    case 'begins_with':
      return [test.prefix]
  }
}

/** What a comparison says when its sides change places. */
const MIRRORED: Readonly<Record<Comparator, Comparator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/** What a condition asks of one top-level attribute in a way that a range of keys can answer; else
 * AWS's text on why it can't. */
export function keyTest(
  condition: Condition,
): { readonly name: string; readonly test: KeyTest } | string {
  switch (condition.kind) {
    case 'compare': {
      const { operator, left, right } = condition
      if (operator === '<>') return operatorNotForKeys(operator)
      const problem = operandProblem([left, right])
      if (problem !== undefined) return problem
      if (left.kind === 'path' && right.kind === 'value') {
        return { name: left.path[0], test: { kind: 'compare', operator, value: right.value } }
      }
      if (right.kind === 'path' && left.kind === 'value') {
        const test: KeyTest = { kind: 'compare', operator: MIRRORED[operator], value: left.value }
        return { name: right.path[0], test }
      }
      return NO_KEY_IN_CONDITION
    }
    case 'between': {
      const { operand, low, high } = condition
      const problem = operandProblem([operand, low, high])
      if (problem !== undefined) return problem
      if (operand.kind !== 'path' || low.kind !== 'value' || high.kind !== 'value') {
        return keyMustBeFirstOperand('BETWEEN')
      }
      return { name: operand.path[0], test: { kind: 'between', low: low.value, high: high.value } }
    }
    case 'begins_with': {
      const { operand, prefix } = condition
      const problem = operandProblem([operand, prefix])
      if (problem !== undefined) return problem
      if (operand.kind !== 'path' || prefix.kind !== 'value') {
        return keyMustBeFirstOperand('begins_with')
      }
      return { name: operand.path[0], test: { kind: 'begins_with', prefix: prefix.value } }
    }
    case 'exists':
      return operatorNotForKeys(condition.negated ? 'attribute_not_exists' : 'attribute_exists')
    case 'or':
    case 'not':
    case 'in':
      return operatorNotForKeys(condition.kind.toUpperCase())
    case 'attribute_type':
    case 'contains':
    case 'and':
      return operatorNotForKeys(condition.kind)
  }
}

/** Operands must be values but for one, the name of an attribute. The first of them that is neither
 * is reported. */
function operandProblem(operands: readonly Operand[]): string | undefined {
  let names = 0
  for (const operand of operands) {
    if (operand.kind === 'size') return NESTED_OPERATIONS
    if (operand.kind === 'value') continue
    if (operand.path.length > 1) return NESTED_ATTRIBUTES
    names++
  }
  return names > 1 ? MANY_NAMES_IN_CONDITION : undefined
}
