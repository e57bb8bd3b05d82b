import { expect, test } from 'vitest'
import { textDifference } from './text-difference.ts'

test('equal strings have no difference', () => {
  expect(textDifference('a\nb', 'a\nb')).toEqual([])
})

test('only what differs is shown, with the first line', () => {
  expect(textDifference('a\nb\nc\nd\ne', 'a\nB\nc\nD\nd\ne')).toEqual([
    '@@ line 2 @@',
    '- b',
    '+ B',
    '+ D',
  ])
})

test('strings that end early are shown', () => {
  expect(textDifference('a', 'a\nb')).toEqual(['@@ line 2 @@', '+ b'])
  expect(textDifference('a\nb', 'a')).toEqual(['@@ line 2 @@', '- b'])
})

test('long differences and long lines are cut', () => {
  const many = Array.from({ length: 40 }, (_, at) => `${at}`).join('\n')
  const shown = textDifference('', many)
  expect(shown).toHaveLength(18)
  expect(shown.at(-1)).toBe('… and 25 more lines')
  expect(textDifference('', 'x'.repeat(500))[2]).toHaveLength(160)
})

test('strings that differ in thousands of lines are shown from their first lines on', () => {
  const text = (first: string): string =>
    [first, ...Array.from({ length: 5000 }, (_, at) => `${first}${at}`), 'end'].join('\n')
  expect(textDifference(text('a'), text('b'))[1]).toBe('- a')
})
