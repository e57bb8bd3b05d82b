import { describe, expect, it } from 'vitest'
import type { AttributeValue } from './attribute-value.ts'
import { compareValues, equalItems, equalValues } from './compare.ts'

/** Values that all differ from one another. */
const different: AttributeValue[] = [
  { S: '1' },
  { S: '' },
  { N: '1' },
  { B: 'MQ==' },
  { BOOL: true },
  { BOOL: false },
  { NULL: true },
  { SS: ['1'] },
  { SS: ['1', '2'] },
  { NS: ['1'] },
  { BS: ['MQ=='] },
  { L: [] },
  { L: [{ S: '1' }] },
  { L: [{ S: '1' }, { N: '2' }] },
  { L: [{ N: '2' }, { S: '1' }] },
  { M: {} },
  { M: { a: { S: '1' } } },
  { M: { b: { S: '1' } } },
  { M: { toString: { S: '1' } } },
  { M: JSON.parse('{"__proto__": {"S": "1"}}') },
  { M: { a: { L: [{ M: { b: { NULL: true } } }] } } },
]

describe('equality', () => {
  it('holds between a value and its copy, and between no two others', () => {
    for (const [row, a] of different.entries()) {
      for (const [column, b] of different.entries()) {
        const copy = JSON.parse(JSON.stringify(b)) as AttributeValue
        expect(equalValues(a, copy), `${JSON.stringify(a)} and ${JSON.stringify(b)}`).toBe(
          row === column,
        )
      }
    }
  })

  it('ignores the order of set elements, however many there are', () => {
    const numbers = Array.from({ length: 40 }, (_, index) => String(index))
    for (const count of [2, 15, 16, 40]) {
      const set = numbers.slice(0, count)
      expect(equalValues({ NS: set }, { NS: set.toReversed() })).toBe(true)
      expect(equalValues({ NS: set }, { NS: ['99', ...set.slice(1)].toReversed() })).toBe(false)
    }
  })

  it('ignores the order of names in maps and items', () => {
    const a = { x: { M: { p: { N: '1' }, q: { S: 's' } } }, y: { BOOL: true } } as const
    const b = { y: { BOOL: true }, x: { M: { q: { S: 's' }, p: { N: '1' } } } } as const
    expect(equalItems(a, b)).toBe(true)
    expect(equalItems(a, { ...b, z: { NULL: true } })).toBe(false)
  })
})

describe('order', () => {
  it('exists within strings, numbers and binaries', () => {
    expect(compareValues({ S: 'a' }, { S: 'b' })).toBeLessThan(0)
    expect(compareValues({ N: '10' }, { N: '9' })).toBeGreaterThan(0)
    expect(compareValues({ B: 'AA==' }, { B: '/w==' })).toBeLessThan(0)
    expect(compareValues({ N: '7' }, { N: '7' })).toBe(0)
  })

  it('exists between no values of different or other types', () => {
    expect(compareValues({ S: '1' }, { N: '1' })).toBeUndefined()
    expect(compareValues({ N: '1' }, { B: 'MQ==' })).toBeUndefined()
    expect(compareValues({ BOOL: true }, { BOOL: false })).toBeUndefined()
    expect(compareValues({ L: [] }, { L: [] })).toBeUndefined()
  })
})
