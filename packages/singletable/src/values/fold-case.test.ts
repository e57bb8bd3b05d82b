import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { foldCase } from './fold-case.ts'

test.each([
  ['ann', 'ANN'],
  ['ẗ', 'T̈'],
  ['ǰ', 'J̌'],
  ['σ', 'Σ'],
  ['σ', 'ς'],
  ['straße', 'STRASSE'],
  ['ẞ', 'ß'],
  ['K', 'k'],
  ['Å', 'å'],
  ['ﬃ', 'FFI'],
  ['ΐ', 'Ϊ́'],
  ['ꭰ', 'Ꭰ'],
  ['ſ', 's'],
  ['İ', 'i̇'],
])('%s and %s are equal without case', (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other))
})

test.each([
  ['i', 'ı'],
  ['a', 'á'],
  ['2', '²'],
  ['A', 'Ａ'],
  ['o', 'ø'],
])('%s and %s differ in more than case', (one, other) => {
  expect(foldCase(one)).not.toBe(foldCase(other))
})

const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

test('no character is in the way of itself: folding twice changes nothing more', () => {
  const wrong = characters.filter((each) => foldCase(foldCase(each)) !== foldCase(each))
  expect(wrong).toEqual([])
})

test('every Node gives the same for every character', () => {
  const hash = createHash('sha256')
  for (const each of characters) hash.update(`${foldCase(each)}\n`)
  // Compared with the full case folding of Unicode 14 when this was written: the same characters
  // are equal.
  expect(hash.digest('hex')).toBe(
    '406856616afc9b13d2f16a45975235b1feceeef7175f23391f0b6aa2f492828b',
  )
})

test('a text in small letters folds to the same, so that keys with :lower differ if guards do', () => {
  const wrong = characters.filter(
    (each) => foldCase(each) !== each && foldCase(each.toLowerCase()) !== foldCase(each),
  )
  expect(wrong).toEqual([])
})
