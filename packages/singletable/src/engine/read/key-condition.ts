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

/** Takes a condition apart into one test per attribute; what key conditions can't say is refused. Doesn't know the key schema yet. */
export function keyTests(condition: Condition): KeyTests {
  const tests = new Map<string, KeyTest>()
  for (const part of conjunction(condition)) {
    const [name, test] = keyTest(part)
    if (tests.has(name)) throw validationError(ONE_CONDITION_PER_KEY)
    tests.set(name, test)
  }
  return tests
}

/** The parts joined by AND, from left to right; iterative, since the tree may be as deep as the expression is long. */
export function conjunction(condition: Condition | undefined): Condition[] {
  const parts: Condition[] = []
  const open = condition === undefined ? [] : [condition]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'and') open.push(next.right, next.left)
    else parts.push(next)
  }
  return parts
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
export const MIRRORED: Readonly<Record<Comparator, Comparator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

function keyTest(condition: Condition): [string, KeyTest] {
  switch (condition.kind) {
    case 'compare': {
      const { operator, left, right } = condition
      if (operator === '<>') throw validationError(operatorNotForKeys(operator))
      const names = [keyName(left), keyName(right)]
      if (names[0] !== undefined && names[1] !== undefined) {
        throw validationError(MANY_NAMES_IN_CONDITION)
      }
      if (names[0] !== undefined) {
        return [names[0], { kind: 'compare', operator, value: constant(right) }]
      }
      if (names[1] !== undefined) {
        return [names[1], { kind: 'compare', operator: MIRRORED[operator], value: constant(left) }]
      }
      throw validationError(NO_KEY_IN_CONDITION)
    }
    case 'between': {
      const { operand, low, high } = condition
      const name = firstOperandName('BETWEEN', [operand, low, high])
      return [name, { kind: 'between', low: constant(low), high: constant(high) }]
    }
    case 'begins_with': {
      const { operand, prefix } = condition
      const name = firstOperandName('begins_with', [operand, prefix])
      return [name, { kind: 'begins_with', prefix: constant(prefix) }]
    }
    case 'exists':
      throw validationError(
        operatorNotForKeys(condition.negated ? 'attribute_not_exists' : 'attribute_exists'),
      )
    case 'or':
    case 'not':
    case 'in':
      throw validationError(operatorNotForKeys(condition.kind.toUpperCase()))
    case 'attribute_type':
    case 'contains':
    case 'and':
      throw validationError(operatorNotForKeys(condition.kind))
  }
}

/** The key attribute that must stand first, with no other attribute behind it. */
function firstOperandName(operator: string, operands: readonly Operand[]): string {
  const named = operands.map(keyName)
  const count = named.filter((name) => name !== undefined).length
  if (count > 1) throw validationError(MANY_NAMES_IN_CONDITION)
  if (named[0] === undefined) throw validationError(keyMustBeFirstOperand(operator))
  return named[0]
}

function keyName(operand: Operand): string | undefined {
  if (operand.kind === 'size') throw validationError(NESTED_OPERATIONS)
  if (operand.kind === 'value') return undefined
  if (operand.path.length > 1) throw validationError(NESTED_ATTRIBUTES)
  return operand.path[0]
}

function constant(operand: Operand): AttributeValue {
  if (operand.kind !== 'value') throw validationError(NO_KEY_IN_CONDITION)
  return operand.value
}
