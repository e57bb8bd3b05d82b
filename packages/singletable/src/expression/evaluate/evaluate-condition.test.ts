import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import type { Comparator, Condition, Operand, Path } from '../tree.ts'
import { evaluateCondition } from './evaluate-condition.ts'

const at = (...path: Path): Operand => ({ kind: 'path', path })
const value = (content: AttributeValue): Operand => ({ kind: 'value', value: content })
const size = (operand: Operand): Operand => ({ kind: 'size', operand })
const compare = (left: Operand, operator: Comparator, right: Operand): Condition => ({
  kind: 'compare',
  operator,
  left,
  right,
})
const not = (condition: Condition): Condition => ({ kind: 'not', condition })
const contains = (operand: Operand, search: AttributeValue): Condition => ({
  kind: 'contains',
  operand,
  search: value(search),
})
const beginsWith = (operand: Operand, prefix: AttributeValue): Condition => ({
  kind: 'begins_with',
  operand,
  prefix: value(prefix),
})
const type = (operand: Operand, name: string): Condition => ({
  kind: 'attribute_type',
  operand,
  type: value({ S: name }),
})
const exists = (...path: Path): Condition => ({ kind: 'exists', path, negated: false })
const missing = (...path: Path): Condition => ({ kind: 'exists', path, negated: true })
const between = (operand: Operand, low: Operand, high: Operand): Condition => ({
  kind: 'between',
  operand,
  low,
  high,
})
const isIn = (operand: Operand, ...list: Operand[]): Condition => ({ kind: 'in', operand, list })
const bytes = (...content: number[]): string => Buffer.from(content).toString('base64')

const item: Item = {
  n: { N: '5' },
  s: { S: 'abc' },
  emoji: { S: '😀' },
  b: { B: bytes(1, 2, 3, 4) },
  yes: { BOOL: true },
  nil: { NULL: true },
  ss: { SS: ['x', 'y'] },
  ns: { NS: ['1', '2'] },
  bs: { BS: ['AQ=='] },
  l: { L: [{ N: '1' }, { SS: ['p', 'q'] }, { M: { deep: { S: 'found' } } }] },
  m: { M: { k: { S: 'v' }, toString: { N: '7' } } },
}
const holds = (condition: Condition): boolean => evaluateCondition(condition, item)

describe('comparing', () => {
  it('a missing attribute is false, except with <>, even when both sides are missing', () => {
    for (const operator of ['=', '<', '<=', '>', '>='] as const) {
      expect(holds(compare(at('none'), operator, value({ N: '1' })))).toBe(false)
      expect(holds(compare(at('none'), operator, at('nothing')))).toBe(false)
    }
    expect(holds(compare(at('none'), '<>', value({ N: '1' })))).toBe(true)
    expect(holds(compare(at('none'), '<>', at('nothing')))).toBe(true)
    expect(holds(not(compare(at('none'), '=', value({ N: '1' }))))).toBe(true)
  })

  it('different types gives not equal and no order', () => {
    expect(holds(compare(at('n'), '=', value({ S: '5' })))).toBe(false)
    expect(holds(compare(at('n'), '<>', value({ S: '5' })))).toBe(true)
    expect(holds(compare(at('n'), '<', value({ S: '6' })))).toBe(false)
    expect(holds(compare(at('n'), '>=', value({ S: '4' })))).toBe(false)
  })

  it('numbers, strings and binaries follows their orders', () => {
    expect(holds(compare(at('n'), '<', value({ N: '10' })))).toBe(true)
    expect(holds(compare(at('n'), '>=', value({ N: '5' })))).toBe(true)
    expect(holds(compare(at('s'), '>', value({ S: 'ab' })))).toBe(true)
    expect(holds(compare(at('b'), '<=', value({ B: bytes(1, 2, 3) })))).toBe(false)
  })

  it('types without an order is false even for equal values', () => {
    expect(holds(compare(at('yes'), '<=', value({ BOOL: true })))).toBe(false)
    expect(holds(compare(at('l'), '>=', at('l')))).toBe(false)
  })

  it('sets ignores their order', () => {
    expect(holds(compare(at('ss'), '=', value({ SS: ['y', 'x'] })))).toBe(true)
  })
})

describe('BETWEEN and IN', () => {
  it('BETWEEN includes both bounds, which may be paths', () => {
    expect(holds(between(at('n'), value({ N: '5' }), value({ N: '6' })))).toBe(true)
    expect(holds(between(at('n'), at('l', 0), at('n')))).toBe(true)
    expect(holds(between(at('n'), value({ N: '6' }), value({ N: '9' })))).toBe(false)
  })

  it('BETWEEN is false for a missing bound, another type, and a type without an order', () => {
    expect(holds(between(at('n'), value({ N: '1' }), at('none')))).toBe(false)
    expect(holds(between(at('n'), value({ N: '1' }), at('s')))).toBe(false)
    expect(holds(between(at('yes'), at('yes'), value({ BOOL: true })))).toBe(false)
  })

  it('IN looks for an equal value and skips missing ones', () => {
    expect(holds(isIn(at('n'), at('none'), value({ N: '5' })))).toBe(true)
    expect(holds(isIn(at('n'), value({ S: '5' })))).toBe(false)
    expect(holds(isIn(at('none'), at('nothing')))).toBe(false)
    expect(holds(isIn(at('l', 1), value({ SS: ['q', 'p'] })))).toBe(true)
  })
})

describe('functions', () => {
  it('attribute_exists follows names and positions, and no inherited name', () => {
    expect(holds(exists('l', 2, 'deep'))).toBe(true)
    expect(holds(exists('m', 'toString'))).toBe(true)
    for (const path of [['toString'], ['__proto__'], ['l', 3], ['l', 'deep'], ['m', 0], ['s', 0]]) {
      expect(holds(exists(...(path as unknown as Path)))).toBe(false)
      expect(holds(missing(...(path as unknown as Path)))).toBe(true)
    }
  })

  it('contains finds substrings, bytes and elements', () => {
    expect(holds(contains(at('s'), { S: 'bc' }))).toBe(true)
    expect(holds(contains(at('s'), { S: '' }))).toBe(true)
    expect(holds(contains(at('s'), { S: 'ac' }))).toBe(false)
    expect(holds(contains(at('b'), { B: bytes(2, 3) }))).toBe(true)
    expect(holds(contains(at('b'), { B: bytes(2, 4) }))).toBe(false)
    expect(holds(contains(at('ss'), { S: 'y' }))).toBe(true)
    expect(holds(contains(at('ns'), { N: '2' }))).toBe(true)
    expect(holds(contains(at('bs'), { B: 'AQ==' }))).toBe(true)
    expect(holds(contains(at('l'), { SS: ['q', 'p'] }))).toBe(true)
    expect(holds(contains(at('l'), { M: { deep: { S: 'found' } } }))).toBe(true)
    expect(holds(contains(value({ S: 'xabcx' }), item.s!))).toBe(true)
  })

  it('contains is false for the wrong type', () => {
    expect(holds(contains(at('s'), { N: '1' }))).toBe(false)
    expect(holds(contains(at('ss'), { SS: ['x'] }))).toBe(false)
    expect(holds(contains(at('ns'), { S: '1' }))).toBe(false)
    expect(holds(contains(at('m'), { S: 'k' }))).toBe(false)
    expect(holds(contains(at('none'), { S: 'k' }))).toBe(false)
  })

  it('begins_with compares strings and binaries from the start', () => {
    expect(holds(beginsWith(at('s'), { S: 'ab' }))).toBe(true)
    expect(holds(beginsWith(at('s'), { S: 'bc' }))).toBe(false)
    expect(holds(beginsWith(at('b'), { B: bytes(1, 2) }))).toBe(true)
    expect(holds(beginsWith(at('b'), { B: bytes(2) }))).toBe(false)
    expect(holds(beginsWith(at('b'), { S: 'A' }))).toBe(false)
    expect(holds(beginsWith(at('n'), { S: '5' }))).toBe(false)
  })

  it('attribute_type distinguishes the ten types', () => {
    const names = {
      n: 'N',
      s: 'S',
      b: 'B',
      yes: 'BOOL',
      nil: 'NULL',
      ss: 'SS',
      ns: 'NS',
      bs: 'BS',
      l: 'L',
      m: 'M',
    }
    for (const attribute of Object.keys(names)) {
      for (const [other, name] of Object.entries(names)) {
        expect(holds(type(at(attribute), name))).toBe(attribute === other)
      }
    }
    expect(holds(type(at('none'), 'S'))).toBe(false)
    expect(holds(type(size(at('s')), 'N'))).toBe(true)
  })

  it.each([
    ['s', 3],
    ['emoji', 2],
    ['b', 4],
    ['ss', 2],
    ['ns', 2],
    ['bs', 1],
    ['l', 3],
    ['m', 2],
  ])('size of %s is %i', (name, length) => {
    expect(holds(compare(size(at(name)), '=', value({ N: String(length) })))).toBe(true)
  })

  it('size of other types is like a missing attribute', () => {
    for (const name of ['n', 'yes', 'nil', 'none']) {
      expect(holds(compare(size(at(name)), '>=', value({ N: '0' })))).toBe(false)
      expect(holds(compare(size(at(name)), '<>', value({ N: '0' })))).toBe(true)
    }
  })
})

describe('without an item', () => {
  it('nothing exists and every comparison but <> is false', () => {
    expect(evaluateCondition(exists('pk'), undefined)).toBe(false)
    expect(evaluateCondition(missing('pk'), undefined)).toBe(true)
    expect(evaluateCondition(compare(at('pk'), '<>', value({ S: 'x' })), undefined)).toBe(true)
  })
})

describe('long conditions', () => {
  it('of a hundred thousand operators do not overflow the stack', () => {
    let chain: Condition = exists('n')
    for (let count = 0; count < 100_000; count++) {
      chain =
        count % 3 === 0
          ? not(not(chain))
          : { kind: count % 2 === 0 ? 'and' : 'or', left: chain, right: exists('n') }
    }
    expect(holds(chain)).toBe(true)
  })
})
