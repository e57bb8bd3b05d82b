import { describe, expect, test } from 'vitest'
import type { AttributeValue, Item } from '../../values/attribute-value.ts'
import { ItemPacker } from './item-packer.ts'

/** The item after it was packed and unpacked, as text, which shows the order of names too. */
function again(item: Item, packer = new ItemPacker()): string {
  return JSON.stringify(packer.unpack(packer.pack(item)))
}

/** An item with this many attributes, of names that begin with the letter. */
function wide(letter: string, attributes: number): Item {
  return Object.fromEntries(
    Array.from({ length: attributes }, (_, n) => [`${letter}${n}`, { N: String(n) }]),
  )
}

describe('an item that was packed and unpacked is the same', () => {
  const values: Record<string, AttributeValue> = {
    'an empty text': { S: '' },
    'a text beyond Latin-1': { S: 'Žižek, 名前, 🙂' },
    'a number': { N: '-1.5E-7' },
    binary: { B: 'AP8=' },
    true: { BOOL: true },
    false: { BOOL: false },
    null: { NULL: true },
    'a set of strings': { SS: ['', 'b', '名'] },
    'a set of numbers': { NS: ['1', '-2'] },
    'a set of binaries': { BS: ['', 'AQ=='] },
    'an empty list': { L: [] },
    'an empty map': { M: {} },
    'lists and maps inside each other': {
      L: [{ M: { a: { L: [{ L: [] }, { NULL: true }] }, '': { S: 'x' } } }, { SS: ['y'] }],
    },
    'names like those of every object': {
      M: JSON.parse('{"__proto__": {"M": {"toString": {"N": "1"}}}, "constructor": {"S": "x"}}'),
    },
    'names like positions': { M: { b: { N: '1' }, 10: { N: '2' }, 2: { N: '3' } } },
  }
  test.each(Object.entries(values))('with %s', (_title, value) => {
    const item = { first: { S: 'a' }, value, last: { S: 'z' } }
    expect(again(item)).toBe(JSON.stringify(item))
  })

  test.each([254, 255, 256, 257, 65_535, 65_536, 400_000])('with a text of %i units', (length) => {
    const item = { a: { S: 'x'.repeat(length) }, b: { S: 'é'.repeat(length) }, c: { N: '1' } }
    expect(again(item)).toBe(JSON.stringify(item))
  })

  test.each([254, 255, 256, 70_000])('with a list, a map and a set of %i elements', (length) => {
    const numbers = Array.from({ length }, (_, n) => String(n))
    const item: Item = {
      l: { L: numbers.map((n) => ({ N: n })) },
      m: { M: wide('m', length) },
      s: { NS: numbers },
    }
    expect(again(item)).toBe(JSON.stringify(item))
  })

  test.each([0, 1, 63, 64, 65, 254, 255, 256, 5000])('with %i attributes', (attributes) => {
    const item = wide('a', attributes)
    expect(again(item)).toBe(JSON.stringify(item))
  })

  test('whatever name its attributes have', () => {
    const item: Item = JSON.parse(
      '{"__proto__": {"S": "a"}, "": {"S": "b"}, "hasOwnProperty": {"S": "c"}, "名": {"S": "d"}}',
    )
    const packer = new ItemPacker()
    const unpacked = packer.unpack(packer.pack(item))
    expect(JSON.stringify(unpacked)).toBe(JSON.stringify(item))
    expect(Object.getPrototypeOf(unpacked)).toBe(Object.prototype)
  })
})

test('items with the same names in another order, or with more of them, stay apart', () => {
  const packer = new ItemPacker()
  const items: Item[] = [
    { a: { S: '1' }, b: { S: '2' } },
    { b: { S: '2' }, a: { S: '1' } },
    { a: { S: '1' } },
    { a: { S: '1' }, b: { S: '2' }, c: { S: '3' } },
    { a: { S: '1' }, c: { S: '3' } },
    {},
  ]
  const strings = items.map((item) => packer.pack(item))
  expect(new Set(strings).size).toBe(items.length)
  expect(strings.map((text) => JSON.stringify(packer.unpack(text)))).toEqual(
    items.map((item) => JSON.stringify(item)),
  )
})

test('what is unpacked belongs to whoever asked for it', () => {
  const packer = new ItemPacker()
  const text = packer.pack({ m: { M: { x: { BOOL: true } } }, n: { NULL: true } })
  const { m, n } = packer.unpack(text)
  Object.assign(m?.M?.x ?? {}, { BOOL: false })
  Object.assign(n ?? {}, { NULL: false })
  expect([m, n]).toEqual([{ M: { x: { BOOL: false } } }, { NULL: false }])
  expect(packer.unpack(text)).toEqual({ m: { M: { x: { BOOL: true } } }, n: { NULL: true } })
})

test('items with ever new names stay as they are, long after the numbers for their shapes have run out', () => {
  const packer = new ItemPacker()
  const items = Array.from({ length: 1000 }, (_, n) => wide(`${n}.`, 40))
  const strings = items.map((item) => packer.pack(item))
  expect(strings.map((text) => packer.unpack(text))).toEqual(items)
  // Those that were there before still have no names in their strings.
  expect(packer.pack(items[0]!)).toBe(strings[0])
  expect(strings[0]).not.toContain('0.39')
  expect(strings[999]).toContain('999.39')
})

test('a packed item of ASCII strings takes one byte for each character, and a few more', () => {
  const text = new ItemPacker().pack({
    pk: { S: 'USER#1' },
    sk: { S: 'PROFILE' },
    on: { BOOL: true },
  })
  // Two for the shape, two for each text, one for the truth.
  expect(text).toHaveLength(2 + 2 + 6 + 2 + 7 + 1)
  expect(text).toMatch(/^[\0-\xff]*$/)
})
