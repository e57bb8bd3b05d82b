import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import type { Comparator, Condition, Operand } from '../tree.ts'
import { conditionSteps, evaluateCondition } from './evaluate-condition.ts'

const name = fc.constantFrom('a', 'b', 'c')
const scalar: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.constantFrom('0', '1', '2', '-1').map((N) => ({ N })),
  fc.constantFrom('', 'a', 'ab', 'b').map((S) => ({ S })),
  fc.constantFrom('AA==', 'AAE=').map((B) => ({ B })),
  fc.boolean().map((BOOL) => ({ BOOL })),
)
const value: fc.Arbitrary<AttributeValue> = fc.oneof(
  scalar,
  fc.uniqueArray(fc.constantFrom('a', 'b'), { minLength: 1 }).map((SS) => ({ SS })),
  fc.array(scalar, { maxLength: 2 }).map((L) => ({ L })),
  fc.dictionary(name, scalar, { maxKeys: 2 }).map((M) => ({ M })),
)
const item: fc.Arbitrary<Item> = fc.dictionary(name, value, { maxKeys: 3 })

const operand: fc.Arbitrary<Operand> = fc.oneof(
  name.map((top) => ({ kind: 'path' as const, path: [top] as const })),
  fc.tuple(name, name).map((path) => ({ kind: 'path' as const, path })),
  value.map((content) => ({ kind: 'value' as const, value: content })),
  name.map((top) => ({
    kind: 'size' as const,
    operand: { kind: 'path' as const, path: [top] as const },
  })),
)
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    operator: fc.constantFrom<Comparator>('=', '<>', '<', '<=', '>', '>='),
    left: operand,
    right: operand,
  }),
  fc.record({ kind: fc.constant('between' as const), operand, low: operand, high: operand }),
  fc.record({
    kind: fc.constant('in' as const),
    operand,
    list: fc.array(operand, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('contains' as const), operand, search: operand }),
  fc.record({ kind: fc.constant('begins_with' as const), operand, prefix: operand }),
  fc.record({ kind: fc.constant('exists' as const), path: fc.tuple(name), negated: fc.boolean() }),
)
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      left: tie('condition'),
      right: tie('condition'),
    }),
    fc.record({ kind: fc.constant('not' as const), condition: tie('condition') }),
  ),
}))

const not = (inner: Condition): Condition => ({ kind: 'not', condition: inner })
const and = (left: Condition, right: Condition): Condition => ({ kind: 'and', left, right })
const or = (left: Condition, right: Condition): Condition => ({ kind: 'or', left, right })

describe('conditions', () => {
  it('obey the laws of logic', () => {
    fc.assert(
      fc.property(condition, condition, item, (a, b, subject) => {
        const holds = (any: Condition) => evaluateCondition(any, subject)
        expect(holds(not(a))).toBe(!holds(a))
        expect(holds(not(not(a)))).toBe(holds(a))
        expect(holds(and(a, b))).toBe(holds(a) && holds(b))
        expect(holds(or(a, b))).toBe(holds(a) || holds(b))
        expect(holds(and(a, b))).toBe(holds(and(b, a)))
        expect(holds(or(a, b))).toBe(holds(or(b, a)))
        expect(holds(not(and(a, b)))).toBe(holds(or(not(a), not(b))))
        expect(holds(not(or(a, b)))).toBe(holds(and(not(a), not(b))))
      }),
      { numRuns: 1000 },
    )
  })

  it('relate the comparators to each other', () => {
    fc.assert(
      fc.property(operand, operand, operand, item, (left, right, third, subject) => {
        const compare = (one: Operand, operator: Comparator, other: Operand) =>
          evaluateCondition({ kind: 'compare', operator, left: one, right: other }, subject)
        expect(compare(left, '<>', right)).toBe(!compare(left, '=', right))
        expect(compare(left, '=', right)).toBe(compare(right, '=', left))
        expect(compare(left, '<', right)).toBe(compare(right, '>', left))
        expect(compare(left, '<=', right)).toBe(compare(right, '>=', left))
        if (compare(left, '<', right)) {
          expect(compare(left, '<=', right)).toBe(true)
          expect(compare(left, '=', right)).toBe(false)
          expect(compare(left, '>=', right)).toBe(false)
        }
        const list = [right, third]
        expect(evaluateCondition({ kind: 'in', operand: left, list }, subject)).toBe(
          compare(left, '=', right) || compare(left, '=', third),
        )
        const between: Condition = { kind: 'between', operand: left, low: right, high: third }
        expect(evaluateCondition(between, subject)).toBe(
          compare(left, '>=', right) && compare(left, '<=', third),
        )
      }),
      { numRuns: 2000 },
    )
  })

  it('are the same in steps, of which each comparison is one', () => {
    fc.assert(
      fc.property(condition, item, (any, subject) => {
        const steps = conditionSteps(any, subject)
        let count = 0
        let step = steps.next()
        for (; step.done !== true; step = steps.next()) count++
        expect(step.value).toBe(evaluateCondition(any, subject))
        expect(count).toBeLessThanOrEqual(comparisonsOf(any))
      }),
      { numRuns: 1000 },
    )
  })
})

function comparisonsOf(any: Condition): number {
  switch (any.kind) {
    case 'not':
      return comparisonsOf(any.condition)
    case 'and':
    case 'or':
      return comparisonsOf(any.left) + comparisonsOf(any.right)
    case 'in':
      return any.list.length
    default:
      return 1
  }
}
