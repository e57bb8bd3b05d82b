import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from './attribute-value.ts'
import { itemSizeBytes, itemSizeUpTo, valueSizeBytes } from './size.ts'

/** The rules a second time, by encoding everything and in no hurry. */
function naiveSize(value: AttributeValue): number {
  const [[tag, content] = ['', null]] = Object.entries(value)
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)
  switch (tag) {
    case 'S':
      return Buffer.from(content).length
    case 'B':
      return Buffer.from(content, 'base64').length
    case 'N':
      return naiveNumberSize(content)
    case 'SS':
    case 'NS':
    case 'BS':
      return sum(content.map((element: string) => naiveSize({ [tag[0] ?? '']: element } as never)))
    case 'L':
      return 3 + sum(content.map((element: AttributeValue) => 1 + naiveSize(element)))
    case 'M':
      return 3 + Object.keys(content).length + naiveItemSize(content)
    default:
      return 1
  }
}

function naiveItemSize(item: Item): number {
  const sizes = Object.entries(item).map(
    ([name, value]) => Buffer.from(name).length + naiveSize(value),
  )
  return sizes.reduce((total, size) => total + size, 0)
}

function naiveNumberSize(text: string): number {
  let size = text.startsWith('-') ? 2 : 1
  const [integer = '', fraction = ''] = text.replace('-', '').split('.')
  const digits = `${'0'.repeat(200 - integer.length)}${integer}${fraction.padEnd(200, '0')}`
  let position = 0
  while (position < 400 && digits.slice(position, position + 2) === '00') position += 2
  while (/[1-9]/.test(digits.slice(position))) {
    size++
    position += 2
  }
  return size
}

const text = fc.string({ unit: 'binary', maxLength: 8 })
const number = fc
  .oneof(
    fc.integer(),
    fc.integer({ min: -99999, max: 99999 }).map((n) => n / 1000),
  )
  .map(String)
const binary = fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text.map((S) => ({ S })),
    number.map((N) => ({ N })),
    binary.map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant<AttributeValue>({ NULL: true }),
    fc.uniqueArray(text).map((SS) => ({ SS })),
    fc.uniqueArray(number).map((NS) => ({ NS })),
    fc.uniqueArray(binary).map((BS) => ({ BS })),
    fc.array(tie('value'), { maxLength: 4 }).map((L) => ({ L })),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }).map((M) => ({ M })),
  ),
}))

describe('size', () => {
  it('agrees with the rules written down a second time', () => {
    fc.assert(
      fc.property(value, (any) => {
        expect(valueSizeBytes(any)).toBe(naiveSize(any))
      }),
      { numRuns: 1000 },
    )
  })

  it('counts names and values of an item', () => {
    expect(itemSizeBytes({ 'shirt-color': { S: 'R' }, 'shirt-size': { S: 'M' } })).toBe(23)
    expect(itemSizeBytes(JSON.parse('{"__proto__": {"S": "é"}}'))).toBe(11)
    expect(itemSizeBytes({})).toBe(0)
  })

  it('adds three bytes for a document and one for each of its elements', () => {
    expect(valueSizeBytes({ L: [] })).toBe(3)
    expect(valueSizeBytes({ L: [{ BOOL: true }, { NULL: true }] })).toBe(7)
    expect(valueSizeBytes({ M: { ab: { S: 'xyz' } } })).toBe(9)
    expect(valueSizeBytes({ SS: ['a', 'bc'] })).toBe(3)
  })
})

it('of an item that repeats a large part is known to be more than enough, without looking at all of it', () => {
  const part = { L: Array.from({ length: 1000 }, () => ({ N: '1' })) }
  const item: Item = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}`, part]))
  const whole = itemSizeBytes(item)
  expect(itemSizeUpTo(item, whole)).toBe(whole)
  const some = itemSizeUpTo(item, 5000)
  expect(some).toBeGreaterThan(5000)
  expect(some).toBeLessThan(whole / 10)
  expect(itemSizeUpTo({ m: { M: item } }, 5000)).toBeLessThan(whole / 10)
})
