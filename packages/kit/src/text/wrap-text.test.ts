import { expect, test } from 'vitest'
import { reflow, wrapText } from './wrap-text.ts'

test('a text is broken at blanks, and a word that is too long stands alone', () => {
  expect(wrapText('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapText('one two three', 7, 4)).toEqual(['one', 'two', 'three'])
  expect(wrapText('a incomprehensible b', 6)).toEqual(['a', 'incomprehensible', 'b'])
})

test('paragraphs are broken anew, code is not', () => {
  const text = 'one two\nthree four\n\n  const code = 1\n  const more = 2'
  expect(reflow(text, 13)).toBe('one two three\nfour\n\n  const code = 1\n  const more = 2')
})
