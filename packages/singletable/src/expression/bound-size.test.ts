import { expect, test } from 'vitest'
import { boundSizeBytes } from './bound-size.ts'

test('the size of an expression without placeholders is that of its text', () => {
  expect(boundSizeBytes('attribute_exists(a)', {})).toBe(19)
})

test('names and values count as often as they are used, in addition to the text', () => {
  const members = { names: { '#n': 'näme' }, values: { ':v': { S: 'value' } } }
  expect(boundSizeBytes('#n = :v', members)).toBe(7 + 5 + 5)
  expect(boundSizeBytes('#n = :v OR a.#n = :v', members)).toBe(20 + 2 * 5 + 2 * 5)
})

test('a placeholder that stands for nothing counts with its text only', () => {
  expect(boundSizeBytes('#toString = :v', { names: {} })).toBe(14)
})
