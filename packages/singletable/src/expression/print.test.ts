import { describe, expect, it } from 'vitest'
import { PrintedPlaceholders, printCondition, printProjection, printUpdate } from './print.ts'
import type { Condition } from './tree.ts'

const exists = (name: string): Condition => ({ kind: 'exists', path: [name], negated: false })
const text = (condition: Condition): string => printCondition(condition, new PrintedPlaceholders())

describe('parentheses', () => {
  const [a, b, c] = [exists('a'), exists('b'), exists('c')]

  it('keep a group on the right apart, and need none on the left', () => {
    const left: Condition = { kind: 'and', left: { kind: 'and', left: a, right: b }, right: c }
    const right: Condition = { kind: 'and', left: a, right: { kind: 'and', left: b, right: c } }
    expect(text(left)).toBe(
      'attribute_exists(#n0) AND attribute_exists(#n1) AND attribute_exists(#n2)',
    )
    expect(text(right)).toBe(
      'attribute_exists(#n0) AND (attribute_exists(#n1) AND attribute_exists(#n2))',
    )
  })

  it('are around OR inside AND, and around both inside NOT', () => {
    const or: Condition = { kind: 'or', left: a, right: b }
    expect(text({ kind: 'and', left: or, right: { kind: 'not', condition: or } })).toBe(
      '(attribute_exists(#n0) OR attribute_exists(#n1)) AND NOT (attribute_exists(#n0) OR attribute_exists(#n1))',
    )
    expect(text({ kind: 'not', condition: { kind: 'not', condition: a } })).toBe(
      'NOT NOT attribute_exists(#n0)',
    )
  })
})

describe('placeholders', () => {
  it('are shared by all expressions of a request: one for a name, one for each value', () => {
    const placeholders = new PrintedPlaceholders()
    expect(
      printUpdate(
        {
          set: [{ path: ['a', 'b', 0], value: { kind: 'value', value: { N: '1' } } }],
          remove: [['__proto__']],
          add: [{ path: ['c'], value: { N: '1' } }],
          delete: [],
        },
        placeholders,
      ),
    ).toBe('SET #n0.#n1[0] = :v0 REMOVE #n2 ADD #n3 :v1')
    expect(printProjection([['b'], ['a', 7]], placeholders)).toBe('#n1, #n0[7]')
    expect(placeholders.names()).toEqual({ '#n0': 'a', '#n1': 'b', '#n2': '__proto__', '#n3': 'c' })
    expect(placeholders.values()).toEqual({ ':v0': { N: '1' }, ':v1': { N: '1' } })
  })

  it('are undefined where there are none, as the service refuses empty maps', () => {
    const placeholders = new PrintedPlaceholders()
    expect(placeholders.names()).toBeUndefined()
    expect(placeholders.values()).toBeUndefined()
  })
})
