import { expect, test } from 'vitest'
import { parseSequence, sequenceText } from './stream-record.ts'

test('sequence numbers are strings of 21 digits that order like the numbers', () => {
  const numbers = [1, 2, 9, 10, 99, 1_000_000, 2 ** 48]
  const strings = numbers.map(sequenceText)
  for (const text of strings) expect(text).toMatch(/^\d{21}$/)
  expect([...strings].sort()).toEqual(strings)
  expect(strings.map(parseSequence)).toEqual(numbers)
})

for (const text of ['', 'x'.repeat(21), '2'.repeat(21), '1'.repeat(20), '1'.repeat(22)]) {
  test(`"${text}" is not one of our sequence numbers`, () => {
    expect(parseSequence(text)).toBeUndefined()
  })
}

test('a sequence number beyond what a double holds exactly is none of ours', () => {
  expect(parseSequence(`1${'9'.repeat(20)}`)).toBeUndefined()
})
