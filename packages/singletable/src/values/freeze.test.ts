import { describe, expect, it } from 'vitest'
import type { Item } from './attribute-value.ts'
import { freezeValues } from './freeze.ts'

const item: Item = {
  s: { S: 'x' },
  n: { N: '1' },
  b: { B: 'AQ==' },
  t: { BOOL: true },
  z: { NULL: true },
  ss: { SS: ['a'] },
  ns: { NS: ['1'] },
  bs: { BS: ['AQ=='] },
  l: { L: [{ M: { deep: { L: [{ S: 'y' }] } } }] },
  m: { M: { a: { S: 'b' } } },
}

function unfrozenParts(value: object): object[] {
  const below = Object.values(value).filter((part) => typeof part === 'object')
  return [...(Object.isFrozen(value) ? [] : [value]), ...below.flatMap(unfrozenParts)]
}

describe('freezing the values of an item', () => {
  it('leaves no part of any value that could be changed', () => {
    const values = structuredClone(item)
    freezeValues(values)
    expect(Object.values(values).flatMap(unfrozenParts)).toEqual([])
  })

  it('leaves the item itself open', () => {
    const values = structuredClone(item)
    freezeValues(values)
    expect(Object.isFrozen(values)).toBe(false)
  })

  it('changes no value', () => {
    const values = structuredClone(item)
    freezeValues(values)
    expect(values).toEqual(item)
  })
})
