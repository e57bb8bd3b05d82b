import { expect, test } from 'vitest'
import { printTable } from '../cli/print-table.ts'
import { cutText, padText, textColumns } from './text-columns.ts'

test('wide, combining and joined characters count as a terminal shows them', () => {
  expect(textColumns('abc')).toBe(3)
  expect(textColumns('日本')).toBe(4)
  expect(textColumns('e\u0301')).toBe(1)
  expect(textColumns('👨‍👩‍👧')).toBe(2)
  expect(textColumns('\u001b[31mred\u001b[39m')).toBe(3)
})

test('strings are padded and cut at whole characters', () => {
  expect(padText('日本', 6)).toBe('日本  ')
  expect(padText('日本', 6, 'right')).toBe('  日本')
  expect(cutText('日本語', 6)).toBe('日本語')
  expect(cutText('日本語', 5)).toBe('日本…')
  expect(cutText('日本語', 4)).toBe('日…')
  expect(cutText('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…')
  expect(cutText('abc… def', 5)).toBe('abc…')
})

test('the columns of a table are aligned, whatever characters are in them', () => {
  const lines = printTable(
    [{ title: 'name' }, { title: 'likes', align: 'right' }, { title: 'city' }],
    [
      ['日本太郎', '5', '東京'],
      ['👍🏽 Ann', '12345678', 'Bonn'],
      ['Zoe\u0308', '1', 'x'],
    ],
  ).split('\n')
  expect(lines).toEqual([
    'name         likes  city',
    '日本太郎         5  東京',
    '👍🏽 Ann    12345678  Bonn',
    'Zoe\u0308              1  x',
  ])
})

test('a table is not wider than the terminal', () => {
  const rows = [['日'.repeat(40), 'x'.repeat(40)]]
  const text = printTable([{ title: 'a' }, { title: 'b' }], rows, { width: 50 })
  for (const line of text.split('\n')) expect(textColumns(line)).toBeLessThanOrEqual(50)
})
