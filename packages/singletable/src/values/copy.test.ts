import { expect, test } from 'vitest'
import type { Item } from './attribute-value.ts'
import { copyItem } from './copy.ts'

const item: Item = {
  s: { S: 'text' },
  n: { N: '1' },
  b: { B: 'AQ==' },
  yes: { BOOL: true },
  no: { BOOL: false },
  nothing: { NULL: true },
  ss: { SS: ['a'] },
  ns: { NS: ['1'] },
  bs: { BS: ['AQ=='] },
  l: { L: [{ M: { x: { L: [{ N: '2' }] } } }] },
}

test('a copy equals the item, and has no object in common with it', () => {
  const copy = copyItem(item)
  expect(copy).toEqual(item)
  const objects = objectsIn(item)
  expect(objectsIn(copy).filter((object) => objects.includes(object))).toEqual([])
  expect(objects).toHaveLength(20)
})

test('a copy keeps a name like __proto__ as an own one', () => {
  const odd: Item = JSON.parse('{"__proto__": {"M": {"__proto__": {"S": "x"}}}, "a": {"S": "y"}}')
  const copy = copyItem(odd)
  expect(JSON.stringify(copy)).toBe(JSON.stringify(odd))
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})

function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}
