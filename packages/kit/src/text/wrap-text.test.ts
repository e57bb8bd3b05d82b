import { expect, test } from 'vitest'
import { reflow, wrapLines, wrapText } from './wrap-text.ts'

test('a string is wrapped at blanks, and a word that is too long is on its own line', () => {
  expect(wrapText('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapText('one two three', 7, 4)).toEqual(['one', 'two', 'three'])
  expect(wrapText('a incomprehensible b', 6)).toEqual(['a', 'incomprehensible', 'b'])
})

test('paragraphs are wrapped again, code is not', () => {
  const text = 'one two\nthree four\n\n  const code = 1\n  const more = 2'
  expect(reflow(text, 13)).toBe('one two three\nfour\n\n  const code = 1\n  const more = 2')
})

test('lines that are too wide continue below their last column', () => {
  const text = [
    'short',
    '  --name <value>  one two three four five six seven eight',
    '  fix:    one two three four five six seven eight nine ten',
    '  an indented line continues below its start here',
  ].join('\n')
  expect(wrapLines(text, 44)).toBe(
    [
      'short',
      '  --name <value>  one two three four five',
      '                  six seven eight',
      '  fix:    one two three four five six seven',
      '          eight nine ten',
      '  an indented line continues below its start',
      '  here',
    ].join('\n'),
  )
  expect(wrapLines(text, 100)).toBe(text)
})
